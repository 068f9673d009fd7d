#ifndef SLOW_RESOLVER_H
#define SLOW_RESOLVER_H

/* Stands before libc's getaddrinfo in a test process:
   - "hangs.test" is answered after 30 s, with an error;
   - "loopback.test" is 127.0.0.1;
   - "rebinds.test" is what slow_resolver_rebind() said last, 127.0.0.1 at first;
   - "missing.test" does not exist, without a look at the network.
   Everything else goes to libc. */

/* What "rebinds.test" is from now on, as numbers; at most 63 characters count. */
void slow_resolver_rebind(const char *address);

/* How many look-ups of "hangs.test" have begun; a test that links this also links the resolver. */
int slow_resolver_hanging(void);

#endif
