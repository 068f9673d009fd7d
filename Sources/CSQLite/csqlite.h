/* SQLite, and a typed wrapper for a variadic call, which Swift cannot make. */
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

static inline int csqlite_set_checkpoint_on_close(sqlite3 *handle, int is_on) {
    return sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_on ? 0 : 1, (int *)0);
}

#endif
