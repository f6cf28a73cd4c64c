import { UsageError } from './failure.ts';

/** The `[api]` section of a zuliprc. */
export interface Zuliprc {
  email?: string;
  key?: string;
  site?: string;
  insecure?: boolean;
}

/** Reads a zuliprc; `path` only names it in messages. */
export function parseZuliprc(text: string, path: string): Zuliprc {
  const fields: Record<string, string> = {};
  let section: string | undefined;
  let hasApi = false;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const heading = /^\[(.*)\]$/.exec(line);
    if (heading) {
      section = heading[1]?.trim();
      hasApi ||= section === 'api';
      continue;
    }
    if (section !== 'api') continue;
    const field = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(line);
    if (!field) throw new UsageError(`${path}, line ${index + 1}: expected name=value.`);
    fields[(field[1] as string).toLowerCase()] = field[2] as string;
  }
  if (!hasApi) throw new UsageError(`${path} has no [api] section.`, 'Add [api] and the lines email=, key= and site=.');
  const { email, key, site, insecure } = fields;
  return {
    ...(email ? { email } : {}),
    ...(key ? { key } : {}),
    ...(site ? { site } : {}),
    ...(insecure === undefined ? {} : { insecure: parseBoolean(insecure, `insecure in ${path}`) }),
  };
}

/** Formats a zuliprc that `parseZuliprc` can read. */
export function formatZuliprc({ email, key, site }: Required<Omit<Zuliprc, 'insecure'>>): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

/** Accepts only `true` and `false`: a typo must not switch certificate checks off. */
export function parseBoolean(text: string, where: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new UsageError(`${where} must be true or false, not "${text}".`);
}
