/* What the test programs share: checks that count, and bytes of texts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tokensecurity.h>

static int failures = 0;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            failures++; \
        } \
    } while (0)

/* Checks that a call failed with a code, and frees the error. */
#define REFUSED(call, expected) \
    do { \
        ts_error *error = NULL; \
        int status = call; \
        if (status != 1 || error == NULL || strcmp(ts_error_code(error), expected) != 0) { \
            fprintf(stderr, "%s:%d: %s: status %d, %s: %s\n", __FILE__, __LINE__, #call, status, \
                error ? ts_error_code(error) : "no error", error ? ts_error_message(error) : ""); \
            failures++; \
        } \
        ts_error_free(error); \
    } while (0)

/* Checks that a call succeeded. */
#define DONE(call) \
    do { \
        ts_error *error = NULL; \
        int status = call; \
        if (status != 0 || error != NULL) { \
            fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, error ? ts_error_code(error) : "no error", \
                error ? ts_error_message(error) : ""); \
            failures++; \
        } \
        ts_error_free(error); \
    } while (0)

#define TEXT(text) (text), strlen(text)
#define BYTES(text) (const uint8_t *)(text), strlen(text)
#define BUFFER(buffer) ts_buffer_bytes(buffer), ts_buffer_length(buffer)

/* A text of a buffer. */
static inline const char *text_of(ts_buffer *buffer) { return (const char *)ts_buffer_bytes(buffer); }

/* The contents of a file, which the caller frees. */
static inline char *contents(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    char *text = calloc(1, 1 << 16);
    size_t count = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    while (count > 0 && text[count - 1] == '\n') text[--count] = 0;
    return text;
}
