import { MAX_BOUNCES, PAUSE_MS } from '../domains/notifications/email/bounces.ts';
import type { Keepable } from '../storage/maintenance/tables.ts';
import type { Connection } from '../storage/sql/connection.ts';

/** The state of a chat in its database, besides damage. */
export interface Examination {
  organization: { name: string; uuid: string };
  /** Milliseconds to add for the time of the database. undefined: it runs on this machine. */
  clockOffsetMs: number | undefined;
  /** Addresses of accounts that get no e-mail notifications, because the mail server refuses them as unknown. */
  pausedAddresses: string[];
  /** Side effects that finally failed in the last week, and the last error of each kind. */
  givenUp: { kind: string; count: number; error: string | null }[];
  /** Uploaded files whose removal is late by more than a day. */
  lateRemovals: number;
}

const DAY_MS = 86_400_000;
const GIVEN_UP_MS = 7 * DAY_MS;

/**
 * Reads the state of a chat. Changes nothing.
 * @throws StorageError if reading fails
 */
export function examine(storage: Keepable, now: number): Promise<Examination> {
  return storage.inspect(async (connection) => ({
    organization: (await connection.get<{ name: string; uuid: string }>(
      'SELECT name, uuid FROM organization WHERE id = 1',
    )) ?? { name: '', uuid: '' },
    clockOffsetMs: await clockOffsetOf(connection),
    pausedAddresses: await connection.column<string>(PAUSED, [now - PAUSE_MS, MAX_BOUNCES]),
    givenUp: await connection.all<Examination['givenUp'][number]>(GIVEN_UP, [now - GIVEN_UP_MS]),
    lateRemovals:
      (await connection.value('SELECT COUNT(*) AS n FROM uploads WHERE collect_ms < ?', [now - DAY_MS])) ?? 0,
  }));
}

/**
 * Writes to the database without changing anything.
 * @throws StorageError if writing fails
 */
export async function testWrite(storage: Keepable): Promise<void> {
  await storage.change(async (connection) => connection.run('UPDATE organization SET name = name WHERE id = 1'), {
    isShared: true,
  });
}

async function clockOffsetOf(connection: Connection): Promise<number | undefined> {
  if (connection.dialect.name !== 'postgres') return undefined;
  const began = Date.now();
  const there = await connection.value('SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint) AS now');
  return there === undefined ? undefined : there - (began + Date.now()) / 2;
}

const PAUSED = `
  SELECT u.delivery_email FROM email_bounces b JOIN users u ON u.id = b.user_id AND u.delivery_email = b.address
  WHERE b.bounced_ms >= ? AND u.is_active = 1
  GROUP BY u.id, u.delivery_email HAVING COUNT(*) >= CAST(? AS BIGINT) ORDER BY u.id`;

const GIVEN_UP = `
  SELECT g.kind, g.count, o.last_error AS error FROM (
    SELECT kind, COUNT(*) AS count, MAX(id) AS last FROM outbox
    WHERE due_ms IS NULL AND COALESCE(given_up_ms, created_ms) >= ? GROUP BY kind) AS g
  JOIN outbox o ON o.id = g.last ORDER BY g.kind`;
