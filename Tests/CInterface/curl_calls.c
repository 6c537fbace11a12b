/* What a program that fetches asks of libcurl: a library to preload. Nothing is sent, and each fetch fails.
 *
 * The variable LEFT has the milliseconds that a fetch has, ROOTS its file of certificates, and BODY the body of its request, if it
 * has one. */
#include <curl/curl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tokensecurity.h>

#undef curl_easy_setopt

uint32_t ts_fetch_timeout_ms(ts_fetch *fetch) {
    const char *left = getenv("LEFT");
    (void)fetch;
    return left ? (uint32_t)strtoul(left, NULL, 10) : 0;
}

const char *ts_fetch_trust_roots(ts_fetch *fetch) {
    (void)fetch;
    return getenv("ROOTS");
}

const uint8_t *ts_fetch_body(ts_fetch *fetch, size_t *length) {
    const char *body = getenv("BODY");
    (void)fetch;
    *length = body ? strlen(body) : 0;
    return (const uint8_t *)body;
}

static void say(const char *name, const char *value) { fprintf(stderr, "curl: %s=%s\n", name, value ? value : "none"); }

CURLcode curl_easy_setopt(CURL *curl, CURLoption option, ...) {
    va_list values;
    va_start(values, option);
    (void)curl;
    switch (option) {
    case CURLOPT_TIMEOUT_MS: fprintf(stderr, "curl: timeout=%ld\n", va_arg(values, long)); break;
    case CURLOPT_FOLLOWLOCATION: fprintf(stderr, "curl: redirects=%ld\n", va_arg(values, long)); break;
    case CURLOPT_PROXY: say("proxy", va_arg(values, char *)); break;
    case CURLOPT_CAINFO: say("roots", va_arg(values, char *)); break;
    case CURLOPT_CAPATH: say("other roots", va_arg(values, char *)); break;
    case CURLOPT_POSTFIELDS: say("body", va_arg(values, char *)); break;
    case CURLOPT_POSTFIELDSIZE: fprintf(stderr, "curl: size=%ld\n", va_arg(values, long)); break;
    case CURLOPT_HTTPHEADER:
        for (struct curl_slist *field = va_arg(values, struct curl_slist *); field; field = field->next) say("field", field->data);
        break;
    default: break;
    }
    va_end(values);
    return CURLE_OK;
}

CURLcode curl_easy_perform(CURL *curl) {
    (void)curl;
    fprintf(stderr, "curl: perform\n");
    return CURLE_COULDNT_CONNECT;
}
