/* A process that ends while the library's threads fetch and parse keys: ends ADDRESS MICROSECONDS */
#include <unistd.h>

#include "check.h"

int main(int count, char **arguments) {
    if (count != 3) return 2;
    char policy[512];
    snprintf(policy, sizeof policy,
        "{\"version\":1,\"fetching\":{\"allows_plain_loopback\":true},\"issuers\":[{\"profile\":\"token\",\"issuer\":\"https://a.example\","
        "\"audience\":\"api\",\"keys\":{\"jwks_uri\":\"%s\"}}]}", arguments[1]);
    for (int number = 0; number < 8; number++) {
        ts_verifier *verifier = NULL;
        ts_error *error = NULL;
        DONE(ts_verifier_create(policy, strlen(policy), NULL, 0, &verifier, &error));
        /* It starts the fetch, and has not waited for it. */
        ts_verifier_prefetch(verifier, 1, &error);
        ts_error_free(error);
    }
    usleep((useconds_t)strtoul(arguments[2], NULL, 10));
    exit(failures == 0 ? 0 : 1);
}
