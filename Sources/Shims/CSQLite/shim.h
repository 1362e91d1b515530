#pragma once
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1, which Swift cannot import. */
static inline sqlite3_destructor_type homeward_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* sqlite3_db_config is variadic; this covers the options that take (int, int *). */
static inline int homeward_sqlite_db_config(sqlite3 *db, int option, int value) {
  int now = 0;
  return sqlite3_db_config(db, option, value, &now);
}
