import { existsSync } from 'node:fs';
import type { Storage } from '../lib/index.ts';
import { EXIT, Failure } from './failure.ts';

/** Used by `init` and `serve` when nothing else is said. */
export const DEFAULT_DATABASE = 'chat.db';

const isPostgres = (location: string) => /^postgres(ql)?:\/\//.test(location);

/** The storage at a place; loads only the driver it needs. */
export async function storageAt(location: string): Promise<Storage> {
  if (!isPostgres(location)) return (await import('../lib/index.ts')).sqlite(location);
  try {
    return (await import('../lib/storage/postgres/postgres.ts')).postgres(location);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Failure(
      'PostgreSQL needs the package "pg", which is not installed.',
      EXIT.unreachable,
      'Run `npm install pg`.',
    );
  }
}

/** A mistyped path must not become a new, empty database. */
export function checkDatabase(location: string): void {
  if (isPostgres(location) || existsSync(location)) return;
  throw new Failure(
    `There is no database ${location}.`,
    EXIT.unreachable,
    `Check the path, or make one with \`chatctl init --db ${location}\`.`,
  );
}

/** For messages: without the password an address may carry. */
export function withoutPassword(location: string): string {
  return location.replace(/^(postgres(?:ql)?:\/\/[^:/@]*):[^@]*@/, '$1@');
}

export function noOrganization(location: string): Failure {
  const place = withoutPassword(location);
  return new Failure(
    `${place} holds no organization yet.`,
    EXIT.refused,
    `Create one with \`chatctl init --db ${place}\`.`,
  );
}
