/* The claims of a token, verified with keys that libcurl fetches; a thread keeps them fresh.
 *
 *   cc fetching.c $(pkg-config --cflags --libs tokensecurity libcurl) -lpthread -o fetching
 *   ./fetching ADDRESS_OF_THE_KEYS TOKEN_FILE TIME
 */
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tokensecurity.h>

/* A response. Its own fields are those between its status line and the empty line: not those of interim responses (1xx) before
 * it, and not those behind its body. */
typedef struct {
    ts_fetch *fetch;
    int is_head;
} response;

/* Gives a part of the body to the library, and stops where it is too large. */
static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    response *taken = context;
    return ts_fetch_add_body(taken->fetch, (const uint8_t *)bytes, size * count, NULL) == 0 ? size * count : 0;
}

/* The same with a line of a head: the status line, a field, or the empty line at the end. */
static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    response *taken = context;
    size_t length = size * count;
    char *line = malloc(length + 1), *colon;
    int status = 0, failed = line == NULL;
    if (failed) return 0;
    memcpy(line, bytes, length);
    line[length] = 0;
    line[strcspn(line, "\r\n")] = 0;
    if (strncmp(line, "HTTP/", 5) == 0)
        taken->is_head = sscanf(line, "%*s %d", &status) == 1 && status >= 200;
    else if (line[0] == 0)
        taken->is_head = 0;
    else if (taken->is_head && (colon = strchr(line, ':')) != NULL) {
        *colon++ = 0;
        failed = ts_fetch_add_header(taken->fetch, line, colon + strspn(colon, " \t"), NULL);
    }
    free(line);
    return failed ? 0 : length;
}

/* What the library calls where keys are missing, on the thread that needs them: for keys of tokens with GET, for those of sessions
 * with POST. libcurl follows no redirect by default. */
static int fetch_with_curl(void *context, ts_fetch *fetch) {
    CURL *curl;
    struct curl_slist *fields = NULL;
    const char *name, *value;
    response taken = {fetch, 0};
    /* A session token has at most 8 KiB. */
    char field[16384];
    const uint8_t *body;
    size_t length = 0;
    long left = (long)ts_fetch_timeout_ms(fetch), status = 0;
    CURLcode code;
    (void)context;
    /* For libcurl 0 is no limit. */
    if (left == 0 || (curl = curl_easy_init()) == NULL) return TS_FETCH_FAILED;
    for (size_t index = 0; ts_fetch_header(fetch, index, &name, &value); index++) {
        snprintf(field, sizeof field, "%s: %s", name, value);
        fields = curl_slist_append(fields, field);
    }
    curl_easy_setopt(curl, CURLOPT_URL, ts_fetch_url(fetch));
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, fields);
    if ((body = ts_fetch_body(fetch, &length)) != NULL) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)length);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    }
    /* The whole time, also for a server that sends a byte now and then. */
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, left);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    /* No proxy of the environment. */
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    if (ts_fetch_trust_roots(fetch)) {
        /* These alone: not the machine's, which libcurl has by default. */
        curl_easy_setopt(curl, CURLOPT_CAINFO, ts_fetch_trust_roots(fetch));
        curl_easy_setopt(curl, CURLOPT_CAPATH, NULL);
    }
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &taken);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &taken);
    code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(fields);
    curl_easy_cleanup(curl);
    if (code != CURLE_OK) {
        ts_fetch_fail(fetch, curl_easy_strerror(code));
        return TS_FETCH_FAILED;
    }
    return ts_fetch_set_status(fetch, (int)status, NULL) == 0 ? TS_FETCH_DONE : TS_FETCH_FAILED;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ends = 0;

/* Fetches the keys before they expire, until the program ends. Without it, a token does when they have expired. */
static void *keep_fresh(void *verifier) {
    pthread_mutex_lock(&lock);
    while (!ends) {
        int64_t seconds;
        ts_error *error = NULL;
        struct timespec next;
        pthread_mutex_unlock(&lock);
        if (ts_verifier_refresh(verifier, 30000, &seconds, &error)) {
            fprintf(stderr, "%s: %s\n", ts_error_code(error), ts_error_message(error));
            ts_error_free(error);
        }
        pthread_mutex_lock(&lock);
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_sec += (time_t)(seconds < 3600 ? seconds : 3600);
        if (!ends) pthread_cond_timedwait(&changed, &lock, &next);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int count, char **arguments) {
    ts_verifier *verifier = NULL;
    ts_token *token = NULL;
    ts_error *error = NULL;
    pthread_t refresher;
    char policy[1024], compact[8192];
    FILE *file;
    int refused = 1;
    if (count != 4 || (file = fopen(arguments[2], "r")) == NULL) {
        fprintf(stderr, "usage: fetching ADDRESS_OF_THE_KEYS TOKEN_FILE TIME\n");
        return 2;
    }
    compact[fread(compact, 1, sizeof compact - 1, file)] = 0;
    compact[strcspn(compact, "\n")] = 0;
    fclose(file);
    snprintf(policy, sizeof policy,
        "{\"version\": 1, \"issuers\": [{\"profile\": \"cognito-user-pool\", \"pool\": \"eu-west-1_Example01\", \"use\": \"access\","
        " \"client_ids\": \"1h57kf5cpq17m0eml12EXAMPLE\", \"keys\": {\"jwks_uri\": \"%s\"}}],"
        " \"fetching\": {\"allows_plain_loopback\": true}}", arguments[1]);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (ts_verifier_create(policy, strlen(policy), NULL, 0, &verifier, &error) == 0
        && ts_verifier_set_fetch(verifier, fetch_with_curl, NULL, &error) == 0
        && pthread_create(&refresher, NULL, keep_fresh, verifier) == 0) {
        if (ts_verifier_verify(verifier, compact, strlen(compact), strtoll(arguments[3], NULL, 10), 30000, &token, &error) == 0)
            refused = printf("%s\n", ts_token_claims(token, NULL)) < 0;
        pthread_mutex_lock(&lock);
        ends = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        pthread_join(refresher, NULL);
    }
    if (error) fprintf(stderr, "%s: %s\n", ts_error_code(error), ts_error_message(error));
    ts_error_free(error);
    ts_token_free(token);
    ts_verifier_free(verifier);
    curl_global_cleanup();
    return refused;
}
