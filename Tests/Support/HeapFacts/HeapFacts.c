#include "HeapFacts.h"

#include <malloc.h>

size_t heap_bytes_in_use(void) {
    // Swift does not see it: its module of the C library leaves malloc.h out.
    struct mallinfo2 facts = mallinfo2();
    return facts.uordblks + facts.hblkhd;
}
