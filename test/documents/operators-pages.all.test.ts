import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import { withoutPostgres } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { blocksOf } from './blocks.ts';
import { OPERATORS_PAGES } from './operators-pages.ts';
import { shellLines, typeLine, typeLines } from './typed-commands.ts';

/** The address of the documents. */
const DOCUMENTED = 'postgres://chat:secret@localhost/';

let older: CompiledChatctl;
let newer: CompiledChatctl;
let server: PostgresServer | undefined;
before(async () => {
  [older, newer] = await Promise.all([compileChatctl(), compileChatctl({ isLater: true })]);
  server = withoutPostgres ? undefined : await startPostgresServer();
});
after(async () => {
  await Promise.all([older.remove(), newer.remove(), server?.stop()]);
});

/** Runs the documented statements that create a role and its database, for a database of this name. */
async function createDatabase(name: string): Promise<void> {
  const blocks = (await blocksOf('docs/storage.md')).filter(({ language }) => language === 'sql');
  const statements = blocks.flatMap(({ text }) => text.split('\n')).filter((line) => line !== '');
  const root = new URL(server?.url as string);
  let client = new pg.Client({ connectionString: root.href });
  await client.connect();
  const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  for (const documented of rows.length > 0 ? [] : statements) {
    const statement = documented.replace(/(DATABASE|connect) chat\b/, `$1 ${name}`);
    if (statement.startsWith('\\connect')) {
      await client.end();
      root.pathname = `/${name}`;
      client = new pg.Client({ connectionString: root.href });
      await client.connect();
    } else
      await client.query(statement).catch((error: { code?: string }) => {
        // The role of an earlier database.
        assert.ok(/^CREATE ROLE/.test(statement) && error.code === '42710', String(error));
      });
  }
  await client.end();
}

async function dropDatabases(): Promise<void> {
  const client = new pg.Client({ connectionString: server?.url as string });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres'",
  );
  for (const { name } of rows) await client.query(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  await client.end();
}

const storages = [
  { name: 'SQLite', skip: undefined, isPostgres: false },
  { name: 'PostgreSQL', skip: withoutPostgres, isPostgres: true },
];

/** Types lines in an empty folder, on one storage. Each new organization gets an uploaded file. */
async function terminalOn(t: TestContext, { isPostgres }: { isPostgres: boolean }) {
  const folder = await mkdtemp(join(memoryFolder(), 'commands-'));
  t.after(async () => {
    await rm(folder, { recursive: true, force: true });
    if (server) await dropDatabases();
  });
  const port = await freePort();
  const env: Record<string, string> = {
    HOME: folder,
    LANG: 'C.UTF-8',
    ...(isPostgres ? { PARLANCE_UPLOADS: join(folder, 'uploads') } : {}),
  };
  const install = (version: CompiledChatctl) => {
    env.PATH = `${version.bin}:${process.env.PATH}`;
  };
  install(older);
  await writeFile(join(folder, 'minutes.txt'), 'minutes of the meeting');
  const address = new URL(server?.url ?? 'postgres://localhost:1');
  const onPostgres = async (name: string) => {
    await createDatabase(name);
    return `postgres://chat:secret@${address.host}/${name}`;
  };
  const onLine = async (line: string) => {
    if (/install the new version/i.test(line)) install(newer);
    if (/install the old version/i.test(line)) install(older);
    const database = line.includes(DOCUMENTED) ? await onPostgres('chat') : '';
    const typed = line.replaceAll(`${DOCUMENTED}chat`, database);
    const [, file] = /--db (\w+)\.db/.exec(typed) ?? [];
    return isPostgres && file ? typed.replaceAll(`--db ${file}.db`, `--db ${await onPostgres(`${file}_db`)}`) : typed;
  };
  const type = async (...lines: string[]) => {
    const afterLine = async (line: string) => {
      const [, place] = /^chatctl init --db (\S+)/.exec(line) ?? [];
      if (place) await type(`chatctl uploads send minutes.txt --db ${place}`);
    };
    await typeLines(lines, { cwd: folder, env, port, onLine, afterLine });
  };
  const read = async (line: string) => typeLine(await onLine(line), { cwd: folder, env });
  return { folder, type, read };
}

for (const { name, skip, isPostgres } of storages) {
  describe(`with the documented rights, on ${name}`, { skip }, () => {
    for (const page of OPERATORS_PAGES) {
      it(`the commands of ${page} work as they stand`, async (t) => {
        const { type } = await terminalOn(t, { isPostgres });
        await type(...(await shellLines(page)));
      });
    }
  });
}
