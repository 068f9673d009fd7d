// Takes the place of the C library's allocator in the program that links it, counts and passes on.
// Not under a sanitizer, which does the same for reasons of its own.
#include "AllocationCounter.h"

#include <stddef.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

int allocations_are_counted(void) { return 0; }
unsigned long allocation_count(void) { return 0; }

#else

#include <errno.h>

static _Thread_local unsigned long count;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count++;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count++;
    void *found = __libc_memalign(alignment, size);
    if (found == NULL) return ENOMEM;
    *memory = found;
    return 0;
}

int allocations_are_counted(void) { return 1; }
unsigned long allocation_count(void) { return count; }

#endif
