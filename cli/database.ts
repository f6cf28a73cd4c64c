import { existsSync, statSync } from 'node:fs';
import type { Chat, ChatOptions, FileStore, Keepable, S3Options, Storage } from '../lib/index.ts';
import { codeOf, errorOf, shellWord } from '../lib/internal.ts';
import { defined, findSetting, type Setting } from './environment.ts';
import { EXIT, Failure, UsageError } from './failure.ts';

export const DEFAULT_DATABASE = 'chat.db';

export interface ChosenDatabase {
  /** A file, or a `postgres://` address. */
  location: string;
  /** For messages, without passwords. */
  place: string;
  /** The option or the variable that names it. Undefined for the default. */
  source?: string | undefined;
}

/** The database of a command that cannot use a server: from the option, the environment, or the default. */
export function chooseDatabase(typed: { db?: string; schema?: string }): ChosenDatabase {
  const { value, source } = findSetting('--db', typed.db) ?? { value: DEFAULT_DATABASE };
  const location = withSchema(value, findSetting('--schema', typed.schema));
  return defined({ location, place: withoutPassword(location), source });
}

/** The `s3://` address of the bucket for uploaded files, if they are in one. */
export function bucketOf(typed: string | undefined): string | undefined {
  const place = findSetting('--uploads', typed)?.value;
  return place?.startsWith('s3://') ? place : undefined;
}

/** The store for uploaded files. By default, a folder next to a SQLite file; no store for PostgreSQL and `:memory:`. */
export async function filesFor(location: string, typed?: string): Promise<{ files?: FileStore }> {
  const { localFiles, s3Files } = await import('../lib/index.ts');
  const place = findSetting('--uploads', typed);
  if (place?.value.startsWith('s3://')) return { files: s3Files(bucketAt(place, process.env)) };
  const folder = uploadFolder(location, typed);
  return folder === undefined ? {} : { files: localFiles(folder) };
}

/** The folder of uploaded files. Undefined if there is none, or a bucket. */
export function uploadFolder(location: string, typed?: string): string | undefined {
  const place = findSetting('--uploads', typed)?.value;
  if (place) return place.startsWith('s3://') ? undefined : place;
  return isPostgres(location) || location === ':memory:' ? undefined : `${location}-uploads`;
}

/** Reads `s3://bucket/prefix`, and the other settings from the usual `AWS_*` variables. */
function bucketAt({ value: address, source }: Setting, env: NodeJS.ProcessEnv): S3Options {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === '')
    // Not the address: a wrong one may contain keys, as in `s3://KEY:SECRET@bucket`.
    throw new UsageError(`${source} is not a valid bucket address.`, 'Write it as s3://bucket/prefix.');
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError(
      `No access key for ${address}.`,
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_REGION or AWS_ENDPOINT_URL_S3 if needed.',
    );
  return {
    bucket,
    prefix,
    region: env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined,
    endpoint: env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined,
    credentials: { accessKeyId, secretAccessKey, sessionToken: token || undefined },
  };
}

/** Loads only the driver it needs. Reader threads are only for a server, where requests share the storage. */
async function storageAt(location: string, { isShared = false } = {}): Promise<Storage & Keepable> {
  if (!isPostgres(location))
    return (await import('../lib/index.ts')).sqlite(location, isShared ? {} : { readerThreads: 0 });
  try {
    return (await import('../lib/storage/postgres/postgres.ts')).postgres(location);
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Failure(
      'PostgreSQL needs the package "pg", which is not installed.',
      'Run `npm install pg`.',
      EXIT.unreachable,
    );
  }
}

/** Opens a chat. Migrates an existing database unless `migrate` says otherwise. */
export async function openChatAt(
  location: string,
  options: Omit<ChatOptions, 'storage'>,
  { isShared = false } = {},
): Promise<{ chat: Chat; storage: Storage }> {
  const { openChat } = await import('../lib/index.ts');
  const storage = await storageAt(location, { isShared });
  const chat = await openChat({ ...options, storage }).catch(async (error: unknown) => {
    await storage.close();
    throw await withAdvice(error, location);
  });
  return { chat, storage };
}

/** Closes the storage after `work`. */
export async function withStorage<T>(location: string, work: (storage: Storage & Keepable) => Promise<T>): Promise<T> {
  const storage = await storageAt(location);
  try {
    return await work(storage);
  } catch (error) {
    throw await withAdvice(error, location);
  } finally {
    await storage.close();
  }
}

async function withAdvice(error: unknown, location: string): Promise<unknown> {
  const { StorageError } = await import('../lib/index.ts');
  const reason = error instanceof StorageError ? error.reason : undefined;
  if (reason === 'empty') return noOrganization(location);
  if (reason !== 'older-version') return error;
  return new Failure(
    errorOf(error).message,
    `Migrate it with \`chatctl migrate --db ${shellWord(withoutPassword(location))}\`.`,
    EXIT.unreachable,
  );
}

/** @throws Failure if the database is empty: `chatctl init` creates an organization */
export const planOf = (location: string) =>
  withStorage(location, async (storage) => (await import('../lib/index.ts')).planMigration(storage));

export async function withChat(
  database: ChosenDatabase,
  work: (opened: { chat: Chat; storage: Storage }) => Promise<void>,
): Promise<void> {
  checkDatabase(database);
  const opened = await openChatAt(database.location, { migrate: false });
  try {
    await work(opened);
  } finally {
    await opened.chat.close();
  }
}

/** A mistyped path must not become a new, empty database. */
export function checkDatabase({ location, source }: ChosenDatabase): void {
  if (isPostgres(location)) return;
  const found = existsSync(location);
  if (found && statSync(location).isDirectory())
    throw new Failure(`${location} is a folder, not a database.`, undefined, EXIT.unreachable);
  if (found) return;
  const isByVariable = source !== undefined && source !== '--db';
  throw new Failure(
    `There is no database ${location}${isByVariable ? ` (from ${source})` : ''}.`,
    `Check the path, or create it with \`chatctl init --db ${shellWord(location)}\`.`,
    EXIT.unreachable,
  );
}

/** An existing database, for commands that cannot use a server. */
export function existingDatabase(typed: { db?: string; schema?: string }): ChosenDatabase {
  const database = chooseDatabase(typed);
  checkDatabase(database);
  return database;
}

export function noOrganization(location: string): Failure {
  const place = withoutPassword(location);
  return new Failure(`${place} has no organization yet.`, `Create one with \`chatctl init --db ${shellWord(place)}\`.`);
}

export const isPostgres = (location: string) => /^postgres(ql)?:\/\//i.test(location);

/** Parameters of an address that carry a secret: `password`, `sslpassword`. */
const SECRET = /password|passphrase/i;

/** The database for messages and logs, without passwords. Always print this, never the address itself. */
export function withoutPassword(location: string): string {
  if (!isPostgres(location)) return location;
  const url = URL.canParse(location) ? new URL(location) : undefined;
  // An "@" after the host may be the end of a password with an unescaped "/", "?" or "#". Print nothing of it.
  if (!url || /@/.test(url.pathname + url.hash) || (url.username === '' && /@/.test(url.search)))
    return 'postgres://...';
  const secrets = [...url.searchParams.keys()].filter((name) => SECRET.test(name));
  if (url.password === '' && secrets.length === 0) return location;
  url.password = '';
  for (const name of secrets) url.searchParams.delete(name);
  return url.href;
}

/** Adds the schema from the option or the variable to the address, as `?schema=NAME`. */
function withSchema(location: string, schema: Setting | undefined): string {
  if (!schema) return location;
  const { value, source } = schema;
  const leaveOut = source === '--schema' ? 'Leave out --schema' : `Unset ${source}`;
  if (!isPostgres(location))
    throw new UsageError(
      `${source} works only with PostgreSQL, but the database is a SQLite file.`,
      `${leaveOut}, or use a PostgreSQL address such as postgres://chat@db/chat.`,
    );
  const [, address = '', hash = ''] = /^([^#]*)(.*)$/s.exec(location) ?? [];
  const [, query] = address.split('?', 2);
  const named = new URLSearchParams(query).get('schema');
  if (named !== null && named !== value)
    throw new UsageError(
      `${source} is ${value}, but the address of the database has schema=${named}.`,
      `${leaveOut}, or remove schema from the address.`,
    );
  if (named !== null) return location;
  return `${address}${query === undefined ? '?' : '&'}schema=${encodeURIComponent(value)}${hash}`;
}
