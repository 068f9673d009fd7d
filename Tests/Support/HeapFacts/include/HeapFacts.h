#ifndef HEAP_FACTS_H
#define HEAP_FACTS_H

#include <stddef.h>

/// Bytes of memory that are given out just now, by malloc and in all threads.
size_t heap_bytes_in_use(void);

#endif
