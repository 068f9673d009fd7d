#define _GNU_SOURCE
#include "slow_resolver.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

typedef int (*resolver)(
    const char *, const char *, const struct addrinfo *, struct addrinfo **);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char rebound[64] = "127.0.0.1";
static atomic_int hanging;

void slow_resolver_rebind(const char *address) {
    pthread_mutex_lock(&mutex);
    strncpy(rebound, address, sizeof rebound - 1);
    pthread_mutex_unlock(&mutex);
}

int slow_resolver_hanging(void) { return atomic_load(&hanging); }

int getaddrinfo(
    const char *node, const char *service, const struct addrinfo *hints,
    struct addrinfo **result) {
    resolver next = (resolver)dlsym(RTLD_NEXT, "getaddrinfo");
    char address[sizeof rebound];
    if (next == NULL) return EAI_FAIL;
    if (node != NULL && strcmp(node, "hangs.test") == 0) {
        atomic_fetch_add(&hanging, 1);
        sleep(30);
        return EAI_AGAIN;
    }
    if (node != NULL && strcmp(node, "missing.test") == 0) return EAI_NONAME;
    if (node != NULL && strcmp(node, "loopback.test") == 0)
        return next("127.0.0.1", service, hints, result);
    if (node != NULL && strcmp(node, "rebinds.test") == 0) {
        pthread_mutex_lock(&mutex);
        memcpy(address, rebound, sizeof address);
        pthread_mutex_unlock(&mutex);
        return next(address, service, hints, result);
    }
    return next(node, service, hints, result);
}
