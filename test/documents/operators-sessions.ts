import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import { InProcessShell } from '../cli/in-process-shell.ts';
import { withoutPostgres } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { blocksOf } from './blocks.ts';
import { shellLines, typeLine, typeLines } from './typed-commands.ts';

/** The address of the documents. */
const DOCUMENTED = 'postgres://chat:secret@localhost/';

let older: CompiledChatctl;
let newer: CompiledChatctl;
let server: PostgresServer | undefined;
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
  const shell = new InProcessShell(folder, { env });
  const install = async ({ bin, module }: CompiledChatctl) => {
    env.PATH = `${bin}:${process.env.PATH}`;
    shell.runCommand = (await import(pathToFileURL(module).href)).runCommand;
  };
  await install(older);
  await writeFile(join(folder, 'minutes.txt'), 'minutes of the meeting');
  const address = new URL(server?.url ?? 'postgres://localhost:1');
  const onPostgres = async (name: string) => {
    await createDatabase(name);
    return `postgres://chat:secret@${address.host}/${name}`;
  };
  const onLine = async (line: string) => {
    if (/install the new version/i.test(line)) await install(newer);
    if (/install the old version/i.test(line)) await install(older);
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
    await typeLines(lines, { cwd: folder, env, port, shell, onLine, afterLine });
  };
  const read = async (line: string) => typeLine(await onLine(line), { cwd: folder, env, shell });
  return { folder, type, read, onPostgres, uploads: join(folder, isPostgres ? 'uploads' : 'chat.db-uploads') };
}

/** The command of the nightly unit with its variables, in this folder. */
async function nightlyBackup(folder: string, database: string): Promise<string> {
  const unit = await readFile(new URL('../../examples/deploy/parlance-backup.service', import.meta.url), 'utf8');
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const [, settings = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
  assert.match(command, /chatctl backup/);
  assert.match(unit, /^EnvironmentFile=-\/etc\/parlance\/environment$/m);
  assert.match(settings, /^PARLANCE_DB=\S+$/);
  // What the file of this machine sets replaces the value of the unit.
  const line = `${database === '' ? settings : `PARLANCE_DB=${database}`} ${command.replaceAll('%%', '%')}`;
  return line.replaceAll('/var/lib/parlance', folder);
}

const INIT = 'chatctl init --db chat.db --name "Example" --email ada@example.com --full-name "Ada"';

type Session = readonly [title: string, play: (t: TestContext, on: { isPostgres: boolean }) => Promise<void>];

const page = (name: string): Session => [
  `the commands of ${name} work as they stand`,
  async (t, on) => {
    const { type } = await terminalOn(t, on);
    await type(...(await shellLines(name)));
  },
];

/** The pages that an operator needs on the worst day. */
export const OPERATORS_PAGES = ['docs/upgrading.md', 'docs/backup.md', 'docs/storage.md', 'docs/accounts.md'] as const;
const [UPGRADING, BACKUP, STORAGE, ACCOUNTS] = OPERATORS_PAGES;

/** Sessions with all commands of these pages. */
export const SESSIONS = {
  backup: page(BACKUP),
  storage: page(STORAGE),
  accounts: page(ACCOUNTS),
  downgrade: [
    'a downgrade keeps what was written since the upgrade, and can be upgraded again',
    async (t, on) => {
      const { folder, type, read } = await terminalOn(t, on);
      const lines = await shellLines(UPGRADING);
      const downgrade = lines.findIndex((line) => /after-upgrade/.test(line));
      const [before, after] = [lines.slice(0, downgrade), lines.slice(downgrade)];
      await type(...before, 'chatctl channels create later --db chat.db', ...after);
      const channels = (database: string) =>
        read(`chatctl channels list --db ${database} --jq '.streams[].name'`).then((text) => text.split('\n'));
      await type('# Install the old version.');
      assert.ok(!(await channels('chat.db')).includes('later'));
      await type('# Install the new version.', 'chatctl migrate --db chat.db --yes', 'chatctl check --db chat.db');
      await type('chatctl restore after-upgrade.backup --db again.db');
      assert.ok((await channels('again.db')).includes('later'));
      const kept = (await readdir(folder)).filter(
        (name) => name.startsWith('chat.db.before-') && !/-(wal|shm)$/.test(name),
      );
      assert.equal(kept.length, on.isPostgres ? 0 : 1);
      for (const name of kept) assert.ok((await channels(name)).includes('later'));
    },
  ],
  otherHost: [
    'a backup that is restored on another host name keeps logins and files, and links have the new name',
    async (t, on) => {
      const { type, read } = await terminalOn(t, on);
      await type(INIT, 'chatctl backup monday.backup --db chat.db');
      const key = await read('chatctl users get-api-key ada@example.com --db chat.db --json');
      await type('chatctl restore monday.backup --db moved.db --uploads moved-files');
      const link = await read('chatctl invites link --db moved.db --base-url https://new.example.com');
      assert.match(link, /^https:\/\/new\.example\.com\/join\//m);
      assert.equal(await read('chatctl users get-api-key ada@example.com --db moved.db --json'), key);
      await type('chatctl check --db moved.db --uploads moved-files');
    },
  ],
  nightlyBackup: [
    'the nightly backup fails without the uploaded files, and the earlier one stays',
    async (t, on) => {
      const { folder, type, read, uploads, onPostgres } = await terminalOn(t, on);
      await type(INIT, 'mkdir backups');
      const nightly = await nightlyBackup(folder, on.isPostgres ? await onPostgres('chat_db') : '');
      await type(nightly);
      const restored = async (place: string) => {
        await type(`chatctl restore backups/*.backup --db ${place} --uploads ${place}-files`);
        return (await readdir(join(folder, `${place}-files`), { recursive: true })).filter((name) =>
          /file$/.test(name),
        );
      };
      assert.equal((await restored('first.db')).length, 1);
      await rename(uploads, join(folder, 'moved'));
      for (const prepare of ['', 'mkdir']) {
        if (prepare) await mkdir(uploads);
        await assert.rejects(
          read(nightly),
          /The file store lacks 1 uploaded file, such as .+ There is no new backup\.[\s\S]*\[exit 1\]/,
        );
        await assert.rejects(
          read(nightly.replace('--force', '--force --allow-missing-files')),
          /has 1 uploaded file that a new backup would lack[\s\S]*\[exit 1\]/,
        );
      }
      assert.equal((await restored('second.db')).length, 1);
      await type('chatctl backup bare.backup --db chat.db --allow-missing-files');
    },
  ],
} satisfies Record<string, Session>;

export function playSessions(name: 'SQLite' | 'PostgreSQL', sessions: readonly Session[]): void {
  const isPostgres = name === 'PostgreSQL';
  describe(`with the documented rights, on ${name}`, { skip: isPostgres ? withoutPostgres : undefined }, () => {
    before(async () => {
      [older, newer] = await Promise.all([compileChatctl(), compileChatctl({ isLater: true })]);
      server ??= withoutPostgres ? undefined : await startPostgresServer();
    });
    for (const [title, play] of sessions) it(title, (t) => play(t, { isPostgres }));
  });
}

after(async () => {
  await Promise.all([older?.remove(), newer?.remove(), server?.stop()]);
});
