/** Version of Parlance. */
export const VERSION = '0.1.0';
/** Version of the Zulip server whose API is implemented. Clients compare it. */
export const API_VERSION = '11.0';
/** API feature level, that of Zulip 11.0. */
export const FEATURE_LEVEL = 421;
