/* libtokensecurity: verify and issue tokens, sign and verify requests, sign in by password, one-time codes.
 *
 * Written from the library's sources; do not edit.
 *
 * Functions that can fail return 0 for success and 1 for an error, and describe the error in a ts_error. What a function
 * gives to the caller is freed with the function of its type. Arguments are copied: they can be freed or changed when the
 * function has returned. Handles can be used by several threads at the same time, but freed once, when no thread uses them.
 * A handle of another kind is refused; a handle that was freed must not be used.
 *
 * Lengths are in bytes. An argument has at most 16 MiB. Where no length is passed, a text ends with a zero byte. */
#ifndef TOKENSECURITY_H
#define TOKENSECURITY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The current time, where a time is passed. */
#define TS_NOW INT64_MIN

/* What a function of ts_verifier_set_fetch or ts_session_keys_set_fetch returns. */
#define TS_FETCH_CANCELLED 0
#define TS_FETCH_DONE 1684958821
#define TS_FETCH_FAILED 1717660012

/* Options of ts_request_verifier_create_with_options. */
#define TS_REQUESTS_PRESIGNED 1
#define TS_REQUESTS_ONCE 2
#define TS_REQUESTS_PLUS_AS_SPACE 4

typedef struct ts_error ts_error;
typedef struct ts_buffer ts_buffer;
typedef struct ts_verifier ts_verifier;
typedef struct ts_fetch ts_fetch;
typedef struct ts_token ts_token;
typedef struct ts_proof_verifier ts_proof_verifier;
typedef struct ts_signer ts_signer;
typedef struct ts_request ts_request;
typedef struct ts_request_verifier ts_request_verifier;
typedef struct ts_session_keys ts_session_keys;
typedef struct ts_session ts_session;
typedef struct ts_srp_client ts_srp_client;
typedef struct ts_srp_server ts_srp_server;

/* A function of the caller that fetches one document, on the thread that called the library: see ts_verifier_set_fetch and
   ts_session_keys_set_fetch. */
typedef int (*ts_fetch_function)(void *context, ts_fetch *fetch);

/* Errors, buffers, versions. */

/* The version of the library, for instance 0.2.0.
 *
 * Returns a text that lives as long as the process. */
const char *ts_version(void);

/* The version of this interface. It rises when a function is added; functions are never changed or removed.
 *
 * Returns the version. */
uint32_t ts_abi_version(void);

/* The stable code of an error, for instance token_expired. The page of error codes lists them.
 *
 *   error: the error.
 * Returns a text that belongs to the error. NULL for NULL. */
const char *ts_error_code(ts_error *error);

/* One sentence that names the rule and the value that broke it. It never contains a secret.
 *
 *   error: the error.
 * Returns a text that belongs to the error. NULL for NULL. */
const char *ts_error_message(ts_error *error);

/* The values of an error as one JSON object with texts, for instance {"at":"2026-09-05T09:53:07Z"}. Its members
 * depend on the code and may change. Several threads may call this.
 *
 *   error: the error.
 * Returns a text that belongs to the error. NULL for NULL. */
const char *ts_error_evidence(ts_error *error);

/* The HTTP status of the response to the sender of a request that was refused with this error: 400, 403, 413, 500 or 503.
 * Errors of ts_request_verifier_verify, ts_request_verifier_verify_session and ts_session_check have one, and those of
 * a request that cannot be built as it was received: a text that is not UTF-8, too many header fields.
 *
 *   error: the error.
 * Returns the status. 0 for an error that is none of a request, such as a missing argument, and for NULL. */
int ts_error_http_status(ts_error *error);

/* Frees an error. Nothing happens for NULL and for a handle of another kind.
 *
 *   error: the error, which the caller owns. */
void ts_error_free(ts_error *error);

/* The bytes of a buffer. A zero byte follows them, so that a text can be read as a C string.
 *
 *   buffer: the buffer.
 * Returns bytes that belong to the buffer. NULL for NULL. */
const uint8_t *ts_buffer_bytes(ts_buffer *buffer);

/* The number of bytes of a buffer, without the zero byte after them.
 *
 *   buffer: the buffer.
 * Returns the number of bytes. 0 for NULL. */
size_t ts_buffer_length(ts_buffer *buffer);

/* Wipes and frees a buffer. Nothing happens for NULL and for a handle of another kind.
 *
 *   buffer: the buffer, which the caller owns. */
void ts_buffer_free(ts_buffer *buffer);

/* Verifying tokens. */

/* Makes a verifier from a policy in JSON. Keys that the policy locates at an address are fetched with the function of
 * ts_verifier_set_fetch when they are needed, and cached. The verifier starts no thread.
 *
 *   policy: the policy, UTF-8. The guide of the C interface lists its members.
 *   policy_length: its bytes, at most 1 MiB.
 *   keys: the keys of issuers whose keys are "given": a JWK set, a JWK, PEM or DER. NULL for none. Copied.
 *   keys_length: their bytes.
 *   verifier: receives the verifier, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_verifier_create(const char *policy, size_t policy_length, const uint8_t *keys, size_t keys_length,
    ts_verifier **verifier, ts_error **error);

/* Frees a verifier. Nothing happens for NULL and for a handle of another kind.
 *
 *   verifier: the verifier, which the caller owns. No other thread may use it any more. */
void ts_verifier_free(ts_verifier *verifier);

/* Verifies a compact token. With fresh keys it never waits. Where keys are missing, or the token names one that is not cached,
 * this thread fetches them, or waits for the thread that does; where they have expired, one thread fetches, and the others use
 * them meanwhile. Any number of threads may call it with one verifier.
 *
 *   verifier: the verifier.
 *   token: the token, UTF-8.
 *   token_length: its bytes.
 *   now: the time of the verification in seconds since 1970; TS_NOW for the current time.
 *   timeout_ms: the most time for fetches and for waiting, in milliseconds; 0 to use cached keys only.
 *   verified: receives the verified token, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error: the first rule that the token breaks, or why there are no keys, as for
 *   ts_verifier_refresh; keys_not_held for a time of 0. */
int ts_verifier_verify(ts_verifier *verifier, const char *token, size_t token_length, int64_t now, uint32_t timeout_ms,
    ts_token **verified, ts_error **error);

/* Verifies several tokens. If the call itself fails, all results are NULL, except where count was refused.
 *
 *   verifier: the verifier.
 *   tokens: the tokens, UTF-8.
 *   token_lengths: the bytes of each.
 *   count: the number of tokens, at most 1,048,576.
 *   now: the time of the verification in seconds since 1970; TS_NOW for the current time.
 *   timeout_ms: the most time for fetches and for waiting, for all tokens together; 0 to use cached keys only.
 *   verified: receives a token for each that is valid, and NULL for the others. The caller owns them.
 *   errors: receives an error for each token that is not valid, and NULL for the others. The caller owns them. NULL if
 *     they are not wanted. If the function that fetches gives up, it is not called again for this batch: the tokens after that
 *     which need it have fetch_cancelled.
 *   error: receives the error of the call, which the caller owns; NULL if it is not wanted.
 * Returns 0 if each token has its result, 1 if the arguments cannot be used. */
int ts_verifier_verify_batch(ts_verifier *verifier, const char *const *tokens, const size_t *token_lengths,
    size_t count, int64_t now, uint32_t timeout_ms, ts_token **verified, ts_error **errors, ts_error **error);

/* Verifies a token and reports every check as JSON: valid, code, message, header, claims (null unless the token
 * is valid), checked_at, checks with name, reference, expected, actual, outcome, and text, the same as a table
 * for people. For operators, not for those who sent the token.
 *
 *   verifier: the verifier.
 *   token: the token, UTF-8.
 *   token_length: its bytes.
 *   now: the time of the verification in seconds since 1970; TS_NOW for the current time.
 *   timeout_ms: the most time for fetches and for waiting, in milliseconds; 0 to use cached keys only.
 *   json: receives the explanation, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, also for a token that is refused; 1 for an error that prevented the verification. */
int ts_verifier_explain(ts_verifier *verifier, const char *token, size_t token_length, int64_t now, uint32_t timeout_ms,
    ts_buffer **json, ts_error **error);

/* Keys that the caller fetches. */

/* Sets the function that fetches keys. The library calls it on threads that call ts_verifier_verify,
 * ts_verifier_verify_batch, ts_verifier_explain and ts_verifier_refresh of this verifier, before these return: one thread
 * at a time for a key set, several for several sets. It must return normally, and may block for ts_fetch_timeout_ms at most.
 * It may call the library, also with this verifier: a call that needs the very keys that it fetches is refused with
 * fetch_reentered.
 *
 *   verifier: the verifier.
 *   function: the function; NULL for none. It gets context and the fetch, which belongs to the library and lives until the
 *     function returns. It returns TS_FETCH_DONE for a response, TS_FETCH_FAILED if there is none, or TS_FETCH_CANCELLED to
 *     give up without a word about the server: nothing is noted about it then, the call fails with fetch_cancelled unless
 *     expired keys may still be used, and calls it no more; the next call may fetch. Only searches for unknown keys that are
 *     given up one soon after the other have pauses between them, of 1, 2, 4 … up to 10 seconds.
 *   context: passed to the function. The caller owns it, and keeps it until the verifier is freed.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_verifier_set_fetch(ts_verifier *verifier, ts_fetch_function function, void *context, ts_error **error);

/* Fetches the keys of all issuers that are missing, or due: in the last quarter of their lifetime. Call it when your service
 * starts, so that the first tokens need not wait, and then from a thread of yours, so that no token ever does.
 *
 *   verifier: the verifier.
 *   timeout_ms: maximum time for all sets together, in milliseconds; they are fetched one after the other.
 *   next_seconds: receives the seconds until the next refresh is due, also after an error: at least 1; INT64_MAX if nothing
 *     is fetched. NULL if it is not wanted.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error: that of the first fetch that has failed, also where older keys may still be used;
 *   timed_out, fetch_function_missing, fetch_cancelled, fetch_reentered. */
int ts_verifier_refresh(ts_verifier *verifier, uint32_t timeout_ms, int64_t *next_seconds, ts_error **error);

/* The URL to fetch with the method of ts_fetch_method: https, or http to this machine where the policy allows it, or the
 * address of the service of sessions. Send no cookies and no credentials, follow no redirect, and verify the server's
 * certificate and name.
 *
 *   fetch: the fetch.
 * Returns a text that belongs to the fetch. NULL for NULL. */
const char *ts_fetch_url(ts_fetch *fetch);

/* The method of the request: GET, or POST for keys of sessions.
 *
 *   fetch: the fetch.
 * Returns a text that belongs to the fetch. NULL for NULL. */
const char *ts_fetch_method(ts_fetch *fetch);

/* The body of the request, which may have a secret. Send it with its length (Content-Length).
 *
 *   fetch: the fetch.
 *   length: receives the number of bytes; NULL if it is not wanted.
 * Returns bytes that belong to the fetch. NULL for a request without a body, and for NULL. */
const uint8_t *ts_fetch_body(ts_fetch *fetch, size_t *length);

/* Reads a header field that the request must have.
 *
 *   fetch: the fetch.
 *   index: the index of the field, from 0 on.
 *   name: receives the name; NULL if it is not wanted. It belongs to the fetch.
 *   value: receives the value; NULL if it is not wanted. It belongs to the fetch.
 * Returns 1 if there is such a field, 0 beyond the last one. */
int ts_fetch_header(ts_fetch *fetch, size_t index, const char **name, const char **value);

/* Maximum number of bytes of the body of the response. Stop reading when there are more.
 *
 *   fetch: the fetch.
 * Returns the number of bytes. 0 for NULL. */
size_t ts_fetch_size_limit(ts_fetch *fetch);

/* The milliseconds that are left for connecting, sending, and reading to the last byte. A response that comes later is refused
 * with fetch_timeout.
 *
 *   fetch: the fetch.
 * Returns the milliseconds from now on; 0 if the time is over, and for NULL. Do not fetch then: libcurl, for instance,
 *   takes 0 for no limit. */
uint32_t ts_fetch_timeout_ms(ts_fetch *fetch);

/* The file of certificates in PEM, trust_roots of the policy or of the keys of sessions, that alone may sign the server's.
 *
 *   fetch: the fetch.
 * Returns a text that belongs to the fetch. NULL for the machine's certificates, and for NULL. */
const char *ts_fetch_trust_roots(ts_fetch *fetch);

/* Sets the status of the response, which is needed for TS_FETCH_DONE.
 *
 *   fetch: the fetch.
 *   status: the status, 100 to 599. For keys of tokens the library refuses all but 200, and 304 where it has keys.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_fetch_set_status(ts_fetch *fetch, int status, ts_error **error);

/* Adds a header field of the response. The library reads Content-Type, Cache-Control, Age, ETag and Location, and
 * X-Amzn-ErrorType for keys of sessions.
 *
 *   fetch: the fetch.
 *   name: the name, which is not empty.
 *   value: the value.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error: fetch_too_large for more than 64 KiB in all, with 32 bytes for each field beside its
 *   name and value, after which the response is refused. */
int ts_fetch_add_header(ts_fetch *fetch, const char *name, const char *value, ts_error **error);

/* Adds bytes of the response's body.
 *
 *   fetch: the fetch.
 *   body: the bytes. Copied.
 *   body_length: their number.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error: fetch_too_large above ts_fetch_size_limit, after which the response is refused. */
int ts_fetch_add_body(ts_fetch *fetch, const uint8_t *body, size_t body_length, ts_error **error);

/* Says why there is no response, for TS_FETCH_FAILED. The call then fails with fetch_connection and this sentence, or with
 * fetch_timeout if the time is over.
 *
 *   fetch: the fetch.
 *   reason: a sentence without secrets, UTF-8. 200 bytes of it are used. If it is not UTF-8, its bytes are escaped. */
void ts_fetch_fail(ts_fetch *fetch, const char *reason);

/* Contents of a verified token. */

/* The claims of a verified token: the JSON text that was signed.
 *
 *   token: the token. Several threads may read it.
 *   length: receives the number of bytes; NULL if it is not wanted.
 * Returns a text that belongs to the token. NULL for NULL. */
const char *ts_token_claims(ts_token *token, size_t *length);

/* The header of a verified token: the JSON text that was signed.
 *
 *   token: the token. Several threads may read it.
 *   length: receives the number of bytes; NULL if it is not wanted.
 * Returns a text that belongs to the token. NULL for NULL. */
const char *ts_token_header(ts_token *token, size_t *length);

/* The subject (sub) of a verified token. It can contain zero bytes; length counts all bytes.
 *
 *   token: the token. Several threads may read it.
 *   length: receives the number of bytes; NULL if it is not wanted.
 * Returns a text that belongs to the token. NULL if the token has none. */
const char *ts_token_subject(ts_token *token, size_t *length);

/* The issuer (iss) of a verified token.
 *
 *   token: the token. Several threads may read it.
 *   length: receives the number of bytes; NULL if it is not wanted.
 * Returns a text that belongs to the token. NULL if the token has none. */
const char *ts_token_issuer(ts_token *token, size_t *length);

/* The id (kid) of the key that verified the signature.
 *
 *   token: the token. Several threads may read it.
 *   length: receives the number of bytes; NULL if it is not wanted.
 * Returns a text that belongs to the token. NULL if the key has none. */
const char *ts_token_key_id(ts_token *token, size_t *length);

/* The time from which a verified token is refused (exp), in seconds since 1970.
 *
 *   token: the token.
 * Returns the time; INT64_MAX if the token has none, 0 for NULL. */
int64_t ts_token_expiration(ts_token *token);

/* Frees a verified token. Nothing happens for NULL and for a handle of another kind.
 *
 *   token: the token, which the caller owns. */
void ts_token_free(ts_token *token);

/* Senders of tokens that are bound to a key. */

/* Makes a verifier of DPoP proofs (RFC 9449). It accepts each proof once, for 60 seconds.
 *
 *   capacity: the most proofs that it remembers, about 200 bytes each, 1 to 100,000,000. If it is full of proofs that have
 *     not expired, it refuses new ones.
 *   verifier: receives the verifier, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_proof_verifier_create(size_t capacity, ts_proof_verifier **verifier, ts_error **error);

/* Verifies the proof of a request with an access token that was verified, by a policy whose binding accepts jkt.
 *
 *   verifier: the verifier.
 *   proof: the header field DPoP. Refuse requests with several.
 *   proof_length: its bytes.
 *   method: the method of the request.
 *   url: the URL of the request as the client knows it, for instance https://api.example/orders. Take scheme and host from
 *     your configuration, not from the request. Query and fragment are ignored.
 *   token: the access token of the request.
 *   token_length: its bytes.
 *   thumbprint: jkt in cnf of the token's claims; NULL if it has none: the proof is refused.
 *   nonce: the nonce that the proof must have; NULL if none was issued.
 *   now: the current time in seconds since 1970; TS_NOW for the clock's.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0 for a valid proof, or 1 for an error: the first rule that the proof breaks. */
int ts_proof_verifier_verify(ts_proof_verifier *verifier, const char *proof, size_t proof_length, const char *method,
    const char *url, const char *token, size_t token_length, const char *thumbprint, const char *nonce, int64_t now,
    ts_error **error);

/* Frees a verifier of proofs. Nothing happens for NULL and for a handle of another kind.
 *
 *   verifier: the verifier, which the caller owns. */
void ts_proof_verifier_free(ts_proof_verifier *verifier);

/* Checks that a token is bound to the certificate of the TLS client that has sent it (RFC 8705).
 *
 *   certificate: the certificate in DER, which the TLS server has verified.
 *   certificate_length: its bytes.
 *   thumbprint: x5t#S256 in cnf of the claims of a verified token; NULL if it has none: it is refused.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error: client_certificate_mismatch. */
int ts_certificate_check(const uint8_t *certificate, size_t certificate_length, const char *thumbprint,
    ts_error **error);

/* Issuing tokens, and the limits of lifetimes. */

/* Makes a signer of tokens.
 *
 *   key: a private key or a secret: a JWK, PEM or DER. Copied and wiped.
 *   key_length: its bytes.
 *   algorithm: the algorithm, for instance RS256; NULL for the one of the key.
 *   lifetimes: the rule of lifetimes, for instance developer-token (1 second to 24 hours, 15 minutes by default) or
 *     access-token; NULL for developer-token.
 *   signer: receives the signer, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_signer_create(const uint8_t *key, size_t key_length, const char *algorithm, const char *lifetimes,
    ts_signer **signer, ts_error **error);

/* Issues a token: signs claims with iat and exp. Any number of threads may call it with one signer.
 *
 *   signer: the signer.
 *   claims: one JSON object, UTF-8. iat and exp are replaced.
 *   claims_length: its bytes.
 *   lifetime: the lifetime in seconds; 0 for the default of the signer's rule.
 *   now: the time of issue in seconds since 1970; TS_NOW for the current time.
 *   token: receives the token, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error, also for a lifetime outside of the signer's rule. */
int ts_signer_issue(ts_signer *signer, const char *claims, size_t claims_length, int64_t lifetime, int64_t now,
    ts_buffer **token, ts_error **error);

/* Frees a signer and wipes its key. Nothing happens for NULL and for a handle of another kind.
 *
 *   signer: the signer, which the caller owns. */
void ts_signer_free(ts_signer *signer);

/* Checks a lifetime that is requested for something that grants access.
 *
 *   rule: the rule: developer-token, access-token, id-token, refresh-token, web-identity-session, access-key-session,
 *     presigned-url; NULL for developer-token.
 *   requested: the requested seconds; 0 for the default of the rule.
 *   granted: receives the seconds.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_lifetime_check(const char *rule, int64_t requested, int64_t *granted, ts_error **error);

/* HTTP requests that are signed or verified. */

/* Makes a request without header fields and body.
 *
 *   method: the method, for instance GET.
 *   target: the path and the query as they are sent, for instance /a%20b?c=d.
 *   request: receives the request, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_request_create(const char *method, const char *target, ts_request **request, ts_error **error);

/* Adds a header field. Fields of one name can be added several times, at most 256 fields in all.
 *
 *   request: the request.
 *   name: the name.
 *   value: the value.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_request_add_header(ts_request *request, const char *name, const char *value, ts_error **error);

/* Sets the body.
 *
 *   request: the request.
 *   body: the bytes, which are copied.
 *   body_length: their number, at most 16 MiB.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_request_set_body(ts_request *request, const uint8_t *body, size_t body_length, ts_error **error);

/* Reads a header field, for instance after the request was signed.
 *
 *   request: the request.
 *   index: the index of the field, from 0 on.
 *   name: receives the name; NULL if it is not wanted. It belongs to the request, until the request changes.
 *   value: receives the value; NULL if it is not wanted. It belongs to the request, until the request changes.
 * Returns 1 if there is such a field, 0 beyond the last one. */
int ts_request_header(ts_request *request, size_t index, const char **name, const char **value);

/* Frees a request. Nothing happens for NULL and for a handle of another kind.
 *
 *   request: the request, which the caller owns. */
void ts_request_free(ts_request *request);

/* Signing requests with AWS Signature Version 4. */

/* Signs a request in its headers: adds Authorization, X-Amz-Date and what else the signature needs. A signature that
 * it has is replaced. The request needs a header field Host.
 *
 *   request: the request.
 *   service: the service in the scope, for instance execute-api.
 *   region: the region in the scope.
 *   access_key_id: the access key.
 *   secret: the secret access key. Copied and wiped.
 *   secret_length: its bytes.
 *   session_token: the session token of temporary credentials; NULL or an empty text for none.
 *   now: the date of the signature in seconds since 1970; TS_NOW for the current time.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. The request is unchanged after an error. */
int ts_request_sign(ts_request *request, const char *service, const char *region, const char *access_key_id,
    const uint8_t *secret, size_t secret_length, const char *session_token, int64_t now, ts_error **error);

/* Presigns a request: makes a URL that anyone who has it can send until it expires. For S3 it is for any body, for other
 * services for a request without one. With a header field X-Amz-Content-Sha256 it is for the body with that hash; whoever
 * sends the request sends the field, too.
 *
 *   request: the request. It is not changed, and needs a header field Host.
 *   service: the service in the scope, for instance s3.
 *   region: the region in the scope.
 *   access_key_id: the access key.
 *   secret: the secret access key. Copied and wiped.
 *   secret_length: its bytes.
 *   session_token: the session token of temporary credentials; NULL or an empty text for none.
 *   lifetime: how long the URL is valid, 1 to 604,800 seconds (seven days).
 *   now: when the URL begins to be valid, in seconds since 1970; TS_NOW for the current time.
 *   url: receives the URL, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_request_presign(ts_request *request, const char *service, const char *region, const char *access_key_id,
    const uint8_t *secret, size_t secret_length, const char *session_token, int64_t lifetime, int64_t now,
    ts_buffer **url, ts_error **error);

/* Verifying requests with AWS Signature Version 4. */

/* Makes a verifier of requests. It accepts signatures in headers over the whole body, not older or newer than 15 minutes,
 * and each of these signatures once.
 *
 *   service: the service that the scope must name.
 *   region: the region that the scope must name.
 *   host: the name that the header field Host must have; NULL for any, for instance behind a proxy that checks it.
 *   accepts_presigned: 1 to accept presigned URLs too; otherwise 0. They cover the body; those of Amazon S3
 *     only if they have its hash, or sign a header with its checksum. A presigned URL is accepted until it
 *     expires, also more than once.
 *   verifier: receives the verifier, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_request_verifier_create(const char *service, const char *region, const char *host, int accepts_presigned,
    ts_request_verifier **verifier, ts_error **error);

/* Makes a verifier of requests with options. It accepts signatures in headers over the whole body, not older or newer than
 * 15 minutes. Without TS_REQUESTS_ONCE it accepts a signature again while it is valid: clients repeat a request in the
 * second of its signature, on purpose and when they try again.
 *
 *   service: the service that the scope must name.
 *   region: the region that the scope must name.
 *   host: the name that the header field Host must have; NULL for any, for instance behind a proxy that checks it.
 *   options: the sum of TS_REQUESTS_PRESIGNED, to accept presigned URLs too (see ts_request_verifier_create);
 *     TS_REQUESTS_ONCE, to accept each signature in headers once; TS_REQUESTS_PLUS_AS_SPACE, to read + in a query as a
 *     space, as in HTML forms, which your service must do, too; or 0.
 *   verifier: receives the verifier, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error: argument_out_of_range for an unknown option. */
int ts_request_verifier_create_with_options(const char *service, const char *region, const char *host, int options,
    ts_request_verifier **verifier, ts_error **error);

/* Reads the access key of a signed request, so that you can look up its secret. The signature is not verified yet.
 *
 *   verifier: the verifier.
 *   request: the request as it was received.
 *   now: the current time in seconds since 1970; TS_NOW for the clock's.
 *   access_key_id: receives the access key, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error: the first rule that the request breaks. */
int ts_request_verifier_access_key(ts_request_verifier *verifier, ts_request *request, int64_t now,
    ts_buffer **access_key_id, ts_error **error);

/* Verifies a signed request and its body.
 *
 *   verifier: the verifier.
 *   request: the request as it was received.
 *   secret: the secret access key of the request's access key. Copied and wiped. NULL for an access key that does not
 *     exist: the request is refused, in the time that a wrong signature takes.
 *   secret_length: its bytes.
 *   session_token: the session token that belongs to the access key; NULL if it has none.
 *   now: the current time in seconds since 1970; TS_NOW for the clock's.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0 for a valid request, or 1 for an error: the first rule that the request breaks. */
int ts_request_verifier_verify(ts_request_verifier *verifier, ts_request *request, const uint8_t *secret,
    size_t secret_length, const char *session_token, int64_t now, ts_error **error);

/* Frees a verifier of requests. Nothing happens for NULL and for a handle of another kind.
 *
 *   verifier: the verifier, which the caller owns. */
void ts_request_verifier_free(ts_request_verifier *verifier);

/* Requests with the credentials of sessions, whose secrets the verifier does not have. */

/* Makes the keys of sessions of an identity-service, for an API that verifies requests with temporary credentials. The keys are
 * asked for with the function of ts_session_keys_set_fetch when they are needed, and kept.
 *
 *   endpoint: the address of the service: https://HOST or https://HOST:PORT; http for 127.0.0.1, [::1] and localhost.
 *   region: the region of the service.
 *   access_key_id: the API's own access key, made with identity-service key create --api.
 *   secret: its secret. Copied and wiped.
 *   secret_length: its bytes.
 *   session_token: the session token, if these credentials are temporary; NULL or an empty text for none.
 *   capacity: the most keys that are kept, about two kilobytes each; 0 for 10,000.
 *   timeout_ms: the time of a call for its question to the service, or for waiting for that of another thread, in
 *     milliseconds: at most 60,000; 0 for 10,000.
 *   trust_roots: a file of certificates in PEM, for ts_fetch_trust_roots; NULL for those of the machine. It is read once, to
 *     check it.
 *   keys: receives the keys, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error: client_configuration_invalid for an endpoint or a region that cannot be used. */
int ts_session_keys_create(const char *endpoint, const char *region, const char *access_key_id, const uint8_t *secret,
    size_t secret_length, const char *session_token, size_t capacity, uint32_t timeout_ms, const char *trust_roots,
    ts_session_keys **keys, ts_error **error);

/* Sets the function that asks for keys of sessions: with POST (ts_fetch_method) and a body (ts_fetch_body). The library calls it
 * on threads that call ts_request_verifier_verify_session with these keys, before that returns: one thread at a time for a
 * session, several for several sessions. Otherwise it is a function as for ts_verifier_set_fetch. A call from within it
 * that needs the answer to the same question is refused with fetch_reentered.
 *
 *   keys: the keys.
 *   function: the function; NULL for none. It gets context and the fetch. It returns TS_FETCH_DONE for a response with any
 *     status, TS_FETCH_FAILED if there is none (the call fails with endpoint_unreachable), or TS_FETCH_CANCELLED to give up
 *     (the call fails with fetch_cancelled; of those that wait for the answer, one asks).
 *   context: passed to the function. The caller owns it, and keeps it until the keys are freed.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_session_keys_set_fetch(ts_session_keys *keys, ts_fetch_function function, void *context, ts_error **error);

/* Frees keys of sessions. Nothing happens for NULL and for a handle of another kind.
 *
 *   keys: the keys, which the caller owns. No other thread may use them any more. */
void ts_session_keys_free(ts_session_keys *keys);

/* Verifies a request that is signed with temporary credentials: its signature, its body, and its session. Any number of threads
 * may call it. With an answer that is kept it never waits; otherwise this thread asks the service, or waits for the thread
 * that asks the same.
 *
 *   verifier: the verifier. Its service and region are those that callers sign for; the API's access key is of this service.
 *   keys: the keys of sessions.
 *   request: the request as it was received.
 *   address: the client's address, such as 203.0.113.7, for the condition key aws:SourceIp, and so that one client cannot make
 *     all questions; NULL if it is unknown.
 *   now: the current time in seconds since 1970; TS_NOW for the clock's.
 *   session: receives the session, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0 for a valid request, or 1 for an error: the first rule that the request breaks; session_refused,
 *   session_keys_busy; why the service gave no answer, such as endpoint_unreachable, service_refused_call,
 *   answer_malformed; fetch_function_missing, fetch_cancelled, fetch_reentered, timed_out. */
int ts_request_verifier_verify_session(ts_request_verifier *verifier, ts_session_keys *keys, ts_request *request,
    const char *address, int64_t now, ts_session **session, ts_error **error);

/* The sessions of verified requests, and what they may do. */

/* The ARN of the session, or that of the user of the access key that began it.
 *
 *   session: the session.
 * Returns a text that belongs to the session. NULL for NULL. */
const char *ts_session_arn(ts_session *session);

/* The role of the session.
 *
 *   session: the session.
 * Returns a text that belongs to the session. NULL for a session of an access key, and for NULL. */
const char *ts_session_role_arn(ts_session *session);

/* The name of the session.
 *
 *   session: the session.
 * Returns a text that belongs to the session. NULL for a session of an access key, and for NULL. */
const char *ts_session_name(ts_session *session);

/* The identity of an identity pool.
 *
 *   session: the session.
 * Returns a text that belongs to the session. NULL for a session without one, and for NULL. */
const char *ts_session_identity_id(ts_session *session);

/* The pool of the identity.
 *
 *   session: the session.
 * Returns a text that belongs to the session. NULL for a session without one, and for NULL. */
const char *ts_session_pool_id(ts_session *session);

/* Who acts, as the first caller of AssumeRole said.
 *
 *   session: the session.
 * Returns a text that belongs to the session. NULL for a session without one, and for NULL. */
const char *ts_session_source_identity(ts_session *session);

/* A method by which the identity signed in.
 *
 *   session: the session.
 *   index: the index of the method, from 0 on.
 * Returns a text that belongs to the session. NULL beyond the last one, and for NULL. */
const char *ts_session_method(ts_session *session, size_t index);

/* Reads a tag of the session.
 *
 *   session: the session.
 *   index: the index of the tag, from 0 on. Tags are ordered by the bytes of their names.
 *   name: receives the name; NULL if it is not wanted. It belongs to the session.
 *   value: receives the value; NULL if it is not wanted. It belongs to the session.
 * Returns 1 if there is such a tag, 0 beyond the last one. */
int ts_session_tag(ts_session *session, size_t index, const char **name, const char **value);

/* When the session ends.
 *
 *   session: the session.
 * Returns the seconds since 1970. 0 for NULL. */
int64_t ts_session_expiration(ts_session *session);

/* Checks by the policies of the session that it may do something.
 *
 *   session: the session of a request.
 *   action: the action, SERVICE:NAME.
 *   resource: the ARN of the resource; NULL for *, of an action without a resource.
 *   names: the names of condition keys of the request, such as a tag of the resource. A name can be there several times, with a
 *     value each. Keys of the session, the time, the address and the region are there already, and come first. NULL for none.
 *   values: the value of each.
 *   count: their number, at most 1,024.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0 if it is allowed, or 1 for an error: session_denied, session_policy_unreadable. */
int ts_session_check(ts_session *session, const char *action, const char *resource, const char *const *names,
    const char *const *values, size_t count, ts_error **error);

/* Explains what the policies of a session say of something, as JSON: allowed, outcome, code, message, statement, and
 * statements with why each applies or does not, and text, the same for people. For operators, not for those who sent the
 * request.
 *
 *   session: the session of a request.
 *   action: as for ts_session_check.
 *   resource: as for ts_session_check.
 *   names: as for ts_session_check.
 *   values: as for ts_session_check.
 *   count: as for ts_session_check.
 *   json: receives the explanation, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, also for what is denied; 1 for an error: session_policy_unreadable. */
int ts_session_explain(ts_session *session, const char *action, const char *resource, const char *const *names,
    const char *const *values, size_t count, ts_buffer **json, ts_error **error);

/* Frees a session. Nothing happens for NULL and for a handle of another kind.
 *
 *   session: the session, which the caller owns. */
void ts_session_free(ts_session *session);

/* Sign-in by password with SRP-6a (RFC 5054), client and server. */

/* Makes the record of a user's password, for sign-up.
 *
 *   group: the bits of the group of RFC 5054: 1024, 1536, 2048, 3072, 4096, 6144 or 8192. Take at least 2048.
 *   hash: SHA-1, SHA-256, SHA-384 or SHA-512; NULL for SHA-256.
 *   identity: the user's name.
 *   identity_length: its bytes.
 *   password: the password. Copied and wiped.
 *   password_length: its bytes.
 *   salt: receives the salt, which the caller owns.
 *   verifier: receives the verifier, which the caller owns. Protect it like a password hash.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_srp_enroll(int group, const char *hash, const uint8_t *identity, size_t identity_length, const uint8_t *password,
    size_t password_length, ts_buffer **salt, ts_buffer **verifier, ts_error **error);

/* Begins a sign-in on the client's side.
 *
 *   group: the bits of the group of RFC 5054.
 *   hash: the hash's name; NULL for SHA-256.
 *   client: receives the client, which the caller owns.
 *   public_key: receives A, which the caller owns. It is sent to the server.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_srp_client_create(int group, const char *hash, ts_srp_client **client, ts_buffer **public_key, ts_error **error);

/* Responds to the server's challenge. A client responds once.
 *
 *   client: the client.
 *   identity: the user's name.
 *   identity_length: its bytes.
 *   password: the password. Copied and wiped.
 *   password_length: its bytes.
 *   salt: the salt that the server sent.
 *   salt_length: its bytes.
 *   server_key: B, which the server sent.
 *   server_key_length: its bytes.
 *   proof: receives M1, which the caller owns. It is sent to the server.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error, after which the sign-in has ended. */
int ts_srp_client_respond(ts_srp_client *client, const uint8_t *identity, size_t identity_length,
    const uint8_t *password, size_t password_length, const uint8_t *salt, size_t salt_length, const uint8_t *server_key,
    size_t server_key_length, ts_buffer **proof, ts_error **error);

/* Verifies the server's proof, which ends the sign-in.
 *
 *   client: the client, which has responded.
 *   proof: M2, which the server sent.
 *   proof_length: its bytes.
 *   session_key: receives the key that both sides have, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_srp_client_verify(ts_srp_client *client, const uint8_t *proof, size_t proof_length, ts_buffer **session_key,
    ts_error **error);

/* Frees a client and wipes its secrets. Nothing happens for NULL and for a handle of another kind.
 *
 *   client: the client, which the caller owns. */
void ts_srp_client_free(ts_srp_client *client);

/* Begins a sign-in on the server's side. It can be made before the client calls.
 *
 *   group: the bits of the group of RFC 5054.
 *   hash: the hash's name; NULL for SHA-256.
 *   server: receives the server, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_srp_server_create(int group, const char *hash, ts_srp_server **server, ts_error **error);

/* Makes the challenge for a user. A server makes one.
 *
 *   server: the server.
 *   identity: the user's name.
 *   identity_length: its bytes.
 *   salt: the salt of the user's record.
 *   salt_length: its bytes.
 *   verifier: the verifier of the user's record. Copied and wiped.
 *   verifier_length: its bytes.
 *   public_key: receives B, which the caller owns. It is sent to the client, with the salt.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error, after which the sign-in has ended. */
int ts_srp_server_challenge(ts_srp_server *server, const uint8_t *identity, size_t identity_length, const uint8_t *salt,
    size_t salt_length, const uint8_t *verifier, size_t verifier_length, ts_buffer **public_key, ts_error **error);

/* Verifies the client's proof: the client knows the password.
 *
 *   server: the server, which has made its challenge.
 *   client_key: A, which the client sent.
 *   client_key_length: its bytes.
 *   proof: M1, which the client sent.
 *   proof_length: its bytes.
 *   server_proof: receives M2, which the caller owns. It is sent to the client.
 *   session_key: receives the key that both sides have, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error, after which the sign-in has ended. */
int ts_srp_server_verify(ts_srp_server *server, const uint8_t *client_key, size_t client_key_length,
    const uint8_t *proof, size_t proof_length, ts_buffer **server_proof, ts_buffer **session_key, ts_error **error);

/* Frees a server and wipes its secrets. Nothing happens for NULL and for a handle of another kind.
 *
 *   server: the server, which the caller owns. */
void ts_srp_server_free(ts_srp_server *server);

/* Time-based one-time codes (RFC 6238). */

/* Makes a random secret of 160 bits.
 *
 *   secret: receives the secret's bytes, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_totp_secret(ts_buffer **secret, ts_error **error);

/* Reads a secret in base32, in upper or lower case, with spaces and hyphens, with or without padding.
 *
 *   base32: the text. Copied and wiped.
 *   base32_length: its bytes.
 *   secret: receives the secret's bytes, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error, also for a secret of less than 128 bits. */
int ts_totp_secret_from_base32(const uint8_t *base32, size_t base32_length, ts_buffer **secret, ts_error **error);

/* The otpauth URI of a secret, for an authenticator app. It contains the secret.
 *
 *   issuer: the name of the service, as the app shows it.
 *   account: the name of the user, as the app shows it.
 *   secret: the secret, 16 to 1,024 bytes. Copied and wiped.
 *   secret_length: its bytes.
 *   algorithm: SHA1, SHA256 or SHA512; NULL for SHA1, which all apps have.
 *   digits: 6, 7 or 8; 0 for 6.
 *   period: seconds, 1 to 86,400; 0 for 30.
 *   uri: receives the URI, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_totp_uri(const char *issuer, const char *account, const uint8_t *secret, size_t secret_length,
    const char *algorithm, int digits, int period, ts_buffer **uri, ts_error **error);

/* The code of a time.
 *
 *   secret: the secret, 16 to 1,024 bytes. Copied and wiped.
 *   secret_length: its bytes.
 *   algorithm: SHA1, SHA256 or SHA512; NULL for SHA1.
 *   digits: 6, 7 or 8; 0 for 6.
 *   period: seconds, 1 to 86,400; 0 for 30.
 *   now: the time in seconds since 1970; TS_NOW for the current time.
 *   code: receives the code, which the caller owns.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error. */
int ts_totp_code(const uint8_t *secret, size_t secret_length, const char *algorithm, int digits, int period,
    int64_t now, ts_buffer **code, ts_error **error);

/* Checks a code. Codes one step before and after the current one are accepted, and those around the clock of a device
 * that drifts. Store last_step and drift before the user is let in: the code is then refused the next time.
 *
 *   secret: the secret, 16 to 1,024 bytes. Copied and wiped.
 *   secret_length: its bytes.
 *   algorithm: SHA1, SHA256 or SHA512; NULL for SHA1.
 *   digits: 6, 7 or 8; 0 for 6.
 *   period: seconds, 1 to 86,400; 0 for 30.
 *   code: the code that was typed.
 *   now: the time in seconds since 1970; TS_NOW for the current time.
 *   last_step: the step of the last code that was accepted, or -1 for none; receives the step of this one.
 *   drift: the error of the device's clock in steps, 0 at first; receives the new one.
 *   error: receives the error, which the caller owns; NULL if it is not wanted.
 * Returns 0, or 1 for an error: code_mismatch, code_used, code_malformed. last_step and drift are then
 *   unchanged. */
int ts_totp_verify(const uint8_t *secret, size_t secret_length, const char *algorithm, int digits, int period,
    const char *code, int64_t now, int64_t *last_step, int *drift, ts_error **error);

#ifdef __cplusplus
}
#endif

#endif
