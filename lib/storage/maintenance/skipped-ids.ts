/**
 * IDs to skip when a database continues from an older state, after a failover or a restore: they may have been assigned
 * since. Otherwise a new account would get the API key of a lost account, and an old link would lead to a new message.
 */
export const SKIPPED_IDS = 10_000;
/** For messages and other large tables, whose IDs are declared as `LOG_ID`. */
export const SKIPPED_IDS_OF_LARGE_TABLES = 1_000_000;
