#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// How often this thread has allocated memory, or 0 where a sanitizer does the allocating.
unsigned long allocation_count(void);

/// Whether allocations are counted.
int allocations_are_counted(void);

#endif
