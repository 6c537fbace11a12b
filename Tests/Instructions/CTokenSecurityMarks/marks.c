#include "CTokenSecurityMarks.h"

// The empty assembly keeps the compiler from removing the calls.
__attribute__((noinline)) void cost_begin(void) { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void cost_end(void) { __asm__ volatile("" ::: "memory"); }
