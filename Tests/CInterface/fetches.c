/* Keys that a function of the caller fetches: one that answers, fails, blocks, or calls the library. */
#include "check.h"
#include "waiting.h"

#define POOL(keys, seconds) \
    "{\"version\":1,\"issuers\":[{\"profile\":\"cognito-user-pool\",\"pool\":\"eu-west-1_Example01\",\"use\":\"access\"," \
    "\"client_ids\":\"1h57kf5cpq17m0eml12EXAMPLE\"" keys "}],\"fetching\":{\"timeout\":" seconds "}}"
#define ADDRESS "https://issuer.example/keys.json"
#define FETCHED POOL(",\"keys\":{\"jwks_uri\":\"" ADDRESS "\"}", "60")
/* For responses that come too late. */
#define HASTY POOL(",\"keys\":{\"jwks_uri\":\"" ADDRESS "\"}", "1")
/* RFC 7515, appendix A.3. */
#define PUBLIC_KEY "\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"one\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\"," \
    "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\""
#define PRIVATE_KEY "{" PUBLIC_KEY ",\"d\":\"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI\"}"

static const int64_t then = 1788598987; /* 2026-09-05T09:03:07Z */
static char *token, *keys;

/* What a function that fetches does, and what it has seen. */
typedef struct {
    int status;             /* of the response */
    const char *body, *type, *reason;
    int result;             /* what it returns */
    size_t extra;           /* bytes of spaces after the body */
    ts_verifier *verifier;  /* called from within, with this token */
    const char *within, *expected;
    int blocks, waits;      /* until it is released; until its time is over */
    int calls;
} script;

static int respond(ts_fetch *fetch, int number, const char *type, const char *body) {
    DONE(ts_fetch_add_header(fetch, "content-TYPE", type, &error));
    DONE(ts_fetch_add_body(fetch, BYTES(body), &error));
    DONE(ts_fetch_set_status(fetch, number, &error));
    return TS_FETCH_DONE;
}

static int play(void *context, ts_fetch *fetch) {
    script *plan = context;
    ts_token *verified = NULL;
    pthread_mutex_lock(&lock);
    plan->calls++;
    int blocks = plan->blocks && plan->calls == 1;
    pthread_mutex_unlock(&lock);
    if (blocks) {
        set(&blocked, 1);
        wait_until(&released, 1);
    }
    if (plan->within) {
        REFUSED(ts_verifier_verify(plan->verifier, TEXT(plan->within), then, 60000, &verified, &error), plan->expected);
        REFUSED(ts_verifier_verify(plan->verifier, "x", 1, then, 60000, &verified, &error), "not_compact");
    }
    while (plan->waits && ts_fetch_timeout_ms(fetch) > 0) continue;
    if (plan->reason) ts_fetch_fail(fetch, plan->reason);
    if (plan->extra) {
        char *spaces = malloc(plan->extra);
        memset(spaces, ' ', plan->extra);
        REFUSED(ts_fetch_add_body(fetch, (uint8_t *)spaces, plan->extra, &error), "fetch_too_large");
        free(spaces);
    }
    if (plan->status)
        respond(fetch, plan->status, plan->type ? plan->type : "application/json", plan->body);
    else if (plan->body)
        DONE(ts_fetch_add_body(fetch, BYTES(plan->body), &error));
    return plan->result;
}

static ts_verifier *made(const char *policy, ts_fetch_function function, void *context) {
    ts_verifier *verifier = NULL;
    DONE(ts_verifier_create(TEXT(policy), NULL, 0, &verifier, &error));
    DONE(ts_verifier_set_fetch(verifier, function, context, &error));
    return verifier;
}

static void verifies(ts_verifier *verifier, uint32_t timeout) {
    ts_token *verified = NULL;
    DONE(ts_verifier_verify(verifier, TEXT(token), then, timeout, &verified, &error));
    ts_token_free(verified);
}

/* The refusal of a verification, and that no later one calls the function: the next fetch has to wait. */
static void refused_with(script plan, const char *code, const char *reason) {
    ts_verifier *verifier = made(plan.waits ? HASTY : FETCHED, play, &plan);
    ts_token *verified = NULL;
    ts_error *error = NULL;
    CHECK(ts_verifier_verify(verifier, TEXT(token), then, 60000, &verified, &error) == 1 && verified == NULL);
    if (!error || strcmp(ts_error_code(error), code) != 0 || !strstr(ts_error_message(error), reason)) {
        fprintf(stderr, "expected %s: %s, not %s\n", code, reason, error ? ts_error_message(error) : "success");
        failures++;
    }
    ts_error_free(error);
    REFUSED(ts_verifier_verify(verifier, TEXT(token), then, 60000, &verified, &error), code);
    REFUSED(ts_verifier_refresh(verifier, 60000, NULL, &error), code);
    CHECK(plan.calls == 1);
    ts_verifier_free(verifier);
}

/* What the request is, and that the keys are kept. */
static int look(void *context, ts_fetch *fetch) {
    const char *name = NULL, *value = NULL;
    size_t length = 1;
    CHECK(strcmp(ts_fetch_url(fetch), ADDRESS) == 0 && strcmp(ts_fetch_method(fetch), "GET") == 0);
    CHECK(ts_fetch_body(fetch, &length) == NULL && length == 0 && ts_fetch_body(fetch, NULL) == NULL);
    CHECK(ts_fetch_header(fetch, 0, &name, &value) == 1 && strcmp(name, "Accept") == 0);
    CHECK(strcmp(value, "application/jwk-set+json, application/json") == 0);
    CHECK(ts_fetch_header(fetch, 1, &name, &value) == 0 && name == NULL && value == NULL);
    CHECK(ts_fetch_header(fetch, 0, NULL, NULL) == 1);
    CHECK(ts_fetch_size_limit(fetch) == 256 << 10 && ts_fetch_timeout_ms(fetch) <= 60000);
    CHECK(ts_fetch_trust_roots(fetch) == NULL);
    REFUSED(ts_fetch_set_status(fetch, 99, &error), "argument_out_of_range");
    REFUSED(ts_fetch_set_status(fetch, 600, &error), "argument_out_of_range");
    REFUSED(ts_fetch_add_header(fetch, NULL, "a", &error), "argument_missing");
    REFUSED(ts_fetch_add_header(fetch, "a", "\xff", &error), "argument_not_utf8");
    REFUSED(ts_fetch_add_header(fetch, "", "a", &error), "argument_out_of_range");
    REFUSED(ts_fetch_add_body(fetch, NULL, 1, &error), "argument_missing");
    ts_fetch_fail(fetch, NULL);
    return play(context, fetch);
}

static void fetched_once(void) {
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = keys};
    ts_verifier *verifier = made(FETCHED, look, &plan);
    ts_token *verified = NULL;
    int64_t next = 0;
    REFUSED(ts_verifier_verify(verifier, TEXT(token), then, 0, &verified, &error), "keys_not_held");
    REFUSED(ts_verifier_refresh(verifier, 0, &next, &error), "timed_out");
    CHECK(plan.calls == 0 && next == 1);
    verifies(verifier, 60000);
    verifies(verifier, 0);
    DONE(ts_verifier_refresh(verifier, 60000, &next, &error));
    /* Three quarters of a quarter of an hour. */
    CHECK(plan.calls == 1 && next <= 675 && next > 600);
    ts_buffer *json = NULL;
    DONE(ts_verifier_explain(verifier, TEXT(token), then, 0, &json, &error));
    CHECK(strstr(text_of(json), "\"valid\":true") != NULL);
    ts_buffer_free(json);
    /* Another function, and none. */
    DONE(ts_verifier_set_fetch(verifier, NULL, NULL, &error));
    verifies(verifier, 60000);
    ts_verifier_free(verifier);
    verifier = made(FETCHED, NULL, NULL);
    REFUSED(ts_verifier_verify(verifier, TEXT(token), then, 1, &verified, &error), "fetch_function_missing");
    REFUSED(ts_verifier_verify(verifier, TEXT(token), then, 0, &verified, &error), "keys_not_held");
    REFUSED(ts_verifier_explain(verifier, TEXT(token), then, 1, &json, &error), "fetch_function_missing");
    REFUSED(ts_verifier_refresh(verifier, 60000, &next, &error), "fetch_function_missing");
    ts_verifier_free(verifier);
}

static void refusals(void) {
    refused_with((script){.result = TS_FETCH_FAILED, .reason = "no route to the moon"}, "fetch_connection", "no route to the moon");
    refused_with((script){.result = TS_FETCH_FAILED, .reason = "caf\xe9 is closed"}, "fetch_connection", "xe9 is closed");
    refused_with((script){.body = keys, .result = TS_FETCH_DONE}, "fetch_connection", "gave no response");
    refused_with((script){.status = 200, .body = keys, .reason = "cut", .result = TS_FETCH_DONE}, "fetch_connection", "cut");
    refused_with((script){.status = 200, .body = keys, .result = TS_FETCH_FAILED}, "fetch_connection", "the fetch function failed");
    refused_with((script){.result = TS_FETCH_DONE, .extra = (256 << 10) + 1}, "fetch_too_large", "262144");
    /* A response that is too large stays so. */
    refused_with((script){.result = TS_FETCH_DONE, .status = 200, .body = keys, .extra = (256 << 10) + 1}, "fetch_too_large", "262144");
    refused_with((script){.result = TS_FETCH_DONE, .status = 500, .body = ""}, "fetch_status", "500");
    refused_with((script){.result = TS_FETCH_DONE, .status = 304, .body = ""}, "fetch_status", "304");
    refused_with((script){.result = TS_FETCH_DONE, .status = 302, .body = ""}, "fetch_redirect", "302");
    refused_with((script){.result = TS_FETCH_DONE, .status = 200, .body = "<html>", .type = "text/html"}, "fetch_web_page", "web page");
    refused_with((script){.result = TS_FETCH_DONE, .status = 200, .body = "{\"keys\":[]}"}, "fetch_no_usable_key", "no usable key");
    refused_with((script){.result = TS_FETCH_DONE, .status = 200, .body = "{"}, "fetch_unreadable", "keys.json");
    /* One that comes too late is not used. */
    refused_with((script){.result = TS_FETCH_DONE, .status = 200, .body = keys, .waits = 1}, "fetch_timeout", "within 1 s");
    refused_with((script){.result = TS_FETCH_FAILED, .waits = 1}, "fetch_timeout", "within 1 s");
}

static int many_fields(void *context, ts_fetch *fetch) {
    char *value = malloc(40001);
    memset(value, 'a', 40000);
    value[40000] = 0;
    DONE(ts_fetch_add_header(fetch, "a", value, &error));
    REFUSED(ts_fetch_add_header(fetch, "b", value, &error), "fetch_too_large");
    free(value);
    (void)context;
    DONE(ts_fetch_set_status(fetch, 200, &error));
    return TS_FETCH_DONE;
}

/* Each has 32 bytes beside its own. */
static int empty_fields(void *context, ts_fetch *fetch) {
    (void)context;
    for (int index = 0; index < 65536 / 33; index++) DONE(ts_fetch_add_header(fetch, "a", "", &error));
    REFUSED(ts_fetch_add_header(fetch, "a", "", &error), "fetch_too_large");
    /* The first limit that was broken is the one that the error names. */
    uint8_t *spaces = calloc(1, (256 << 10) + 1);
    REFUSED(ts_fetch_add_body(fetch, spaces, (256 << 10) + 1, &error), "fetch_too_large");
    free(spaces);
    DONE(ts_fetch_set_status(fetch, 200, &error));
    return TS_FETCH_DONE;
}

static void large_heads(void) {
    ts_fetch_function functions[2] = {many_fields, empty_fields};
    for (int index = 0; index < 2; index++) {
        ts_verifier *verifier = made(FETCHED, functions[index], NULL);
        ts_error *error = NULL;
        CHECK(ts_verifier_refresh(verifier, 60000, NULL, &error) == 1 && strcmp(ts_error_code(error), "fetch_too_large") == 0);
        CHECK(error && strstr(ts_error_message(error), "65536") != NULL);
        ts_error_free(error);
        ts_verifier_free(verifier);
    }
}

/* A function that gives up is not called again for the other tokens of a batch. One that returns any other number does, and one that
   has given nothing. */
static void cancelled_batch(int result) {
    script plan = {.result = result};
    ts_verifier *verifier = made(
        "{\"version\":1,\"issuers\":["
        "{\"profile\":\"token\",\"issuer\":\"https://a.example\",\"audience\":\"api\",\"keys\":{\"jwks_uri\":\"https://a.example/k\"}},"
        "{\"profile\":\"token\",\"issuer\":\"https://b.example\",\"audience\":\"api\",\"keys\":{\"jwks_uri\":\"https://b.example/k\"}}]}",
        play, &plan);
    const char *claims[2] = {"{\"iss\":\"https://a.example\",\"aud\":\"api\"}", "{\"iss\":\"https://b.example\",\"aud\":\"api\"}"};
    const char *tokens[3] = {NULL, NULL, "x"};
    size_t lengths[3] = {0, 0, 1};
    ts_signer *signer = NULL;
    ts_buffer *issued[2] = {NULL, NULL};
    ts_token *verified[3] = {NULL, NULL, NULL};
    ts_error *errors[3] = {NULL, NULL, NULL};
    const char *codes[3] = {"fetch_cancelled", "fetch_cancelled", "not_compact"};
    DONE(ts_signer_create(BYTES(PRIVATE_KEY), "ES256", NULL, &signer, &error));
    for (int index = 0; index < 2; index++) {
        DONE(ts_signer_issue(signer, TEXT(claims[index]), 0, then, &issued[index], &error));
        tokens[index] = text_of(issued[index]);
        lengths[index] = ts_buffer_length(issued[index]);
    }
    for (int round = 1; round < 3; round++) {
        DONE(ts_verifier_verify_batch(verifier, tokens, lengths, 3, then, 60000, verified, errors, &error));
        for (int index = 0; index < 3; index++) {
            CHECK(verified[index] == NULL && strcmp(ts_error_code(errors[index]), codes[index]) == 0);
            ts_error_free(errors[index]);
        }
        CHECK(plan.calls == round);
    }
    for (int index = 0; index < 2; index++) ts_buffer_free(issued[index]);
    ts_signer_free(signer);
    ts_verifier_free(verifier);
}

/* The time of a call that is less than that of a fetch says nothing about the server. */
static void little_time(void) {
    script plan = {.result = TS_FETCH_FAILED, .waits = 1};
    ts_verifier *verifier = made(FETCHED, play, &plan);
    ts_token *verified = NULL;
    REFUSED(ts_verifier_verify(verifier, TEXT(token), then, 10, &verified, &error), "timed_out");
    REFUSED(ts_verifier_refresh(verifier, 10, NULL, &error), "timed_out");
    CHECK(plan.calls == 2);
    plan = (script){.status = 200, .body = keys, .result = TS_FETCH_DONE};
    verifies(verifier, 60000);
    ts_verifier_free(verifier);
}

/* A function that gives up says nothing about the server: the next call fetches. */
static void cancelled(void) {
    script plan = {.result = TS_FETCH_CANCELLED};
    ts_verifier *verifier = made(FETCHED, play, &plan);
    ts_token *verified = NULL;
    REFUSED(ts_verifier_verify(verifier, TEXT(token), then, 60000, &verified, &error), "fetch_cancelled");
    REFUSED(ts_verifier_refresh(verifier, 60000, NULL, &error), "fetch_cancelled");
    /* Also after a body that is too large. */
    plan = (script){.result = TS_FETCH_CANCELLED, .extra = (256 << 10) + 1};
    REFUSED(ts_verifier_verify(verifier, TEXT(token), then, 60000, &verified, &error), "fetch_cancelled");
    plan = (script){.result = TS_FETCH_DONE, .status = 200, .body = keys};
    verifies(verifier, 60000);
    ts_verifier_free(verifier);
}

/* A function that calls the library with the verifier that it fetches for. */
static void reentered(void) {
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = keys, .within = token, .expected = "fetch_reentered"};
    ts_verifier *verifier = plan.verifier = made(FETCHED, play, &plan);
    verifies(verifier, 60000);
    CHECK(plan.calls == 1);
    ts_verifier_free(verifier);
    plan.calls = 0;
    verifier = plan.verifier = made(FETCHED, play, &plan);
    DONE(ts_verifier_refresh(verifier, 60000, NULL, &error));
    CHECK(plan.calls == 1);
    ts_verifier_free(verifier);
}

static int nested(void *context, ts_fetch *fetch) {
    verifies(*(ts_verifier **)context, 60000);
    return respond(fetch, 200, "application/json", keys);
}

/* The functions of two verifiers that need each other. */
static void nested_verifiers(void) {
    script inner = {.result = TS_FETCH_DONE, .status = 200, .body = keys, .within = token, .expected = "fetch_reentered"};
    ts_verifier *second = made(FETCHED, play, &inner);
    ts_verifier *first = inner.verifier = made(FETCHED, nested, &second);
    verifies(first, 60000);
    CHECK(inner.calls == 1);
    ts_verifier_free(first);
    ts_verifier_free(second);
}

typedef struct {
    ts_verifier *verifier;
    uint32_t timeout;
    const char *code;
} call;

static void *verify(void *argument) {
    call *each = argument;
    ts_token *verified = NULL;
    ts_error *error = NULL;
    int status = ts_verifier_verify(each->verifier, TEXT(token), then, each->timeout, &verified, &error);
    int failed = each->code ? status != 1 || strcmp(ts_error_code(error), each->code) != 0 : status != 0;
    if (failed) fprintf(stderr, "%s: %s\n", error ? ts_error_code(error) : "verified", error ? ts_error_message(error) : "");
    ts_error_free(error);
    ts_token_free(verified);
    return failed ? (void *)1 : NULL;
}

static void ends_well(pthread_t thread) {
    void *failed = NULL;
    pthread_join(thread, &failed);
    CHECK(failed == NULL);
}

/* A function that blocks: others wait for it no longer than they want to, and have the keys when it has them. */
static void one_fetch_for_all(void) {
    begin();
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = keys, .blocks = 1};
    ts_verifier *verifier = made(FETCHED, play, &plan);
    call first = {verifier, 600000, NULL}, other = {verifier, 600000, NULL};
    pthread_t all[9];
    CHECK(pthread_create(&all[0], NULL, verify, &first) == 0);
    wait_until(&blocked, 1);
    ts_token *verified = NULL;
    REFUSED(ts_verifier_verify(verifier, TEXT(token), then, 0, &verified, &error), "keys_not_held");
    REFUSED(ts_verifier_verify(verifier, TEXT(token), then, 10, &verified, &error), "timed_out");
    for (int index = 1; index < 9; index++) CHECK(pthread_create(&all[index], NULL, verify, &other) == 0);
    set(&released, 1);
    for (int index = 0; index < 9; index++) ends_well(all[index]);
    CHECK(plan.calls == 1);
    ts_verifier_free(verifier);
}

/* A function that never comes back in time: another thread fetches in its place, and what it has at last is not used. */
static void a_fetch_is_taken_over(void) {
    begin();
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = keys, .blocks = 1};
    ts_verifier *verifier = made(FETCHED, play, &plan);
    call first = {verifier, 10, NULL};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, verify, &first) == 0);
    wait_until(&blocked, 1);
    verifies(verifier, 600000);
    CHECK(plan.calls == 2);
    set(&released, 1);
    /* It has the keys of the other one. */
    ends_well(thread);
    verifies(verifier, 0);
    ts_verifier_free(verifier);
}

/* A child of a process that has verified: it has the keys, fetches others, and makes verifiers. */
static void forks(void) {
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = keys};
    ts_verifier *used = made(FETCHED, play, &plan), *unused = made(FETCHED, play, &plan);
    verifies(used, 60000);
    pid_t child = fork();
    if (child == 0) {
        failures = 0;
        alarm(600);
        verifies(used, 0);
        verifies(unused, 60000);
        ts_verifier *new = made(FETCHED, play, &plan);
        verifies(new, 60000);
        DONE(ts_verifier_refresh(new, 60000, NULL, &error));
        pid_t grandchild = fork();
        if (grandchild == 0) {
            failures = 0;
            verifies(new, 0);
            _exit(failures != 0);
        }
        child_ends_well(grandchild);
        ts_verifier_free(new);
        ts_verifier_free(used);
        ts_verifier_free(unused);
        _exit(failures != 0);
    }
    child_ends_well(child);
    ts_verifier_free(used);
    ts_verifier_free(unused);
}

/* A fork while another thread fetches, which the child does not have: it waits for nobody. */
static void forks_during_a_fetch(void) {
    begin();
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = keys, .blocks = 1};
    ts_verifier *verifier = made(FETCHED, play, &plan);
    call first = {verifier, 600000, NULL};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, verify, &first) == 0);
    wait_until(&blocked, 1);
    pid_t child = fork();
    if (child == 0) {
        failures = 0;
        alarm(600);
        verifies(verifier, 60000);
        CHECK(plan.calls == 2);
        _exit(failures != 0);
    }
    child_ends_well(child);
    set(&released, 1);
    pthread_join(thread, NULL);
    ts_verifier_free(verifier);
}

/* Discovery: two documents, each with the limits. */
static int discover(void *context, ts_fetch *fetch) {
    int *calls = context;
    if (++*calls == 1) {
        CHECK(strcmp(ts_fetch_url(fetch), "https://op.example/.well-known/openid-configuration") == 0);
        return respond(fetch, 200, "application/json", "{\"issuer\":\"https://op.example\",\"jwks_uri\":\"https://op.example/k?a=b\"}");
    }
    CHECK(strcmp(ts_fetch_url(fetch), "https://op.example/k?a=b") == 0);
    return respond(fetch, 200, "application/json", "{\"keys\":[{" PUBLIC_KEY "}]}");
}

static void discovery(void) {
    int calls = 0;
    ts_verifier *verifier = made(
        "{\"version\":1,\"issuers\":[{\"profile\":\"token\",\"issuer\":\"https://op.example\",\"audience\":\"api\"}]}", discover, &calls);
    ts_signer *signer = NULL;
    ts_buffer *issued = NULL;
    ts_token *verified = NULL;
    DONE(ts_signer_create(BYTES(PRIVATE_KEY), "ES256", NULL, &signer, &error));
    DONE(ts_signer_issue(signer, TEXT("{\"iss\":\"https://op.example\",\"aud\":\"api\"}"), 0, then, &issued, &error));
    DONE(ts_verifier_verify(verifier, text_of(issued), ts_buffer_length(issued), then, 60000, &verified, &error));
    CHECK(calls == 2);
    ts_token_free(verified);
    ts_buffer_free(issued);
    ts_signer_free(signer);
    ts_verifier_free(verifier);
}

/* A token that names an unknown key: the set is searched once, and tokens with known keys are verified meanwhile. */
static void searches(void) {
    const char *policy = "{\"version\":1,\"issuers\":[{\"profile\":\"token\",\"issuer\":\"https://op.example\",\"audience\":\"api\","
        "\"keys\":{\"jwks_uri\":\"" ADDRESS "\"}}]}";
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = "{\"keys\":[{" PUBLIC_KEY "}]}"};
    ts_verifier *verifier = plan.verifier = made(policy, play, &plan);
    ts_signer *signers[2] = {NULL, NULL};
    ts_buffer *issued[2] = {NULL, NULL};
    ts_token *verified = NULL;
    const char *private_keys[2] = {PRIVATE_KEY, "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"two\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
        "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\",\"d\":\"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI\"}"};
    for (int index = 0; index < 2; index++) {
        DONE(ts_signer_create(BYTES(private_keys[index]), "ES256", NULL, &signers[index], &error));
        DONE(ts_signer_issue(signers[index], TEXT("{\"iss\":\"https://op.example\",\"aud\":\"api\"}"), 0, then, &issued[index], &error));
    }
    const char *known = text_of(issued[0]), *unknown = text_of(issued[1]);
    DONE(ts_verifier_verify(verifier, TEXT(known), then, 60000, &verified, &error));
    ts_token_free(verified);
    REFUSED(ts_verifier_verify(verifier, TEXT(unknown), then, 0, &verified, &error), "key_not_found");
    CHECK(plan.calls == 1);
    /* One that is given up is not that one. */
    plan.result = TS_FETCH_CANCELLED;
    REFUSED(ts_verifier_verify(verifier, TEXT(unknown), then, 60000, &verified, &error), "fetch_cancelled");
    CHECK(plan.calls == 2);
    plan.result = TS_FETCH_DONE;
    plan.within = unknown;
    plan.expected = "fetch_reentered";
    REFUSED(ts_verifier_verify(verifier, TEXT(unknown), then, 60000, &verified, &error), "key_not_found");
    REFUSED(ts_verifier_verify(verifier, TEXT(unknown), then, 60000, &verified, &error), "key_not_found");
    CHECK(plan.calls == 3);
    for (int index = 0; index < 2; index++) {
        ts_buffer_free(issued[index]);
        ts_signer_free(signers[index]);
    }
    ts_verifier_free(verifier);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    token = contents(arguments[1]);
    keys = contents(arguments[2]);
    CHECK(ts_fetch_url(NULL) == NULL && ts_fetch_trust_roots(NULL) == NULL);
    CHECK(ts_fetch_method(NULL) == NULL && ts_fetch_body(NULL, NULL) == NULL);
    CHECK(ts_fetch_size_limit(NULL) == 0 && ts_fetch_timeout_ms(NULL) == 0);
    fetched_once();
    refusals();
    large_heads();
    cancelled();
    cancelled_batch(TS_FETCH_CANCELLED);
    cancelled_batch(TS_FETCH_DONE);
    cancelled_batch(1);
    cancelled_batch(2);
    cancelled_batch(-1);
    little_time();
    reentered();
    nested_verifiers();
    discovery();
    searches();
    CHECK(number_of_threads() == 1);
    one_fetch_for_all();
    a_fetch_is_taken_over();
    forks();
    forks_during_a_fetch();
    CHECK(number_of_threads() == 1);
    free(token);
    free(keys);
    printf("fetches: %s\n", failures ? "failed" : "passed");
    return failures != 0;
}
