/* What the program that kinds.py writes needs: a maker of each kind of handle, and checks. */
#include "check.h"
#include "sessions.h"

#include <sanitizer/asan_interface.h>

#define POLICY \
    "{\"version\":1,\"issuers\":[{\"profile\":\"token\",\"issuer\":\"https://issuer.example\",\"audience\":\"api\"," \
    "\"algorithms\":[\"HS256\"],\"keys\":\"given\"}]}"
#define SECRET_KEY "{\"kty\":\"oct\",\"alg\":\"HS256\",\"k\":\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\"}"

static const int64_t then = 1788598987; /* 2026-09-05T09:03:07Z */

/* What a function that gives nothing must replace. */
static char mark;
#define MARK ((void *)&mark)

static ts_error *make_ts_error(void) {
    ts_error *made = NULL;
    CHECK(ts_lifetime_check("no-such-rule", 1, &(int64_t){0}, &made) == 1 && made != NULL);
    return made;
}

static ts_buffer *make_ts_buffer(void) {
    ts_buffer *made = NULL;
    DONE(ts_totp_secret(&made, &error));
    return made;
}

static ts_verifier *make_ts_verifier(void) {
    ts_verifier *made = NULL;
    DONE(ts_verifier_create(TEXT(POLICY), BYTES(SECRET_KEY), &made, &error));
    return made;
}

/* Calls a function with a fetch, as the library does where a verifier needs keys. */
static void within_a_fetch(ts_fetch_function function, void *context) {
    ts_verifier *made = NULL;
    DONE(ts_verifier_create(TEXT("{\"version\":1,\"issuers\":[{\"profile\":\"google\",\"client_ids\":\"a\"}]}"), NULL, 0, &made, &error));
    DONE(ts_verifier_set_fetch(made, function, context, &error));
    REFUSED(ts_verifier_refresh(made, 600000, NULL, &error), "fetch_connection");
    ts_verifier_free(made);
}

static ts_signer *make_ts_signer(void) {
    ts_signer *made = NULL;
    DONE(ts_signer_create(BYTES(SECRET_KEY), NULL, NULL, &made, &error));
    return made;
}

static ts_token *make_ts_token(void) {
    ts_verifier *verifier = make_ts_verifier();
    ts_signer *signer = make_ts_signer();
    ts_buffer *compact = NULL;
    ts_token *made = NULL;
    DONE(ts_signer_issue(signer, TEXT("{\"iss\":\"https://issuer.example\",\"aud\":\"api\"}"), 0, then, &compact, &error));
    DONE(ts_verifier_verify(verifier, text_of(compact), ts_buffer_length(compact), then, 0, &made, &error));
    ts_buffer_free(compact);
    ts_signer_free(signer);
    ts_verifier_free(verifier);
    return made;
}

static ts_proof_verifier *make_ts_proof_verifier(void) {
    ts_proof_verifier *made = NULL;
    DONE(ts_proof_verifier_create(1, &made, &error));
    return made;
}

static ts_request *make_ts_request(void) {
    ts_request *made = NULL;
    DONE(ts_request_create("GET", "/", &made, &error));
    return made;
}

static ts_request_verifier *make_ts_request_verifier(void) {
    ts_request_verifier *made = NULL;
    DONE(ts_request_verifier_create("execute-api", "eu-west-1", NULL, 0, &made, &error));
    return made;
}

static int answer(void *context, ts_fetch *fetch) {
    (void)context;
    return give(fetch, 200, ANSWER);
}

static ts_session_keys *make_ts_session_keys(void) { return session_keys(0, answer, NULL); }

static ts_session *make_ts_session(void) {
    ts_session_keys *keys = make_ts_session_keys();
    ts_request_verifier *verifier = orders();
    ts_request *request = signed_request(SESSION_TOKEN, then);
    ts_session *made = NULL;
    DONE(ts_request_verifier_verify_session(verifier, keys, request, NULL, then, &made, &error));
    ts_request_free(request);
    ts_request_verifier_free(verifier);
    ts_session_keys_free(keys);
    return made;
}

static ts_srp_client *make_ts_srp_client(void) {
    ts_srp_client *made = NULL;
    ts_buffer *key = NULL;
    DONE(ts_srp_client_create(1024, NULL, &made, &key, &error));
    ts_buffer_free(key);
    return made;
}

static ts_srp_server *make_ts_srp_server(void) {
    ts_srp_server *made = NULL;
    DONE(ts_srp_server_create(1024, NULL, &made, &error));
    return made;
}

/* Counts a function that did another thing with an argument of another kind. */
static void failed(const char *function, const char *argument, const char *kind, const char *what) {
    fprintf(stderr, "%s: %s is %s: %s\n", function, argument, kind, what);
    failures++;
}

/* Checks that a call was refused with a code, and frees the error. */
static void refused(const char *function, const char *argument, const char *kind, int status, ts_error *error, const char *code) {
    if (status != 1 || error == NULL)
        failed(function, argument, kind, "not refused");
    else if (strcmp(ts_error_code(error), code) != 0)
        failed(function, argument, kind, ts_error_code(error));
    ts_error_free(error);
}

/* Checks that a call gave nothing. */
static void empty(const char *function, const char *argument, const char *kind, int is_empty) {
    if (!is_empty) failed(function, argument, kind, "something was given");
}

/* Whether a call has freed a handle of another kind, which is counted. */
static int is_freed(const char *function, const char *argument, const char *kind, const void *handle) {
    int freed = __asan_address_is_poisoned(handle);
    if (freed) failed(function, argument, kind, "freed");
    return freed;
}

/* Checks that a handle's own function has freed it, which is_freed can see then. */
static void was_freed(const char *kind, const void *handle) {
    if (!__asan_address_is_poisoned(handle)) failed("its own function to free it", "the argument", kind, "not freed");
}
