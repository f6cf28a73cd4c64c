import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { EXIT, reportOf } from '../../cli/failure.ts';
import { openChat } from '../../lib/index.ts';
import { SKIPPED_IDS, SKIPPED_IDS_OF_LARGE_TABLES } from '../../lib/storage/maintenance/skipped-ids.ts';
import { lastGiven, tablesOf } from '../../lib/storage/maintenance/tables.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { newestOf } from '../../lib/storage/migrations/migration.ts';
import { idsToSkip } from '../../lib/storage/postgres/origin.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';
import { withoutPostgres } from '../support/engines.ts';
import { asOwner, testPostgresUrl } from '../support/postgres.ts';

/** A new database, in which `member` has only the rights of the role PUBLIC. */
async function database(t: TestContext, options = '') {
  const root = await testPostgresUrl();
  const owner = new URL(root);
  const name = `first_${randomBytes(6).toString('hex')}`;
  await asOwner(root, `CREATE DATABASE ${name} ${options}`);
  await asOwner(root, `CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
  t.after(async () => {
    await asOwner(root, `DROP DATABASE ${name} WITH (FORCE)`);
    await asOwner(root, `DROP ROLE ${name}`);
  });
  owner.pathname = `/${name}`;
  const member = new URL(owner);
  member.username = name;
  member.password = 'x';
  return { name, owner: owner.href, member: member.href };
}

async function opened(t: TestContext, url: string): Promise<void> {
  const storage = postgres(url);
  t.after(() => storage.close());
  await storage.open();
}

async function originsOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ origin: string }>('SELECT origin FROM event_log')).rows.map(({ origin }) => origin);
  } finally {
    await client.end();
  }
}

const failsWith = (reason: string, says: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StorageError && error.reason === reason, String(error));
  assert.match(error.message, says);
  return true;
};

describe('opening PostgreSQL for the first time', { skip: withoutPostgres }, () => {
  it('without the right to create tables, the error contains the GRANT statement', async (t) => {
    const { name, owner, member } = await database(t);
    await asOwner(owner, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    const grant = `GRANT USAGE, CREATE ON SCHEMA "public" TO ${name}`;
    await assert.rejects(opened(t, member), failsWith('read-only', new RegExp(grant)));
    await assert.rejects(opened(t, `${member}?schema=chat`), failsWith('read-only', /GRANT CREATE ON DATABASE/));
    await asOwner(owner, grant);
    await opened(t, member);
    await asOwner(owner, `GRANT CREATE ON DATABASE ${name} TO ${name}`);
    await opened(t, `${member}?schema=chat`);
  });

  it('a role without rights on the schema, tables or sequences receives the GRANT statements', async (t) => {
    const { name, owner, member } = await database(t);
    const wanted = '?schema=chat';
    await opened(t, `${owner}${wanted}`);
    const grant = async (of: RegExp) => {
      const error = await opened(t, `${member}${wanted}`).catch((error: unknown) => error);
      assert.ok(failsWith('read-only', of)(error));
      const { message, advice, exitCode } = await reportOf(error);
      assert.ok(message.includes(`the role ${name} may not use`), message);
      assert.deepEqual([advice, exitCode], [undefined, EXIT.unreachable], 'chatctl prints only the statements');
      await asOwner(owner, message.split('run: ').at(-1) ?? '');
    };
    await grant(/may not use the schema "chat" and the table address_proofs and \d+ more/);
    await grant(
      /sequence audit_log_id_seq and \d+ more\. .*GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA "chat"/,
    );
    await opened(t, `${member}${wanted}`);
    await asOwner(owner, `REVOKE SELECT ON chat.organization FROM ${name}`);
    await grant(/the table organization\. As the owner, run: GRANT SELECT, .* ON TABLE "chat"\.organization TO/);
    await opened(t, `${member}${wanted}`);
    // A role that only reads needs no other rights.
    await asOwner(owner, `REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA chat FROM ${name}`);
    await asOwner(owner, `REVOKE ALL ON ALL SEQUENCES IN SCHEMA chat FROM ${name}`);
    await opened(t, `${member}${wanted}`);
  });

  it('a role that may not restore learns the owner of the tables, and one that may not back up the statement', async (t) => {
    const { name, owner, member } = await database(t);
    await opened(t, `${owner}?schema=chat`);
    await asOwner(owner, `GRANT USAGE ON SCHEMA chat TO ${name}; GRANT SELECT ON ALL TABLES IN SCHEMA chat TO ${name}`);
    const storage = postgres(`${member}?schema=chat`);
    t.after(() => storage.close());
    const version = newestOf(migrations);
    const refilled = storage.refill({ version, checkReplaceable: () => undefined }, async () => undefined);
    await assert.rejects(
      refilled,
      failsWith('read-only', /must be owner of .* Use the address of their owner, parlance\./),
    );
    const counted = tablesOf(migrations).filter((table) => table.counted);
    const lastIds = () =>
      storage.inspect(async (connection) => {
        for (const table of counted) await lastGiven(connection, table);
      });
    const grant = /run: (GRANT SELECT ON ALL SEQUENCES IN SCHEMA chat TO .*;)/;
    const error = await lastIds().catch((error: Error) => error);
    assert.ok(failsWith('read-only', grant)(error));
    await asOwner(owner, grant.exec((error as Error).message)?.[1] as string);
    await lastIds();
  });

  it('a database of another encoding is refused, with the statement that creates one in UTF8', async (t) => {
    const { owner } = await database(t, "ENCODING 'SQL_ASCII' TEMPLATE template0");
    await assert.rejects(opened(t, owner), failsWith('unsupported-engine', /SQL_ASCII.*ENCODING 'UTF8'/));
  });

  it('a restored read-only database opens and is not changed', async (t) => {
    const { name, owner } = await database(t);
    await opened(t, owner);
    await asOwner(owner, "UPDATE event_log SET origin = 'another'");
    await asOwner(owner, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await opened(t, owner);
    assert.deepEqual(await originsOf(owner), ['another']);
  });

  it('a database that continues from an older state does not reuse the ID of a lost record', async (t) => {
    const { owner: url } = await database(t);
    const account = (name: string) => ({ email: `${name}@example.com`, full_name: name });
    const records = async () => {
      const chat = await openChat({ storage: postgres(url), logger: { debug() {}, info() {}, warn() {}, error() {} } });
      try {
        if (!(await chat.hasOrganization())) await chat.createOrganization({ name: 'Example', owner: account('ada') });
        const { user_id } = await chat.system().users.ensure(account(randomBytes(4).toString('hex')));
        const { id } = await chat.as(user_id).messages.send({ type: 'direct', to: [user_id], content: 'Hello' });
        return { user_id, id };
      } finally {
        await chat.close();
      }
    };
    const before = await records();
    await asOwner(url, "UPDATE event_log SET origin = 'another'");
    const after = await records();
    assert.ok(after.user_id > before.user_id + SKIPPED_IDS, `${after.user_id}`);
    assert.ok(after.id > before.id + SKIPPED_IDS_OF_LARGE_TABLES, `${after.id}`);
    const counted = tablesOf(migrations).filter(({ counted }) => counted === 'id');
    const skipped = counted.map(({ name, isCountedOnce }): [string, number] => [
      name,
      isCountedOnce ? SKIPPED_IDS_OF_LARGE_TABLES : SKIPPED_IDS,
    ]);
    assert.deepEqual([...idsToSkip()].sort(), skipped.sort());
  });

  it('sslmode=prefer connects without TLS to a server that has none, and require fails', async (t) => {
    const { owner } = await database(t);
    await opened(t, `${owner}?sslmode=prefer`);
    await opened(t, `${owner}?sslmode=disable`);
    await assert.rejects(opened(t, `${owner}?sslmode=require`), failsWith('unreachable', /SSL/));
  });
});
