const DAY_MS = 86_400_000;

/** A file of which not everything has arrived by then is given up. */
export const COLLECT_PENDING_MS = DAY_MS;
/** What no message links to for so long is removed. */
export const COLLECT_UNCLAIMED_MS = 35 * DAY_MS;
/** What a draft or a scheduled message names is looked at again after this. */
export const LOOK_AGAIN_MS = DAY_MS;
