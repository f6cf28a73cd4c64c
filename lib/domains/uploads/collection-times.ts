const DAY_MS = 86_400_000;

/** Incomplete files are removed after this time. */
export const COLLECT_PENDING_MS = DAY_MS;
/** Files are removed after this time without a claim. */
export const COLLECT_UNCLAIMED_MS = 35 * DAY_MS;
/** Files in a draft or scheduled message are checked again after this time. */
export const LOOK_AGAIN_MS = DAY_MS;
