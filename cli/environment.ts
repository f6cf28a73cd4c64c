/** A setting and its source: an option (`--db`) or a variable (`PARLANCE_DB`). */
export type Setting = { readonly value: string; readonly source: string };

/** The variable of an option: `--max-upload` is `PARLANCE_MAX_UPLOAD`. */
export const variableOf = (flag: string) => `PARLANCE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;

/** Reads a variable, `PARLANCE_DB`, or its older name, `CHATCTL_DB`. Empty counts as unset. */
export function findVariable(name: string, other?: string): Setting | undefined {
  for (const source of [name, name.replace(/^PARLANCE_/, 'CHATCTL_'), other]) {
    const value = source && process.env[source]?.trim();
    if (value) return { value, source };
  }
  return undefined;
}

/** Without the fields that are undefined. */
export const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

export const findSetting = (flag: string, typed: string | undefined): Setting | undefined =>
  typed === undefined ? findVariable(variableOf(flag)) : { value: typed, source: flag };
