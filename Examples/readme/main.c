#include <stdio.h>
#include <string.h>
#include <tokensecurity.h>

static const char policy[] =
    "{\"version\": 1, \"issuers\": [{\"profile\": \"cognito-user-pool\", \"pool\": \"eu-west-1_Example01\","
    " \"use\": \"access\", \"client_ids\": [\"1h57kf5cpq17m0eml12EXAMPLE\"], \"keys\": \"given\"}]}";

int main(void) {
    static uint8_t keys[65536];
    static char token[16384];
    FILE *file = fopen("docs/example/jwks.json", "r"); /* the pool's keys, saved before */
    size_t size = file ? fread(keys, 1, sizeof keys, file) : 0;
    ts_verifier *verifier = NULL;
    ts_token *verified = NULL;
    ts_error *error = NULL;
    if (ts_verifier_create(policy, strlen(policy), keys, size, &verifier, &error) != 0)
        return fprintf(stderr, "%s: %s\n", ts_error_code(error), ts_error_message(error)), 2;
    while (fgets(token, sizeof token, stdin))
        if (ts_verifier_verify(verifier, token, strcspn(token, "\n"), TS_NOW, 0, &verified, &error) == 0) {
            printf("Hello, %s\n", ts_token_subject(verified, NULL));
            ts_token_free(verified);
        } else {
            printf("401 %s: %s\n", ts_error_code(error), ts_error_message(error));
            ts_error_free(error);
        }
    ts_verifier_free(verifier);
}
