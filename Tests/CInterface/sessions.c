/* Requests of sessions, whose keys a function of the caller asks for: one that answers, fails, blocks, or calls the library. */
#include "check.h"
#include "sessions.h"
#include "waiting.h"

static const int64_t then = 1788598987; /* 2026-09-05T09:03:07Z */
static const char *client = "203.0.113.7";

/* What a function that asks does, and what it has seen. */
typedef struct {
    int status, result;
    const char *body, *reason;
    size_t spaces;              /* bytes of spaces after the body */
    int waits, blocks, cancels; /* until its time is over; the first one until it is released, and gives up then */
    ts_session_keys *keys;      /* called from within, with this request */
    ts_request *within;
    const char *expected;
    int calls;
} script;

/* The code of the refusal of a request; empty if it is verified. */
static const char *verify(ts_session_keys *keys, ts_request *request, const char *address, int64_t now, int *status) {
    static const char *codes[] = {"", "access_key_unknown", "answer_malformed", "endpoint_unreachable", "fetch_cancelled",
        "fetch_function_missing", "fetch_reentered", "request_expired", "service_refused_call", "session_keys_busy", "session_refused",
        "signature_mismatch", "timed_out"};
    const char *found = "another one";
    ts_request_verifier *verifier = orders();
    ts_session *session = NULL;
    ts_error *error = NULL;
    int failed = ts_request_verifier_verify_session(verifier, keys, request, address, now, &session, &error);
    CHECK(failed == (error != NULL) && failed == (session == NULL));
    for (size_t index = 0; index < sizeof codes / sizeof *codes; index++)
        if (strcmp(failed ? ts_error_code(error) : "", codes[index]) == 0) found = codes[index];
    if (status) *status = ts_error_http_status(error);
    if (strcmp(found, "another one") == 0) fprintf(stderr, "%s: %s\n", ts_error_code(error), ts_error_message(error));
    ts_session_free(session);
    ts_error_free(error);
    ts_request_verifier_free(verifier);
    return found;
}

static int is(const char *code, ts_session_keys *keys, ts_request *request, int64_t now) {
    const char *found = verify(keys, request, client, now, NULL);
    if (strcmp(found, code) != 0) fprintf(stderr, "expected %s, not %s\n", code, found);
    return strcmp(found, code) == 0;
}

static int play(void *context, ts_fetch *fetch) {
    script *plan = context;
    pthread_mutex_lock(&lock);
    int first = ++plan->calls == 1;
    pthread_mutex_unlock(&lock);
    if (plan->blocks && first) {
        set(&blocked, 1);
        wait_until(&released, 1);
        if (plan->cancels) return TS_FETCH_CANCELLED;
    }
    if (plan->within) CHECK(is(plan->expected, plan->keys, plan->within, then));
    while (plan->waits && ts_fetch_timeout_ms(fetch) > 0) continue;
    if (plan->reason) ts_fetch_fail(fetch, plan->reason);
    if (plan->spaces) {
        uint8_t *spaces = calloc(1, plan->spaces);
        REFUSED(ts_fetch_add_body(fetch, spaces, plan->spaces, &error), "fetch_too_large");
        free(spaces);
    }
    if (plan->status) give(fetch, plan->status, plan->body);
    return plan->result;
}

/* What is sent. */
static int look(void *context, ts_fetch *fetch) {
    size_t length = 0, fields = 0;
    const char *name, *value, *authorization = NULL, *target = NULL, *type = NULL;
    const uint8_t *body = ts_fetch_body(fetch, &length);
    CHECK(strcmp(ts_fetch_method(fetch), "POST") == 0 && strcmp(ts_fetch_url(fetch), "https://id.example/") == 0);
    CHECK(body != NULL && length == strlen((const char *)body) && body == ts_fetch_body(fetch, NULL));
    CHECK(strstr((const char *)body, "\"AccessKeyId\":\"" SESSION_KEY "\"") != NULL);
    CHECK(strstr((const char *)body, "\"Day\":\"20260905\"") != NULL && strstr((const char *)body, SESSION_TOKEN) != NULL);
    for (; ts_fetch_header(fetch, fields, &name, &value); fields++) {
        if (strcmp(name, "Authorization") == 0) authorization = value;
        if (strcmp(name, "X-Amz-Target") == 0) target = value;
        if (strcmp(name, "Content-Type") == 0) type = value;
    }
    CHECK(authorization && strstr(authorization, "Credential=AKIAEXAMPLEEXAMPLE22/20260905/us-east-1/signing-keys/aws4_request") != NULL);
    CHECK(target && strcmp(target, "SigningKeyService.GetScopedSigningKey") == 0 && type != NULL);
    CHECK(ts_fetch_size_limit(fetch) == 1 << 20 && ts_fetch_timeout_ms(fetch) <= 10000 && ts_fetch_trust_roots(fetch) == NULL);
    return play(context, fetch);
}

static int equal(const char *text, const char *expected) { return text && strcmp(text, expected) == 0; }

static ts_session *verified(ts_session_keys *keys, const char *address) {
    ts_request_verifier *verifier = orders();
    ts_request *request = signed_request(SESSION_TOKEN, then);
    ts_session *session = NULL;
    DONE(ts_request_verifier_verify_session(verifier, keys, request, address, then, &session, &error));
    ts_request_free(request);
    ts_request_verifier_free(verifier);
    return session;
}

static void sessions(void) {
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = ANSWER};
    ts_session_keys *keys = session_keys(0, look, &plan);
    ts_session *session = verified(keys, client);
    const char *name = NULL, *value = NULL;
    CHECK(equal(ts_session_arn(session), "arn:aws:sts::123456789012:assumed-role/app-user/jane"));
    CHECK(equal(ts_session_role_arn(session), "arn:aws:iam::123456789012:role/app-user") && equal(ts_session_name(session), "jane"));
    CHECK(equal(ts_session_identity_id(session), "us-east-1:identity") && equal(ts_session_pool_id(session), "us-east-1:pool"));
    CHECK(equal(ts_session_source_identity(session), "jane@example.com") && ts_session_expiration(session) == then + 3600);
    CHECK(equal(ts_session_method(session, 0), "authenticated") && equal(ts_session_method(session, 1), "login.example"));
    CHECK(ts_session_method(session, 2) == NULL && ts_session_method(session, (size_t)-1) == NULL);
    CHECK(ts_session_tag(session, 0, &name, &value) == 1 && equal(name, "cost") && equal(value, "7"));
    CHECK(ts_session_tag(session, 1, &name, NULL) == 1 && equal(name, "team"));
    CHECK(ts_session_tag(session, 2, &name, &value) == 0 && name == NULL && value == NULL);
    CHECK(plan.calls == 1);

    DONE(ts_session_check(session, "orders:Read", "arn:aws:orders:::users/u-1/orders/17", NULL, NULL, 0, &error));
    REFUSED(ts_session_check(session, "orders:Read", "arn:aws:orders:::users/u-2/orders/17", NULL, NULL, 0, &error), "session_denied");
    REFUSED(ts_session_check(session, "orders:Read", NULL, NULL, NULL, 0, &error), "session_denied");
    /* The address of the request is a condition key, which cannot be replaced. */
    const char *names[] = {"aws:SourceIp", "orders:Label", "ORDERS:label"}, *values[] = {"198.51.100.1", "a", "b"};
    DONE(ts_session_check(session, "orders:List", NULL, names, values, 1, &error));
    /* All values of a name count. */
    DONE(ts_session_check(session, "orders:Label", NULL, names + 1, values + 1, 2, &error));
    values[2] = "c";
    REFUSED(ts_session_check(session, "orders:Label", NULL, names + 1, values + 1, 2, &error), "session_denied");
    REFUSED(ts_session_check(session, "orders:Label", NULL, NULL, NULL, 0, &error), "session_denied");

    ts_error *error = NULL;
    CHECK(ts_session_check(session, "orders:Read", "arn:aws:orders:::users/u-2/1", NULL, NULL, 0, &error) == 1);
    CHECK(ts_error_http_status(error) == 403 && strstr(ts_error_message(error), "orders:Read") != NULL);
    CHECK(strstr(ts_error_evidence(error), "\"reason\":\"access_not_allowed_by_identity\"") != NULL);
    ts_error_free(error);
    ts_buffer *json = NULL;
    DONE(ts_session_explain(session, "orders:Read", "arn:aws:orders:::users/u-2/1", NULL, NULL, 0, &json, &error));
    CHECK(strstr(text_of(json), "\"allowed\":false") != NULL && strstr(text_of(json), "access_resource_mismatch") != NULL);
    ts_buffer_free(json);
    DONE(ts_session_explain(session, "orders:List", NULL, NULL, NULL, 0, &json, &error));
    CHECK(strstr(text_of(json), "\"allowed\":true") != NULL);
    ts_buffer_free(json);

    const char *none[] = {NULL};
    REFUSED(ts_session_check(session, NULL, NULL, NULL, NULL, 0, &error), "argument_missing");
    REFUSED(ts_session_check(session, "orders:Read", NULL, NULL, values, 1, &error), "argument_missing");
    REFUSED(ts_session_check(session, "orders:Read", NULL, names, NULL, 1, &error), "argument_missing");
    REFUSED(ts_session_check(session, "orders:Read", NULL, none, values, 1, &error), "argument_missing");
    REFUSED(ts_session_check(session, "orders:Read", NULL, names, values, 1025, &error), "argument_out_of_range");
    REFUSED(ts_session_check(session, "\xff", NULL, NULL, NULL, 0, &error), "argument_not_utf8");
    REFUSED(ts_session_explain(session, "orders:Read", NULL, NULL, NULL, 0, NULL, &error), "argument_missing");
    ts_session_free(session);
    /* Of a client whose address is not known. */
    session = verified(keys, NULL);
    REFUSED(ts_session_check(session, "orders:List", NULL, NULL, NULL, 0, &error), "session_denied");
    ts_session_free(session);
    ts_session_keys_free(keys);
}

#define MAKE(endpoint, region, id, secret, capacity, timeout, roots) \
    ts_session_keys_create(endpoint, region, id, BYTES(secret), NULL, capacity, timeout, roots, &keys, &error)

static void arguments(void) {
    ts_session_keys *keys = NULL;
    ts_session *session = NULL;
    ts_request_verifier *verifier = orders();
    ts_request *request = signed_request(SESSION_TOKEN, then);
    REFUSED(MAKE("http://id.example", "us-east-1", "AKIA", "s", 0, 0, NULL), "client_configuration_invalid");
    REFUSED(MAKE("https://id.example/path", "us-east-1", "AKIA", "s", 0, 0, NULL), "client_configuration_invalid");
    REFUSED(MAKE("https://id.example", "x", "AKIA", "s", 0, 0, NULL), "client_configuration_invalid");
    REFUSED(MAKE("https://id.example", "us-east-1", "AKIA", "", 0, 0, NULL), "secret_empty");
    REFUSED(MAKE("https://id.example", "us-east-1", "AKIA", "s", 10000001, 0, NULL), "argument_out_of_range");
    REFUSED(MAKE("https://id.example", "us-east-1", "AKIA", "s", 0, 60001, NULL), "argument_out_of_range");
    REFUSED(MAKE("https://id.example", "us-east-1", "AKIA", "s", 0, 0, "/no/such/file"), "argument_out_of_range");
    REFUSED(MAKE("https://id.example", "us-east-1", "AKIA", "s", 0, 0, "Tests/CInterface/check.h"), "argument_out_of_range");
    REFUSED(MAKE(NULL, "us-east-1", "AKIA", "s", 0, 0, NULL), "argument_missing");
    REFUSED(MAKE("https://id.example", NULL, "AKIA", "s", 0, 0, NULL), "argument_missing");
    REFUSED(MAKE("https://id.example", "us-east-1", NULL, "s", 0, 0, NULL), "argument_missing");
    REFUSED(ts_session_keys_create("https://id.example", "us-east-1", "AKIA", NULL, 1, NULL, 0, 0, NULL, &keys, &error), "argument_missing");
    REFUSED(ts_session_keys_create("https://id.example", "us-east-1", "AKIA", BYTES("s"), NULL, 0, 0, NULL, NULL, &error), "argument_missing");
    CHECK(keys == NULL);
    DONE(MAKE("http://127.0.0.1:8008", "us-east-1", "AKIA", "s", 1, 60000, NULL));
    int status = 0;
    CHECK(equal(verify(keys, request, client, then, &status), "fetch_function_missing") && status == 503);
    REFUSED(ts_request_verifier_verify_session(verifier, keys, request, "\xff", then, &session, &error), "argument_not_utf8");
    REFUSED(ts_request_verifier_verify_session(verifier, keys, request, NULL, then, NULL, &error), "argument_missing");
    REFUSED(ts_request_verifier_verify_session(verifier, NULL, request, NULL, then, &session, &error), "argument_missing");
    REFUSED(ts_request_verifier_verify_session(verifier, (ts_session_keys *)request, request, NULL, then, &session, &error), "handle_wrong");
    ts_error *error = NULL;
    CHECK(ts_request_verifier_verify_session(verifier, keys, NULL, NULL, then, &session, &error) == 1 && ts_error_http_status(error) == 0);
    ts_error_free(error);
    CHECK(ts_session_arn(NULL) == NULL && ts_session_method(NULL, 0) == NULL && ts_session_expiration(NULL) == 0);
    CHECK(ts_session_tag(NULL, 0, NULL, NULL) == 0 && ts_error_http_status(NULL) == 0);
    ts_request_free(request);
    ts_request_verifier_free(verifier);
    ts_session_keys_free(keys);
}

/* A session that cannot be asked for is refused each time, after a question of its own. */
static void refused_with(script plan, const char *code, int expected) {
    ts_session_keys *keys = session_keys(plan.waits ? 10 : 60000, play, &plan);
    ts_request *request = signed_request(SESSION_TOKEN, then);
    for (int round = 1; round < 3; round++) {
        int status = 0;
        const char *found = verify(keys, request, client, then, &status);
        if (strcmp(found, code) != 0 || status != expected || plan.calls != round) {
            fprintf(stderr, "expected %s, not %s; status %d, %d calls\n", code, found, status, plan.calls);
            failures++;
        }
    }
    plan = (script){.result = TS_FETCH_DONE, .status = 200, .body = ANSWER};
    if (expected == 503 && !plan.waits) CHECK(is("", keys, request, then));
    ts_request_free(request);
    ts_session_keys_free(keys);
}

static void refusals(void) {
    refused_with((script){.result = TS_FETCH_FAILED, .reason = "no route to the moon"}, "endpoint_unreachable", 503);
    refused_with((script){.result = TS_FETCH_FAILED}, "endpoint_unreachable", 503);
    refused_with((script){.result = TS_FETCH_DONE, .reason = "cut", .status = 200, .body = ANSWER}, "endpoint_unreachable", 503);
    refused_with((script){.result = TS_FETCH_DONE}, "fetch_cancelled", 503);
    refused_with((script){.result = TS_FETCH_CANCELLED, .status = 200, .body = ANSWER}, "fetch_cancelled", 503);
    refused_with((script){.result = 1, .status = 200, .body = ANSWER}, "fetch_cancelled", 503);
    refused_with((script){.result = TS_FETCH_DONE, .status = 200, .body = ANSWER, .spaces = (1 << 20) + 1}, "answer_malformed", 503);
    refused_with((script){.result = TS_FETCH_DONE, .status = 200, .body = "{"}, "answer_malformed", 503);
    refused_with((script){.result = TS_FETCH_DONE, .status = 200, .body = "{" SESSION}, "answer_malformed", 503);
    refused_with((script){.result = TS_FETCH_DONE, .status = 200, .body = "{\"SigningKey\":\"AAAA\"," SESSION}, "answer_malformed", 503);
    refused_with((script){.result = TS_FETCH_DONE, .status = 302, .body = ""}, "answer_malformed", 503);
    refused_with((script){.result = TS_FETCH_DONE, .status = 503, .body = "<html>"}, "endpoint_unreachable", 503);
    refused_with((script){.result = TS_FETCH_DONE, .status = 400, .body = "{\"__type\":\"AccessDeniedException\"}"}, "service_refused_call", 503);
    refused_with((script){.result = TS_FETCH_DONE, .status = 200, .body = ANSWER, .waits = 1}, "endpoint_unreachable", 503);
    refused_with((script){.result = TS_FETCH_FAILED, .waits = 1}, "endpoint_unreachable", 503);
}

/* A refused session is not asked for again for ten seconds, and a known one for as long as the answer says. */
static void answers_are_kept(void) {
    script plan = {.result = TS_FETCH_DONE, .status = 400, .body = "{\"__type\":\"InvalidSessionException\",\"message\":\"revoked\"}"};
    ts_session_keys *keys = session_keys(0, play, &plan);
    ts_request *request = signed_request(SESSION_TOKEN, then);
    int status = 0;
    CHECK(equal(verify(keys, request, client, then, &status), "session_refused") && status == 403);
    CHECK(is("session_refused", keys, request, then + 9) && plan.calls == 1);
    plan = (script){.result = TS_FETCH_DONE, .status = 200, .body = ANSWER, .calls = 1};
    CHECK(is("", keys, request, then + 10) && plan.calls == 2);
    CHECK(is("", keys, request, then + 69) && plan.calls == 2);
    DONE(ts_session_keys_set_fetch(keys, NULL, NULL, &error));
    CHECK(is("", keys, request, then + 69) && is("fetch_function_missing", keys, request, then + 70));
    DONE(ts_session_keys_set_fetch(keys, play, &plan, &error));
    /* The session itself ends. */
    ts_request *late = signed_request(SESSION_TOKEN, then + 3599);
    CHECK(is("", keys, late, then + 3599) && is("", keys, late, then + 3599) && plan.calls == 3);
    plan.status = 503;
    CHECK(is("endpoint_unreachable", keys, late, then + 3600) && plan.calls == 4);
    ts_request_free(late);
    ts_request_free(request);
    ts_session_keys_free(keys);
}

/* What is refused without a question, and what after one. */
static void signatures(void) {
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = ANSWER};
    ts_session_keys *keys = session_keys(0, play, &plan);
    ts_request *request = signed_request(SESSION_TOKEN, then), *stranger = signed_request("TS1.AAAA", then), *without = signed_request(NULL, then);
    int status = 0;
    CHECK(is("access_key_unknown", keys, stranger, then) && is("access_key_unknown", keys, without, then));
    CHECK(is("request_expired", keys, request, then + 1000) && plan.calls == 0);
    DONE(ts_request_set_body(request, BYTES("{}"), &error));
    CHECK(equal(verify(keys, request, client, then, &status), "signature_mismatch") && status == 403 && plan.calls == 1);
    ts_request_free(without);
    ts_request_free(stranger);
    ts_request_free(request);
    ts_session_keys_free(keys);
}

typedef struct {
    ts_session_keys *keys;
    const char *token, *code;
} caller;

static void *call(void *argument) {
    caller *each = argument;
    ts_request *request = signed_request(each->token, then);
    int is_right = is(each->code, each->keys, request, then);
    ts_request_free(request);
    return is_right ? NULL : (void *)1;
}

static pthread_t started(caller *each) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, call, each) == 0);
    return thread;
}

static void ends_well(pthread_t thread) {
    void *failed = NULL;
    pthread_join(thread, &failed);
    CHECK(failed == NULL);
}

/* Of equal questions at the same time one is sent, and those of other sessions meanwhile. */
static void one_question_for_all(void) {
    begin();
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = ANSWER, .blocks = 1};
    ts_session_keys *keys = session_keys(60000, play, &plan);
    caller same = {keys, SESSION_TOKEN, ""}, other = {keys, SESSION_TOKEN TEN, ""};
    pthread_t threads[9];
    threads[0] = started(&same);
    wait_until(&blocked, 1);
    for (int index = 1; index < 9; index++) threads[index] = started(&same);
    ends_well(started(&other));
    CHECK(plan.calls == 2);
    set(&released, 1);
    for (int index = 0; index < 9; index++) ends_well(threads[index]);
    CHECK(plan.calls == 2);
    ts_session_keys_free(keys);
}

/* Where a function gives up, one of those that wait asks. */
static void a_question_is_given_up(void) {
    begin();
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = ANSWER, .blocks = 1, .cancels = 1};
    ts_session_keys *keys = session_keys(60000, play, &plan);
    caller first = {keys, SESSION_TOKEN, "fetch_cancelled"}, other = {keys, SESSION_TOKEN, ""};
    pthread_t one = started(&first);
    wait_until(&blocked, 1);
    pthread_t two = started(&other), three = started(&other);
    set(&released, 1);
    ends_well(one);
    ends_well(two);
    ends_well(three);
    CHECK(plan.calls == 2);
    ts_session_keys_free(keys);
}

/* A function that never comes back in time: others wait for their time alone, and at last one asks in its place. */
static void a_question_is_taken_over(void) {
    begin();
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = ANSWER, .blocks = 1};
    ts_session_keys *keys = session_keys(10, play, &plan);
    caller first = {keys, SESSION_TOKEN, "endpoint_unreachable"};
    ts_request *request = signed_request(SESSION_TOKEN, then);
    pthread_t thread = started(&first);
    int status = 0, waited = 0;
    const char *found;
    wait_until(&blocked, 1);
    while (strcmp(found = verify(keys, request, client, then, &status), "timed_out") == 0 && status == 503) waited = 1;
    /* On a busy machine its own ten milliseconds may be over. */
    CHECK(waited && (strcmp(found, "") == 0 || strcmp(found, "endpoint_unreachable") == 0) && plan.calls == 2);
    set(&released, 1);
    ends_well(thread);
    ts_request_free(request);
    ts_session_keys_free(keys);
}

/* A function that calls the library with the keys that it asks for. */
static void reentered(void) {
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = ANSWER, .expected = "fetch_reentered"};
    ts_session_keys *keys = plan.keys = session_keys(0, play, &plan);
    ts_request *request = plan.within = signed_request(SESSION_TOKEN, then);
    CHECK(is("", keys, request, then) && plan.calls == 1);
    ts_request_free(request);
    ts_session_keys_free(keys);
}

static int deepest, depth;

static int answer(void *context, ts_fetch *fetch) {
    (void)context;
    return give(fetch, 200, ANSWER);
}

/* The questions of its parent are none of a child. */
static void forked_within(ts_session_keys *keys, ts_request *request) {
    pid_t child = fork();
    if (child == 0) {
        failures = 0;
        alarm(600);
        DONE(ts_session_keys_set_fetch(keys, answer, NULL, &error));
        CHECK(is("", keys, request, then));
        _exit(failures != 0);
    }
    child_ends_well(child);
}

/* Asks for another session from within, until there are too many questions. */
static int nest(void *context, ts_fetch *fetch) {
    char token[160];
    ts_request *other;
    snprintf(token, sizeof token, "%s%d", SESSION_TOKEN, ++depth);
    deepest = depth;
    other = signed_request(token, then);
    CHECK(is(depth == 8 ? "session_keys_busy" : "", *(ts_session_keys **)context, other, then));
    if (depth == 8) forked_within(*(ts_session_keys **)context, other);
    ts_request_free(other);
    depth--;
    return give(fetch, 200, ANSWER);
}

/* One address has an eighth of 64 questions at the same time. */
static void many_questions(void) {
    ts_session_keys *keys = NULL;
    keys = session_keys(0, nest, &keys);
    ts_request *request = signed_request(SESSION_TOKEN, then);
    CHECK(is("", keys, request, then) && deepest == 8 && depth == 0);
    ts_request_free(request);
    ts_session_keys_free(keys);
}

/* A child has what was kept, asks for the rest itself, and waits for no thread that it does not have. */
static void forks_during_questions(void) {
    begin();
    script plan = {.result = TS_FETCH_DONE, .status = 200, .body = ANSWER, .blocks = 1}, quick = {.result = TS_FETCH_DONE, .status = 200, .body = ANSWER};
    ts_session_keys *keys = session_keys(60000, play, &quick);
    ts_request *known = signed_request(SESSION_TOKEN, then), *asked = signed_request(SESSION_TOKEN TEN, then);
    CHECK(is("", keys, known, then));
    DONE(ts_session_keys_set_fetch(keys, play, &plan, &error));
    caller other = {keys, SESSION_TOKEN TEN, ""};
    pthread_t thread = started(&other);
    wait_until(&blocked, 1);
    pid_t child = fork();
    if (child == 0) {
        failures = 0;
        alarm(600);
        CHECK(is("", keys, known, then) && plan.calls == 1);
        CHECK(is("", keys, asked, then) && plan.calls == 2);
        _exit(failures != 0);
    }
    child_ends_well(child);
    set(&released, 1);
    ends_well(thread);
    CHECK(plan.calls == 1 && quick.calls == 1);
    ts_request_free(asked);
    ts_request_free(known);
    ts_session_keys_free(keys);
}

int main(void) {
    sessions();
    arguments();
    refusals();
    answers_are_kept();
    signatures();
    reentered();
    many_questions();
    CHECK(number_of_threads() == 1);
    one_question_for_all();
    a_question_is_given_up();
    a_question_is_taken_over();
    forks_during_questions();
    CHECK(number_of_threads() == 1);
    printf("sessions: %s\n", failures ? "failed" : "passed");
    return failures != 0;
}
