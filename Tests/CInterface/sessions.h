/* A session, what the service answers about it, and requests that it signs. */

#define SESSION_KEY "ASIAEXAMPLEEXAMPLE22"
#define SESSION_SECRET "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
#define TEN "AAAAAAAAAA"
#define SESSION_TOKEN "TS1." TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
/* That of SESSION_SECRET for 2026-09-05, eu-west-1 and orders, by the four steps of SigV4. */
#define SIGNING_KEY "\"SigningKey\":\"gYCoHArq64bTxHDTeZwzjUh2PHRAtjX/CYfSnKXDKe0=\","
#define SESSION \
    "\"Expiration\":1788602587,\"MaximumAge\":60,\"Session\":{\"Arn\":\"arn:aws:sts::123456789012:assumed-role/app-" \
    "user/jane\",\"UserId\":\"AROAEXAMPLE:jane\",\"Account\":\"123456789012\",\"RoleArn\":\"arn:aws:iam::1234567890" \
    "12:role/app-user\",\"SessionName\":\"jane\",\"IdentityId\":\"us-east-1:identity\",\"IdentityPoolId\":\"us-east" \
    "-1:pool\",\"AuthenticationMethods\":[\"authenticated\",\"login.example\"],\"Tags\":{\"team\":\"blue\",\"cost\"" \
    ":\"7\"},\"SourceIdentity\":\"jane@example.com\"},\"ConditionKeys\":{\"aws:userid\":[\"AROAEXAMPLE:jane\"]},\"P" \
    "olicies\":[{\"Name\":\"own\",\"Document\":\"{\\\"Version\\\":\\\"2012-10-17\\\",\\\"Statement\\\":[{\\\"Effect" \
    "\\\":\\\"Allow\\\",\\\"Action\\\":\\\"orders:Read\\\",\\\"Resource\\\":\\\"arn:aws:orders:::users/u-1/*\\\"},{" \
    "\\\"Effect\\\":\\\"Allow\\\",\\\"Action\\\":\\\"orders:List\\\",\\\"Resource\\\":\\\"*\\\",\\\"Condition\\\":{" \
    "\\\"IpAddress\\\":{\\\"aws:SourceIp\\\":\\\"203.0.113.0/24\\\"}}},{\\\"Effect\\\":\\\"Allow\\\",\\\"Action\\\"" \
    ":\\\"orders:Label\\\",\\\"Resource\\\":\\\"*\\\",\\\"Condition\\\":{\\\"ForAllValues:StringEquals\\\":{\\\"ord" \
    "ers:Label\\\":[\\\"a\\\",\\\"b\\\"]},\\\"Null\\\":{\\\"orders:Label\\\":\\\"false\\\"}}}]}\"}],\"SessionPolici" \
    "es\":[]}"
#define ANSWER "{" SIGNING_KEY SESSION

/* A signed request of a session with this token. */
static inline ts_request *signed_request(const char *token, int64_t at) {
    ts_request *made = NULL;
    DONE(ts_request_create("GET", "/users/u-1/orders/17?x=%20", &made, &error));
    DONE(ts_request_add_header(made, "Host", "api.example", &error));
    DONE(ts_request_sign(made, "orders", "eu-west-1", SESSION_KEY, BYTES(SESSION_SECRET), token, at, &error));
    return made;
}

static inline ts_request_verifier *orders(void) {
    ts_request_verifier *made = NULL;
    DONE(ts_request_verifier_create_with_options("orders", "eu-west-1", "api.example", 0, &made, &error));
    return made;
}

static inline ts_session_keys *session_keys(uint32_t timeout, ts_fetch_function function, void *context) {
    ts_session_keys *made = NULL;
    DONE(ts_session_keys_create("https://id.example", "us-east-1", "AKIAEXAMPLEEXAMPLE22", BYTES("own secret"), NULL, 0, timeout, NULL,
        &made, &error));
    DONE(ts_session_keys_set_fetch(made, function, context, &error));
    return made;
}

/* Gives an answer with its status. */
static inline int give(ts_fetch *fetch, int number, const char *body) {
    DONE(ts_fetch_set_status(fetch, number, &error));
    DONE(ts_fetch_add_body(fetch, BYTES(body), &error));
    return TS_FETCH_DONE;
}
