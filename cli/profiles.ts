import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { EXIT, Failure, UsageError } from './failure.ts';

const NAME = /^[\w][\w.@-]{0,63}$/;
const END = '.zuliprc';

/** The folder with the saved logins: one zuliprc for each, and the name of the current profile. */
export function profilesFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home = homedir(),
): string {
  // The XDG specification ignores empty and relative paths.
  const base = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(home, '.config');
  return join(base, 'chatctl');
}

export function profilePath(folder: string, name: string): string {
  if (!NAME.test(name)) throw new UsageError(`"${name}" is not a valid profile name. Use letters, digits and . _ @ -`);
  return join(folder, `${name}${END}`);
}

const currentPath = (folder: string) => join(folder, 'current');

export function profileNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(END))
    .map((file) => file.slice(0, -END.length))
    .sort();
}

export function currentProfile(folder: string, read = readIfThere): string | undefined {
  const name = read(currentPath(folder))?.trim();
  return name !== undefined && NAME.test(name) && read(join(folder, `${name}${END}`)) !== undefined ? name : undefined;
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Checks that a login can be saved, before the user types a password. */
export async function checkCanKeep(path: string): Promise<void> {
  try {
    const { makeFolder } = await import('../lib/internal.ts');
    await makeFolder(dirname(path), 0o700);
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new Failure(
      `Cannot save the login in ${dirname(path)}: ${(error as NodeJS.ErrnoException).code}.`,
      EXIT.refused,
      'Choose another folder with XDG_CONFIG_HOME. Or skip the login, and set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY.',
    );
  }
}

export function keepProfile(folder: string, name: string, login: { email: string; key: string; site: string }): string {
  const path = profilePath(folder, name);
  write(path, formatZuliprc(login));
  return path;
}

export function useProfile(folder: string, name: string): void {
  write(currentPath(folder), `${name}\n`);
}

export function removeProfile(folder: string, name: string): void {
  if (currentProfile(folder) === name) rmSync(currentPath(folder), { force: true });
  rmSync(profilePath(folder, name), { force: true });
}

/** Writes atomically. The new file is private even if the old file was not. */
function write(path: string, text: string): void {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, path);
}

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

export function formatZuliprc({ email, key, site }: Required<Omit<Zuliprc, 'insecure'>>): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

/** Accepts only `true` and `false`: a typo must not switch certificate checks off. */
export function parseBoolean(text: string, where: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new UsageError(`${where} must be true or false, not "${text}".`);
}
