/* Verifiers, tokens, signers, lifetimes, errors. */
#include "check.h"

#include <pthread.h>

#define POOL_POLICY \
    "{\"version\":1,\"issuers\":[{\"profile\":\"cognito-user-pool\",\"pool\":\"eu-west-1_Example01\",\"use\":\"access\"," \
    "\"client_ids\":[\"1h57kf5cpq17m0eml12EXAMPLE\"],\"keys\":\"given\"}]}"
#define OWN_POLICY \
    "{\"version\":1,\"issuers\":[{\"profile\":\"token\",\"issuer\":\"https://issuer.example\",\"audience\":\"api\"," \
    "\"algorithms\":[\"HS256\"],\"keys\":\"given\"}],\"cache_capacity\":100}"
#define SECRET_KEY "{\"kty\":\"oct\",\"alg\":\"HS256\",\"k\":\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\"}"

static const int64_t then = 1788598987; /* 2026-09-05T09:03:07Z */
static char *token, *keys;

static ts_verifier *made(const char *policy, const char *with) {
    ts_verifier *verifier = NULL;
    DONE(ts_verifier_create(TEXT(policy), with ? (const uint8_t *)with : NULL, with ? strlen(with) : 0, &verifier, &error));
    return verifier;
}

static void verifying(void) {
    ts_verifier *verifier = made(POOL_POLICY, keys);
    ts_token *verified = NULL;
    DONE(ts_verifier_verify(verifier, TEXT(token), then, 0, &verified, &error));
    size_t length = 0;
    CHECK(strcmp(ts_token_subject(verified, &length), "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53") == 0 && length == 36);
    CHECK(strcmp(ts_token_issuer(verified, NULL), "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01") == 0);
    CHECK(strstr(ts_token_claims(verified, &length), "\"token_use\"") != NULL && length == 507);
    CHECK(strstr(ts_token_header(verified, &length), "RS256") != NULL && length == 68);
    CHECK(ts_token_key_id(verified, NULL) != NULL);
    CHECK(ts_token_expiration(verified) == then + 50 * 60);
    /* A handle of another kind is refused, not read. */
    CHECK(ts_token_claims((ts_token *)verifier, &length) == NULL && length == 0);
    REFUSED(ts_verifier_verify((ts_verifier *)verified, TEXT(token), then, 0, &(ts_token *){NULL}, &error), "handle_wrong");
    ts_token_free(verified);

    REFUSED(ts_verifier_verify(verifier, TEXT(token), then + 3600, 0, &verified, &error), "token_expired");
    CHECK(verified == NULL);
    REFUSED(ts_verifier_verify(verifier, TEXT(token), TS_NOW, 0, &verified, &error), "token_expired");
    REFUSED(ts_verifier_verify(verifier, token, strlen(token) - 1, then, 0, &verified, &error), "base64url_length");
    REFUSED(ts_verifier_verify(verifier, "", 0, then, 0, &verified, &error), "token_empty");
    REFUSED(ts_verifier_verify(verifier, NULL, 0, then, 0, &verified, &error), "token_empty");
    REFUSED(ts_verifier_verify(verifier, NULL, 5, then, 0, &verified, &error), "argument_missing");
    REFUSED(ts_verifier_verify(verifier, "\xff\xfe", 2, then, 0, &verified, &error), "argument_not_utf8");
    REFUSED(ts_verifier_verify(verifier, token, (size_t)-1, then, 0, &verified, &error), "argument_too_long");
    REFUSED(ts_verifier_verify(NULL, TEXT(token), then, 0, &verified, &error), "argument_missing");
    REFUSED(ts_verifier_verify(verifier, TEXT(token), then, 0, NULL, &error), "argument_missing");
    CHECK(ts_verifier_verify(verifier, TEXT(token), then + 3600, 0, &verified, NULL) == 1);
    /* Times at both ends are no trap. */
    REFUSED(ts_verifier_verify(verifier, TEXT(token), INT64_MAX, 0, &verified, &error), "token_expired");
    CHECK(ts_verifier_verify(verifier, TEXT(token), INT64_MIN + 1, 0, &verified, NULL) == 1);

    ts_error *error = NULL;
    CHECK(ts_verifier_verify(verifier, TEXT(token), then + 3600, 0, &verified, &error) == 1);
    CHECK(strstr(ts_error_message(error), "2026-09-05T09:53:07Z") != NULL);
    CHECK(strstr(ts_error_evidence(error), "\"2026-09-05T09:53:07Z\"") != NULL);
    ts_error_free(error);

    ts_buffer *json = NULL;
    DONE(ts_verifier_explain(verifier, TEXT(token), then, 10000, &json, &error));
    CHECK(strstr(text_of(json), "\"valid\":true") != NULL && strstr(text_of(json), "\"outcome\":\"passed\"") != NULL);
    ts_buffer_free(json);
    DONE(ts_verifier_explain(verifier, TEXT(token), then + 3600, 10000, &json, &error));
    CHECK(strstr(text_of(json), "\"code\":\"token_expired\"") != NULL && strstr(text_of(json), "\"claims\":null") != NULL);
    ts_buffer_free(json);
    int64_t next = 0;
    DONE(ts_verifier_refresh(verifier, 0, &next, &error));
    CHECK(next == INT64_MAX);
    ts_verifier_free(verifier);
}

static void batches(void) {
    ts_verifier *verifier = made(POOL_POLICY, keys);
    const char *tokens[4] = {token, "a.b.c", NULL, token};
    size_t lengths[4] = {strlen(token), 5, 3, strlen(token)};
    ts_token *verified[4];
    ts_error *errors[4];
    DONE(ts_verifier_verify_batch(verifier, tokens, lengths, 4, then, 0, verified, errors, &error));
    CHECK(verified[0] && verified[3] && !verified[1] && !verified[2]);
    CHECK(!errors[0] && !errors[3] && errors[1] && strcmp(ts_error_code(errors[2]), "argument_missing") == 0);
    for (int index = 0; index < 4; index++) {
        ts_token_free(verified[index]);
        ts_error_free(errors[index]);
    }
    DONE(ts_verifier_verify_batch(verifier, tokens, lengths, 2, then, 0, verified, NULL, &error));
    ts_token_free(verified[0]);
    DONE(ts_verifier_verify_batch(verifier, NULL, NULL, 0, then, 0, NULL, NULL, &error));
    REFUSED(ts_verifier_verify_batch(verifier, NULL, lengths, 1, then, 0, verified, NULL, &error), "argument_missing");
    REFUSED(ts_verifier_verify_batch(verifier, tokens, lengths, (size_t)1 << 40, then, 0, verified, NULL, &error), "argument_out_of_range");
    /* After an error of the call there is nothing to free. */
    verified[0] = (ts_token *)verified;
    REFUSED(ts_verifier_verify_batch(NULL, tokens, lengths, 1, then, 0, verified, NULL, &error), "argument_missing");
    CHECK(verified[0] == NULL);
    ts_verifier_free(verifier);
}

static void policies(void) {
    static const char *const refused[][2] = {
        {"", "json_empty"},
        {"{", "json_syntax"},
        {"[]", "policy_document_invalid"},
        {"{}", "policy_document_invalid"},
        {"{\"version\":2,\"issuers\":[]}", "policy_document_invalid"},
        {"{\"version\":1,\"version\":1,\"issuers\":[]}", "json_duplicate_name"},
        {"{\"version\":1,\"issuers\":[]}", "policy_document_invalid"},
        {"{\"version\":1,\"issuers\":[{\"profile\":\"none\"}]}", "policy_document_invalid"},
        {"{\"version\":1,\"issuers\":[{\"profile\":\"google\",\"client_ids\":[]}]}", "policy_document_invalid"},
        {"{\"version\":1,\"issuers\":[{\"profile\":\"google\",\"client_ids\":\"a\",\"audience\":\"b\"}]}", "policy_document_invalid"},
        {"{\"version\":1,\"issuers\":[{\"profile\":\"token\",\"issuer\":\"https://a.example\",\"audience\":\"b\",\"keys\":\"given\"}]}",
         "policy_document_invalid"},
        {"{\"version\":1,\"issuers\":[{\"profile\":\"token\",\"issuer\":\"https://a.example\",\"audience\":\"b\",\"keys\":"
         "{\"jwks_uri\":\"a.example\"}}]}", "address_invalid"},
        {"{\"version\":1,\"issuers\":[{\"profile\":\"cognito-user-pool\",\"pool\":\"x\",\"use\":\"id\",\"client_ids\":\"a\"}]}",
         "identifier_invalid"},
    };
    ts_verifier *verifier = NULL;
    for (size_t index = 0; index < sizeof refused / sizeof *refused; index++) {
        REFUSED(ts_verifier_create(TEXT(refused[index][0]), NULL, 0, &verifier, &error), refused[index][1]);
        CHECK(verifier == NULL);
    }
    REFUSED(ts_verifier_create(TEXT(POOL_POLICY), BYTES("no keys"), &verifier, &error), "key_unreadable");
    REFUSED(ts_verifier_create(TEXT("{\"version\":1,\"issuers\":[{\"profile\":\"google\",\"client_ids\":\"a\"}]}"),
                BYTES(SECRET_KEY), &verifier, &error), "policy_document_invalid");
    ts_verifier_free(NULL);
}

static void issuing(void) {
    ts_signer *signer = NULL;
    DONE(ts_signer_create(BYTES(SECRET_KEY), NULL, NULL, &signer, &error));
    ts_buffer *issued = NULL;
    const char *claims = "{\"iss\":\"https://issuer.example\",\"aud\":\"api\",\"sub\":\"jane\"}";
    DONE(ts_signer_issue(signer, TEXT(claims), 0, then, &issued, &error));
    ts_verifier *verifier = made(OWN_POLICY, SECRET_KEY);
    ts_token *verified = NULL;
    for (int times = 0; times < 3; times++) {
        DONE(ts_verifier_verify(verifier, text_of(issued), ts_buffer_length(issued), then + 60, 0, &verified, &error));
        CHECK(strcmp(ts_token_subject(verified, NULL), "jane") == 0);
        CHECK(ts_token_expiration(verified) == then + 900);
        ts_token_free(verified);
    }
    REFUSED(ts_verifier_verify(verifier, text_of(issued), ts_buffer_length(issued), then + 900, 0, &verified, &error), "token_expired");
    ts_verifier_free(verifier);
    ts_buffer_free(issued);
    REFUSED(ts_signer_issue(signer, TEXT(claims), 86401, then, &issued, &error), "lifetime_refused");
    REFUSED(ts_signer_issue(signer, TEXT(claims), -1, then, &issued, &error), "lifetime_refused");
    REFUSED(ts_signer_issue(signer, TEXT("[]"), 0, then, &issued, &error), "argument_out_of_range");
    REFUSED(ts_signer_issue(signer, TEXT("{\"a\":1,\"a\":2}"), 0, then, &issued, &error), "json_duplicate_name");
    ts_signer_free(signer);
    REFUSED(ts_signer_create(BYTES(SECRET_KEY), "RS256", NULL, &signer, &error), "key_alg_mismatch");
    REFUSED(ts_signer_create(BYTES(SECRET_KEY), "none", NULL, &signer, &error), "argument_out_of_range");
    REFUSED(ts_signer_create(BYTES(SECRET_KEY), NULL, "forever", &signer, &error), "argument_out_of_range");

    int64_t granted = -1;
    DONE(ts_lifetime_check(NULL, 0, &granted, &error));
    CHECK(granted == 900);
    DONE(ts_lifetime_check("developer-token", 86400, &granted, &error));
    CHECK(granted == 86400);
    REFUSED(ts_lifetime_check("developer-token", INT64_MAX, &granted, &error), "duration_too_long");
    REFUSED(ts_lifetime_check("presigned-url", 0, &granted, &error), "duration_missing");
    REFUSED(ts_lifetime_check("x", 1, &granted, &error), "argument_out_of_range");
    REFUSED(ts_lifetime_check(NULL, 1, NULL, &error), "argument_missing");
}

static void *work(void *verifier) {
    for (int times = 0; times < 200; times++) {
        ts_token *verified = NULL;
        ts_error *error = NULL;
        int status = ts_verifier_verify(verifier, TEXT(token), times % 2 ? then : then + 3600, 0, &verified, &error);
        if (status != (times % 2 ? 0 : 1)) return (void *)1;
        if (status == 1 && strcmp(ts_error_code(error), "token_expired") != 0) return (void *)1;
        ts_token_claims(verified, NULL);
        ts_error_evidence(error);
        ts_token_free(verified);
        ts_error_free(error);
    }
    return NULL;
}

static void threads(void) {
    ts_verifier *verifier = made(POOL_POLICY, keys);
    pthread_t all[8];
    for (int index = 0; index < 8; index++) CHECK(pthread_create(&all[index], NULL, work, verifier) == 0);
    for (int index = 0; index < 8; index++) {
        void *failed = NULL;
        pthread_join(all[index], &failed);
        CHECK(failed == NULL);
    }
    ts_verifier_free(verifier);
}

/* Tests/Python/test_senders.py has proofs that are valid. */
static void senders(void) {
    ts_proof_verifier *verifier = NULL;
    REFUSED(ts_proof_verifier_create(0, &verifier, &error), "argument_out_of_range");
    CHECK(verifier == NULL);
    DONE(ts_proof_verifier_create(10, &verifier, &error));
    const char *url = "https://api.example/orders";
    REFUSED(ts_proof_verifier_verify(verifier, TEXT("abc"), "GET", url, TEXT(token), NULL, NULL, then, &error), "not_compact");
    REFUSED(ts_proof_verifier_verify(verifier, TEXT(token), "GET", url, TEXT(token), "a", "n", then, &error), "proof_key");
    REFUSED(ts_proof_verifier_verify(verifier, TEXT("abc"), "GET", "orders", TEXT(token), NULL, NULL, then, &error), "address_invalid");
    REFUSED(ts_proof_verifier_verify(verifier, TEXT("abc"), NULL, url, TEXT(token), NULL, NULL, then, &error), "argument_missing");
    REFUSED(ts_proof_verifier_verify(NULL, TEXT("abc"), "GET", url, TEXT(token), NULL, NULL, then, &error), "argument_missing");
    ts_proof_verifier_free(verifier);
    ts_proof_verifier_free(NULL);
    /* FIPS 180-4: the SHA-256 of "abc". */
    const char *thumbprint = "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0";
    DONE(ts_certificate_check(BYTES("abc"), thumbprint, &error));
    REFUSED(ts_certificate_check(BYTES("abd"), thumbprint, &error), "client_certificate_mismatch");
    REFUSED(ts_certificate_check(BYTES("abc"), NULL, &error), "client_certificate_mismatch");
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    token = contents(arguments[1]);
    keys = contents(arguments[2]);
    CHECK(ts_abi_version() == 4 && strlen(ts_version()) >= 5);
    CHECK(ts_error_code(NULL) == NULL && ts_error_message(NULL) == NULL && ts_error_evidence(NULL) == NULL);
    CHECK(ts_buffer_bytes(NULL) == NULL && ts_buffer_length(NULL) == 0);
    CHECK(ts_token_claims(NULL, NULL) == NULL && ts_token_expiration(NULL) == 0);
    ts_error_free(NULL);
    ts_buffer_free(NULL);
    ts_token_free(NULL);
    ts_signer_free(NULL);
    verifying();
    senders();
    batches();
    policies();
    issuing();
    threads();
    free(token);
    free(keys);
    printf("tokens: %s\n", failures ? "failed" : "passed");
    return failures != 0;
}
