import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { openChat } from '../../lib/index.ts';
import { readAddress } from '../../lib/storage/postgres/address.ts';
import { keysOf } from '../../lib/storage/postgres/keys.ts';
import { connect, newPool } from '../../lib/storage/postgres/pool.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';
import { withoutPostgres } from '../support/engines.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { authority, certificateFor, withoutOpenssl } from './certificates.ts';

/** Whether a connection to this address has TLS. */
async function hasTls(address: string): Promise<boolean> {
  const { url, prefersTls } = readAddress(address);
  const pool = newPool(url, 1, { prefersTls });
  try {
    const client = await connect(pool);
    const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    client.release();
    return rows[0].ssl;
  } finally {
    await pool.end();
  }
}

const refusedAs = (says: RegExp) => (error: unknown) =>
  error instanceof StorageError && error.reason === 'unreachable' && says.test(error.message);

const UNKNOWN_AUTHORITY = /unable to (verify|get)|self-signed/;
const WRONG_HOST = /does not match certificate's altnames/;

/** On a server whose certificate is for `localhost` and signed by `ours`. */
const WITH_TLS: readonly (readonly [parameters: string, outcome: boolean | RegExp, host?: string])[] = [
  ['', false],
  ['sslmode=disable', false],
  ['sslmode=prefer', true],
  ['sslmode=require', true],
  ['sslmode=require&sslrootcert=ours', true],
  ['sslmode=require&sslrootcert=others', UNKNOWN_AUTHORITY],
  ['sslmode=verify-ca&sslrootcert=ours', true],
  ['sslmode=verify-ca&sslrootcert=others', UNKNOWN_AUTHORITY],
  ['sslmode=verify-full&sslrootcert=ours', WRONG_HOST],
  ['sslmode=verify-full&sslrootcert=ours', true, 'localhost'],
  ['sslmode=verify-full&sslrootcert=others', UNKNOWN_AUTHORITY, 'localhost'],
  ['sslmode=verify-full', UNKNOWN_AUTHORITY, 'localhost'],
];

const NO_TLS = /does not support SSL/;
const WITHOUT_TLS: readonly (readonly [parameters: string, outcome: boolean | RegExp])[] = [
  ['sslmode=disable', false],
  ['sslmode=prefer', false],
  ['sslmode=require', NO_TLS],
  ['sslmode=verify-ca&sslrootcert=ours', NO_TLS],
  ['sslmode=verify-full', NO_TLS],
];

describe('sslmode', { skip: withoutPostgres ?? withoutOpenssl }, () => {
  let folder: string;
  let server: PostgresServer;
  let plain: PostgresServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-tls-'));
    const ours = authority(folder, 'ours');
    authority(folder, 'others');
    server = await startPostgresServer({ tls: certificateFor(folder, 'localhost', ours) });
    plain = await startPostgresServer();
  });
  after(async () => {
    await server?.stop();
    await plain?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const addressOf = (url: string, parameters: string, host = '127.0.0.1') =>
    `${url.replace('127.0.0.1', host)}?${parameters.replace(/sslrootcert=(\w+)/, `sslrootcert=${folder}/$1.crt`)}`;

  const described = (outcome: boolean | RegExp) =>
    outcome instanceof RegExp ? 'is refused' : `connects ${outcome ? 'with' : 'without'} TLS`;

  async function check(address: string, outcome: boolean | RegExp): Promise<void> {
    if (outcome instanceof RegExp) await assert.rejects(hasTls(address), refusedAs(outcome));
    else assert.equal(await hasTls(address), outcome);
  }

  for (const [parameters, outcome, host] of WITH_TLS) {
    it(`${parameters || 'not given'} ${described(outcome)} at ${host ?? '127.0.0.1'}, with a certificate for localhost`, () =>
      check(addressOf(server.url, parameters, host), outcome));
  }

  for (const [parameters, outcome] of WITHOUT_TLS) {
    it(`${parameters} ${described(outcome)} if the server has no TLS`, () =>
      check(addressOf(plain.url, parameters), outcome));
  }

  it('every connection of a chat follows sslmode, the one for notifications too', async (t) => {
    const parameters = 'sslmode=verify-full&sslrootcert=ours';
    const chat = await openChat({ storage: postgres(addressOf(server.url, parameters, 'localhost')) });
    t.after(() => chat.close());
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      const connections = await until('the connection for notifications is there', async () => {
        // It keeps this lock. LISTEN is its last statement for a moment only.
        const { rows } = await client.query<{ ssl: boolean; isListening: boolean }>(
          `SELECT ssl, EXISTS (
             SELECT FROM pg_locks WHERE pid = pg_stat_ssl.pid AND locktype = 'advisory' AND granted
             AND (classid::bigint << 32 | objid::bigint) = ${keysOf('public').servers}
           ) AS "isListening"
           FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'parlance'`,
        );
        return rows.some(({ isListening }) => isListening) && rows;
      });
      assert.ok(connections.length > 1);
      assert.ok(connections.every(({ ssl }) => ssl));
    } finally {
      await client.end();
    }
  });
});
