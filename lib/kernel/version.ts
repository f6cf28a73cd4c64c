/** Release of Parlance. A test compares it with package.json. */
export const VERSION = '0.1.0';
/** The version of the API's reference server whose behaviour is offered; clients compare it. */
export const API_VERSION = '11.0';
/** Feature level offered to clients: all of release 11.0. */
export const FEATURE_LEVEL = 421;
