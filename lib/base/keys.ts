/** `Object.keys` with the keys of the type, for objects without further keys. */
export const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T & string)[];
