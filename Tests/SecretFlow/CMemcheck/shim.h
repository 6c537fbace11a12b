#include <stddef.h>
#include <valgrind/memcheck.h>

// From here on these bytes are secrets: a branch or a place in memory that depends on them is reported.
static inline void memcheck_make_undefined(const void *start, size_t count) {
  (void)VALGRIND_MAKE_MEM_UNDEFINED(start, count);
}

// From here on these bytes may be known.
static inline void memcheck_make_defined(const void *start, size_t count) {
  (void)VALGRIND_MAKE_MEM_DEFINED(start, count);
}

// How often something was reported.
static inline unsigned memcheck_errors(void) { return VALGRIND_COUNT_ERRORS; }

// 0 where nobody watches.
static inline unsigned memcheck_is_running(void) { return RUNNING_ON_VALGRIND; }
