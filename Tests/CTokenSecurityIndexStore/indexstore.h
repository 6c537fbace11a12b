#ifndef TOKEN_SECURITY_INDEX_STORE_H
#define TOKEN_SECURITY_INDEX_STORE_H

// The types of functions of libIndexStore, which is part of the compiler and is loaded by path. Version 0.16 of its interface.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *data;
  size_t length;
} index_text;

typedef bool (*index_unit_found)(void *context, index_text name);
typedef bool (*index_found)(void *context, void *item);

typedef void *(*index_store_create)(const char *path, void **error);
typedef bool (*index_store_units)(void *store, unsigned sorted, void *context, index_unit_found found);
// Readers of a unit and of a record.
typedef void *(*index_reader_create)(void *store, const char *name, void **error);
typedef void (*index_dispose)(void *item);
typedef bool (*index_apply)(void *reader, void *context, index_found found);
typedef index_text (*index_get_text)(void *item);
typedef int (*index_get_kind)(void *item);
typedef void *(*index_get_item)(void *item);
typedef uint64_t (*index_get_roles)(void *occurrence);
typedef void (*index_get_line)(void *occurrence, unsigned *line, unsigned *column);

// The kind of a unit's dependency that is a record.
static const int index_dependency_record = 2;
// Roles of an occurrence.
static const uint64_t index_role_definition = 1 << 1;
static const uint64_t index_role_reference = 1 << 2;

#endif
