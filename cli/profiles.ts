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
import { errorOf, present } from '../lib/internal.ts';
import { defined } from './environment.ts';
import { Failure, UsageError } from './failure.ts';
import { problemOf } from './files.ts';

const PROFILE_NAME = /^[\w][\w.@-]{0,63}$/;
const PROFILE_EXTENSION = '.zuliprc';

/** The folder with the saved logins: one zuliprc for each, and the name of the current profile. */
function profilesFolder(): string {
  const { XDG_CONFIG_HOME: configured } = process.env;
  // The XDG specification ignores empty and relative paths.
  return join(configured?.startsWith('/') ? configured : join(homedir(), '.config'), 'chatctl');
}

export function profilePath(name: string): string {
  if (!PROFILE_NAME.test(name))
    throw new UsageError(`"${name}" is not a valid profile name. Use letters, digits and . _ @ -`);
  return join(profilesFolder(), `${name}${PROFILE_EXTENSION}`);
}

const currentPath = () => join(profilesFolder(), 'current');

export function profileNames(): string[] {
  const folder = profilesFolder();
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(PROFILE_EXTENSION))
    .map((file) => file.slice(0, -PROFILE_EXTENSION.length))
    .sort();
}

export function currentProfile(): string | undefined {
  const name = readIfThere(currentPath())?.trim();
  return name !== undefined && PROFILE_NAME.test(name) && existsSync(profilePath(name)) ? name : undefined;
}

export function readIfThere(path: string): string | undefined {
  try {
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${problemOf(errorOf(error))}`);
  }
}

/** Checks that a login can be saved, before the user types a password. */
export async function checkCanKeep(path: string): Promise<void> {
  try {
    const { makeFolder } = await import('../lib/internal.ts');
    await makeFolder(dirname(path), 0o700);
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new Failure(
      `Cannot save the login in ${dirname(path)}: ${problemOf(errorOf(error))}`,
      'Choose another folder with XDG_CONFIG_HOME. Or skip the login, and set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY.',
    );
  }
}

export function keepProfile(name: string, login: { email: string; key: string; site: string }): void {
  write(profilePath(name), formatZuliprc(login));
}

export function useProfile(name: string): void {
  write(currentPath(), `${name}\n`);
}

export function removeProfile(name: string): void {
  if (currentProfile() === name) rmSync(currentPath(), { force: true });
  rmSync(profilePath(name), { force: true });
}

/** Writes atomically. The new file is private even if the old file was not. */
function write(path: string, text: string): void {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, path);
}

export interface Zuliprc {
  email?: string | undefined;
  key?: string | undefined;
  site?: string | undefined;
  insecure?: boolean | undefined;
}

/** Reads a zuliprc; `path` only names it in messages. The package `ini` knows no colons and reports no broken lines. */
export function parseZuliprc(text: string, path: string): Zuliprc {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const start = lines.findIndex((line) => /^\s*\[\s*api\s*\]\s*$/.test(line)) + 1;
  if (start === 0)
    throw new UsageError(`${path} has no [api] section.`, 'Add [api] and the lines email=, key= and site=.');
  const fields: Record<string, string> = {};
  for (const [index, line] of lines.slice(start).entries()) {
    if (/^\s*\[.*\]\s*$/.test(line)) break;
    if (/^\s*([#;].*)?$/.test(line)) continue;
    const [, name, value] = /^\s*([^=:]+?)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) throw new UsageError(`${path}, line ${start + index + 1}: expected name=value.`);
    fields[name.toLowerCase()] = present(value);
  }
  const { email, key, site, insecure } = fields;
  return defined({
    email: email || undefined,
    key: key || undefined,
    site: site || undefined,
    insecure: insecure === undefined ? undefined : parseBoolean(insecure, `insecure in ${path}`),
  });
}

export const formatZuliprc = ({ email, key, site }: Pick<Zuliprc, 'email' | 'key' | 'site'>): string =>
  `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;

/** Accepts only `true` and `false`: a typo must not switch certificate checks off. */
export function parseBoolean(text: string, where: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new UsageError(`${where} must be true or false, not "${text}".`);
}
