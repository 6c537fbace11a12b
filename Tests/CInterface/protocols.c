/* Signed requests, sign-ins by password, one-time codes. */
#include "check.h"

static const int64_t then = 1788598987; /* 2026-09-05T09:03:07Z */

static ts_request *request(const char *method, const char *target, const char *host, const char *body) {
    ts_request *request = NULL;
    DONE(ts_request_create(method, target, &request, &error));
    if (host) DONE(ts_request_add_header(request, "Host", host, &error));
    DONE(ts_request_set_body(request, BYTES(body), &error));
    return request;
}

static const char *header(ts_request *request, const char *wanted) {
    const char *name, *value;
    for (size_t index = 0; ts_request_header(request, index, &name, &value); index++)
        if (strcmp(name, wanted) == 0) return value;
    return NULL;
}

#define SIGN(request, secret, session, now) \
    ts_request_sign(request, "execute-api", "eu-west-1", "AKIDEXAMPLE", BYTES(secret), session, now, &error)

static void requests(void) {
    const char *secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
    ts_request *sent = request("POST", "/path?b=2&a=1", "api.example", "{}");
    DONE(SIGN(sent, secret, NULL, then));
    const char *signature = header(sent, "Authorization");
    CHECK(signature && strstr(signature, "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260905/eu-west-1/execute-api/aws4_request") == signature);
    CHECK(header(sent, "X-Amz-Date") && strcmp(header(sent, "X-Amz-Date"), "20260905T090307Z") == 0);
    CHECK(ts_request_header(sent, 1000, NULL, NULL) == 0);

    ts_request_verifier *verifier = NULL;
    DONE(ts_request_verifier_create("execute-api", "eu-west-1", "api.example", 0, &verifier, &error));
    ts_buffer *id = NULL;
    DONE(ts_request_verifier_access_key(verifier, sent, then, &id, &error));
    CHECK(strcmp(text_of(id), "AKIDEXAMPLE") == 0);
    ts_buffer_free(id);
    REFUSED(ts_request_verifier_verify(verifier, sent, BYTES("wrong"), NULL, then, &error), "signature_mismatch");
    REFUSED(ts_request_verifier_verify(verifier, sent, NULL, 0, NULL, then, &error), "access_key_unknown");
    REFUSED(ts_request_verifier_verify(verifier, sent, BYTES(secret), NULL, then + 1000, &error), "request_expired");
    DONE(ts_request_verifier_verify(verifier, sent, BYTES(secret), NULL, then + 10, &error));
    REFUSED(ts_request_verifier_verify(verifier, sent, BYTES(secret), NULL, then + 10, &error), "request_replayed");
    DONE(ts_request_set_body(sent, BYTES("{\"a\":1}"), &error));
    REFUSED(ts_request_verifier_verify(verifier, sent, BYTES(secret), NULL, then + 10, &error), "signature_mismatch");
    /* Signed again, with a session token. */
    DONE(SIGN(sent, secret, "session", then));
    REFUSED(ts_request_verifier_verify(verifier, sent, BYTES(secret), NULL, then, &error), "session_token_mismatch");
    DONE(ts_request_verifier_verify(verifier, sent, BYTES(secret), "session", then, &error));
    /* An empty session token is none. */
    DONE(SIGN(sent, secret, "", then));
    CHECK(!header(sent, "X-Amz-Security-Token"));
    ts_request_free(sent);

    /* What AWS's SDKs repeat in the second of its signature is accepted again without TS_REQUESTS_ONCE. */
    ts_request_verifier *lenient = NULL;
    DONE(ts_request_verifier_create_with_options("execute-api", "eu-west-1", "api.example", TS_REQUESTS_PLUS_AS_SPACE, &lenient, &error));
    ts_request *repeated = request("GET", "/path?b=2&a=%20x", "api.example", "");
    DONE(SIGN(repeated, secret, NULL, then));
    const char *date = "20260905T090307Z";
    ts_request *plus = request("GET", "/path?b=2&a=+x", "api.example", "");
    DONE(ts_request_add_header(plus, "X-Amz-Date", date, &error));
    DONE(ts_request_add_header(plus, "Authorization", header(repeated, "Authorization"), &error));
    for (int times = 0; times < 2; times++) DONE(ts_request_verifier_verify(lenient, plus, BYTES(secret), NULL, then, &error));
    REFUSED(ts_request_verifier_verify(verifier, plus, BYTES(secret), NULL, then, &error), "ambiguous");
    ts_request_verifier_free(lenient);
    lenient = NULL;
    REFUSED(ts_request_verifier_create_with_options("a", "b", NULL, 8, &lenient, &error), "argument_out_of_range");
    REFUSED(ts_request_verifier_create_with_options("a", "b", NULL, -1, &lenient, &error), "argument_out_of_range");
    ts_request_free(plus);
    ts_request_free(repeated);

    /* boto3 1.44.8, generate_presigned_url for S3 in us-east-1. */
    ts_request *old = request("GET", "/k?AWSAccessKeyId=AKIDEXAMPLE&Signature=99JOacMkTiYXHef7ScS4KXqfRaU%3D&Expires=1795861422",
        "bkt.s3.amazonaws.com", "");
    REFUSED(ts_request_verifier_verify(verifier, old, BYTES(secret), NULL, then, &error), "signature_version_2");
    ts_request_free(old);

    ts_request *unsigned_request = request("GET", "/", "api.example", "");
    REFUSED(ts_request_verifier_verify(verifier, unsigned_request, BYTES(secret), NULL, then, &error), "signature_missing");
    REFUSED(SIGN(unsigned_request, "", NULL, then), "secret_empty");
    REFUSED(ts_request_sign(unsigned_request, "a/b", "eu-west-1", "AKIDEXAMPLE", BYTES(secret), NULL, then, &error), "scope_part");
    REFUSED(ts_request_sign(unsigned_request, NULL, "eu-west-1", "AKIDEXAMPLE", BYTES(secret), NULL, then, &error), "argument_missing");
    for (int times = 0; times < 255; times++) DONE(ts_request_add_header(unsigned_request, "X-A", "b", &error));
    REFUSED(ts_request_add_header(unsigned_request, "X-A", "b", &error), "argument_out_of_range");
    ts_request_free(unsigned_request);
    ts_request_verifier_free(verifier);

    ts_request *link = request("GET", "/photo.jpg", "bucket.s3.eu-west-1.amazonaws.com", "");
    ts_buffer *url = NULL;
    DONE(ts_request_presign(link, "s3", "eu-west-1", "AKIDEXAMPLE", BYTES(secret), NULL, 300, then, &url, &error));
    CHECK(strstr(text_of(url), "https://bucket.s3.eu-west-1.amazonaws.com/photo.jpg?X-Amz-Algorithm=AWS4-HMAC-SHA256&") == text_of(url));
    DONE(ts_request_verifier_create("s3", "eu-west-1", NULL, 1, &verifier, &error));
    ts_request *opened = request("GET", strchr(text_of(url) + 8, '/'), "bucket.s3.eu-west-1.amazonaws.com", "");
    DONE(ts_request_verifier_verify(verifier, opened, BYTES(secret), NULL, then + 299, &error));
    REFUSED(ts_request_verifier_verify(verifier, opened, BYTES(secret), NULL, then + 301, &error), "presigned_expired");
    ts_request_free(opened);
    ts_request_verifier_free(verifier);
    ts_buffer_free(url);
    REFUSED(ts_request_presign(link, "s3", "eu-west-1", "AKIDEXAMPLE", BYTES(secret), NULL, 604801, then, &url, &error), "expires_out_of_range");
    ts_request_free(link);

    /* A signed header has the checksum of the body. */
    link = request("PUT", "/k", "api.example", "");
    DONE(ts_request_add_header(link, "x-amz-checksum-sha256", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", &error));
    DONE(ts_request_presign(link, "s3", "eu-west-1", "AKIDEXAMPLE", BYTES(secret), NULL, 300, then, &url, &error));
    DONE(ts_request_verifier_create("s3", "eu-west-1", NULL, 1, &verifier, &error));
    for (int times = 0; times < 2; times++) {
        opened = request("PUT", strchr(text_of(url) + 8, '/'), "api.example", times == 0 ? "hello" : "jello");
        DONE(ts_request_add_header(opened, "x-amz-checksum-sha256", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", &error));
        if (times == 0) DONE(ts_request_verifier_verify(verifier, opened, BYTES(secret), NULL, then, &error));
        else REFUSED(ts_request_verifier_verify(verifier, opened, BYTES(secret), NULL, then, &error), "checksum_mismatch");
        ts_request_free(opened);
    }
    ts_request_verifier_free(verifier);
    ts_buffer_free(url);
    ts_request_free(link);

    /* Those of other services cover the body. */
    link = request("GET", "/orders", "api.example", "");
    DONE(ts_request_presign(link, "execute-api", "eu-west-1", "AKIDEXAMPLE", BYTES(secret), NULL, 300, then, &url, &error));
    DONE(ts_request_verifier_create("execute-api", "eu-west-1", NULL, 1, &verifier, &error));
    opened = request("GET", strchr(text_of(url) + 8, '/'), "api.example", "");
    DONE(ts_request_verifier_verify(verifier, opened, BYTES(secret), NULL, then, &error));
    ts_request_free(opened);
    opened = request("GET", strchr(text_of(url) + 8, '/'), "api.example", "other");
    REFUSED(ts_request_verifier_verify(verifier, opened, BYTES(secret), NULL, then, &error), "signature_mismatch");
    ts_request_free(opened);
    ts_request_free(link);
    ts_buffer_free(url);
    ts_request_verifier_free(verifier);
    ts_request_free(NULL);
}

static void passwords(void) {
    ts_buffer *salt = NULL, *record = NULL;
    DONE(ts_srp_enroll(2048, NULL, BYTES("jane"), BYTES("secret"), &salt, &record, &error));
    CHECK(ts_buffer_length(salt) == 32 && ts_buffer_length(record) == 256);
    for (int wrong = 0; wrong < 2; wrong++) {
        ts_srp_client *client = NULL;
        ts_srp_server *server = NULL;
        ts_buffer *a = NULL, *b = NULL, *m1 = NULL, *m2 = NULL, *own = NULL, *theirs = NULL, *again = NULL;
        DONE(ts_srp_client_create(2048, "SHA-256", &client, &a, &error));
        DONE(ts_srp_server_create(2048, "SHA-256", &server, &error));
        REFUSED(ts_srp_server_verify(server, BUFFER(a), BUFFER(a), &m2, &own, &error), "step_used");
        ts_srp_server_free(server);
        DONE(ts_srp_server_create(2048, "SHA-256", &server, &error));
        DONE(ts_srp_server_challenge(server, BYTES("jane"), BUFFER(salt), BUFFER(record), &b, &error));
        REFUSED(ts_srp_server_challenge(server, BYTES("jane"), BUFFER(salt), BUFFER(record), &again, &error), "step_used");
        ts_srp_server_free(server);
        ts_buffer_free(b);
        DONE(ts_srp_server_create(2048, "SHA-256", &server, &error));
        DONE(ts_srp_server_challenge(server, BYTES("jane"), BUFFER(salt), BUFFER(record), &b, &error));
        DONE(ts_srp_client_respond(client, BYTES("jane"), BYTES(wrong ? "wrong" : "secret"), BUFFER(salt), BUFFER(b), &m1, &error));
        if (wrong) {
            REFUSED(ts_srp_server_verify(server, BUFFER(a), BUFFER(m1), &m2, &theirs, &error), "srp_proof_mismatch");
            CHECK(m2 == NULL && theirs == NULL);
        } else {
            DONE(ts_srp_server_verify(server, BUFFER(a), BUFFER(m1), &m2, &theirs, &error));
            DONE(ts_srp_client_verify(client, BUFFER(m2), &own, &error));
            CHECK(ts_buffer_length(own) == ts_buffer_length(theirs));
            CHECK(memcmp(ts_buffer_bytes(own), ts_buffer_bytes(theirs), ts_buffer_length(own)) == 0);
        }
        REFUSED(ts_srp_client_respond(client, BYTES("jane"), BYTES("secret"), BUFFER(salt), BUFFER(b), &again, &error), "step_used");
        ts_srp_client_free(client);
        ts_srp_server_free(server);
        ts_buffer_free(a);
        ts_buffer_free(b);
        ts_buffer_free(m1);
        ts_buffer_free(m2);
        ts_buffer_free(own);
        ts_buffer_free(theirs);
    }
    ts_srp_client *client = NULL;
    ts_buffer *a = NULL;
    REFUSED(ts_srp_client_create(2047, NULL, &client, &a, &error), "argument_out_of_range");
    REFUSED(ts_srp_client_create(2048, "MD5", &client, &a, &error), "argument_out_of_range");
    /* A server's public key of 0 would make the key known. */
    ts_buffer *m1 = NULL;
    uint8_t zero[256] = {0};
    DONE(ts_srp_client_create(2048, NULL, &client, &a, &error));
    REFUSED(ts_srp_client_respond(client, BYTES("jane"), BYTES("secret"), BUFFER(salt), zero, sizeof zero, &m1, &error), "public_key_zero");
    ts_srp_client_free(client);
    ts_buffer_free(a);
    ts_buffer_free(salt);
    ts_buffer_free(record);
}

static void codes(void) {
    const char *secret = "12345678901234567890"; /* RFC 6238, appendix B */
    ts_buffer *code = NULL;
    DONE(ts_totp_code(BYTES(secret), "SHA1", 8, 30, 59, &code, &error));
    CHECK(strcmp(text_of(code), "94287082") == 0);
    int64_t step = -1;
    int drift = 0;
    DONE(ts_totp_verify(BYTES(secret), "SHA1", 8, 30, text_of(code), 59, &step, &drift, &error));
    CHECK(step == 1 && drift == 0);
    REFUSED(ts_totp_verify(BYTES(secret), "SHA1", 8, 30, text_of(code), 59, &step, &drift, &error), "code_used");
    ts_buffer_free(code);
    step = -1;
    REFUSED(ts_totp_verify(BYTES(secret), NULL, 0, 0, "000000", 59, &step, &drift, &error), "code_mismatch");
    CHECK(step == -1 && drift == 0);
    REFUSED(ts_totp_verify(BYTES(secret), NULL, 0, 0, "00000x", 59, &step, &drift, &error), "code_malformed");
    REFUSED(ts_totp_verify(BYTES(secret), NULL, 0, 0, "000000", -1, &step, &drift, &error), "time_before_epoch");
    REFUSED(ts_totp_verify(BYTES(secret), "MD5", 0, 0, "000000", 59, &step, &drift, &error), "argument_out_of_range");
    REFUSED(ts_totp_code(BYTES(secret), NULL, 5, 0, 59, &code, &error), "digits_unsupported");
    REFUSED(ts_totp_code(BYTES(secret), NULL, 0, 86401, 59, &code, &error), "period_unsupported");
    REFUSED(ts_totp_code(BYTES("short"), NULL, 0, 0, 59, &code, &error), "otp_secret_too_short");

    ts_buffer *made = NULL, *uri = NULL, *read = NULL;
    DONE(ts_totp_secret(&made, &error));
    CHECK(ts_buffer_length(made) == 20);
    DONE(ts_totp_uri("Example", "alice@example.org", BUFFER(made), NULL, 0, 0, &uri, &error));
    CHECK(strstr(text_of(uri), "otpauth://totp/Example:alice%40example.org?secret=") == text_of(uri));
    char base32[33] = {0};
    memcpy(base32, strstr(text_of(uri), "secret=") + 7, 32);
    DONE(ts_totp_secret_from_base32(BYTES(base32), &read, &error));
    CHECK(ts_buffer_length(read) == 20 && memcmp(ts_buffer_bytes(read), ts_buffer_bytes(made), 20) == 0);
    ts_buffer_free(read);
    ts_buffer_free(made);
    ts_buffer_free(uri);
    REFUSED(ts_totp_secret_from_base32(BYTES("1"), &read, &error), "base32_character");
    REFUSED(ts_totp_uri("a:b", "c", BYTES(secret), NULL, 0, 0, &uri, &error), "otpauth_label");
}

int main(void) {
    requests();
    passwords();
    codes();
    printf("protocols: %s\n", failures ? "failed" : "passed");
    return failures != 0;
}
