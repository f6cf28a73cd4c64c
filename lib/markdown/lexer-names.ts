import { LEXERS } from './data/lexers.ts';

let names: Map<string, string> | undefined;

/** What the reference calls a language: `js` is JavaScript. Undefined for a language nobody knows. */
export function lexerName(alias: string): string | undefined {
  names ??= readNames();
  return names.get(alias.toLowerCase());
}

function readNames(): Map<string, string> {
  const read = new Map<string, string>();
  for (const line of LEXERS.trim().split('\n')) {
    const [name = '', aliases = ''] = line.split('\t');
    for (const alias of aliases.split(' ')) if (!read.has(alias)) read.set(alias, name);
  }
  return read;
}
