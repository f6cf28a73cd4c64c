import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { runCommand } from '../../cli/program.ts';
import { openChat, sqlite } from '../../lib/index.ts';
import { serve } from '../../server/index.ts';
import { withoutOpenssl } from '../storage/certificates.ts';
import { withoutPostgres } from '../support/engines.ts';
import { asOwner, postgresPlace } from '../support/postgres.ts';
import { compileChatctl } from './compiled-chatctl.ts';
import { proxyTo, selfSigned } from './doctor-places.ts';
import { organization } from './organization.ts';
import { terminal } from './terminals.ts';

const TOKEN = 'a token of the metrics of this server';

interface Diagnosis {
  findings: { check: string; says: string; advice: string }[];
  fixed: { says: string }[];
  checks: string[];
}

async function diagnose(...words: string[]): Promise<Diagnosis> {
  let printed = '';
  const out = (text: string) => {
    printed += text;
  };
  await runCommand(['doctor', ...words, '--json'], { ...terminal(), out });
  return JSON.parse(printed);
}

test('chatctl doctor checks a valid certificate and the headers of a TLS proxy', {
  skip: withoutOpenssl,
}, async (t) => {
  const { folder, path } = await organization(t);
  const chat = await openChat({ storage: sqlite(path) });
  const { url, close } = await serve(chat, { port: 0, inspectionToken: TOKEN, trustProxy: 1 });
  t.after(async () => {
    await close();
    await chat.close();
  });
  const port = Number(new URL(url).port);
  const tls = selfSigned(folder, { days: 60, of: 90 });
  const authority = join(folder, 'authority.crt');
  await writeFile(authority, tls.cert);
  const chatctl = await compileChatctl();
  t.after(chatctl.remove);
  const diagnoseAt = async (site: string): Promise<Diagnosis & { not_checked: { check: string }[] }> => {
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority, PARLANCE_METRICS_TOKEN: TOKEN, HOME: folder };
    const words = ['doctor', '--db', path, '--base-url', site, '--trust-proxy', '1', '--json'];
    const ran = promisify(execFile)(process.execPath, [chatctl.program, ...words], { env });
    const { stdout } = await ran.catch((error: { stdout: string }) => error);
    return JSON.parse(stdout);
  };
  const good = await diagnoseAt(await proxyTo(t, port, { tls }));
  assert.deepEqual(good.findings, []);
  assert.ok(['certificate', 'proxy headers', 'clock of the server'].every((name) => good.checks.includes(name)));
  const [plain] = (await diagnoseAt(await proxyTo(t, port, { tls, proto: 'http' }))).findings;
  assert.match(`${plain?.check}: ${plain?.says}`, /^proxy headers: .+ does not send X-Forwarded-Proto: https/);
});

test('chatctl doctor --fix rebuilds an index of SQLite that misses rows', async (t) => {
  const { path } = await organization(t);
  const database = new Database(path).unsafeMode(true);
  database.exec(`CREATE INDEX broken ON users (id, role) WHERE id < 0; PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, ' WHERE id < 0', '') WHERE name = 'broken'`);
  database.close();
  const { findings } = await diagnose('--db', path);
  assert.match(`${findings[0]?.check} ${findings[0]?.says}`, /^damage .+ index broken\)\.$/);
  assert.deepEqual([findings.length, findings[0]?.advice], [1, 'Run `chatctl doctor --fix`.']);
  const fixed = await diagnose('--db', path, '--fix');
  assert.deepEqual([fixed.findings, fixed.fixed.length], [[], 1]);
  assert.deepEqual((await diagnose('--db', path)).findings, []);
});

async function organizationOnPostgres(t: TestContext) {
  const { url, schema, storage, drop } = await postgresPlace();
  t.after(drop);
  const chat = await openChat({ storage: storage() });
  await chat.createOrganization({ name: 'Example', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  await chat.close();
  return { url, schema, words: ['--db', url, '--schema', schema] };
}

test('chatctl doctor finds and repairs on PostgreSQL what it does on SQLite', { skip: withoutPostgres }, async (t) => {
  const { url, schema, words } = await organizationOnPostgres(t);
  const sound = await diagnose(...words);
  assert.deepEqual(sound.findings, []);
  assert.ok(sound.checks.includes('clock of the database'));
  const now = Date.now();
  for (const statement of [
    `UPDATE pg_index SET indisvalid = false WHERE indexrelid = CAST('${schema}.outbox_by_kind' AS regclass)`,
    `UPDATE ${schema}.upload_space SET used = 7`,
    `INSERT INTO ${schema}.bot_storage_sizes (user_id, entries, bytes) SELECT id, 3, 30 FROM ${schema}.users WHERE role = 100`,
    `INSERT INTO ${schema}.email_bounces (user_id, bounced_ms, address)
      SELECT u.id, ${now} - n, 'ada@example.com' FROM ${schema}.users u, generate_series(1, 3) n WHERE u.delivery_email = 'ada@example.com'`,
    `INSERT INTO ${schema}.outbox (kind, payload, due_ms, attempts, last_error, created_ms, given_up_ms)
      VALUES ('mail', '{}', NULL, 9, 'no route', ${now}, ${now})`,
  ])
    await asOwner(url, statement);
  const names = ({ findings }: Diagnosis) => findings.map(({ check }) => check);
  const broken = await diagnose(...words);
  assert.deepEqual(names(broken), ['damage', 'damage', 'damage', 'paused addresses', 'given up']);
  const fixed = await diagnose(...words, '--fix');
  assert.deepEqual([names(fixed), fixed.fixed.length], [['paused addresses', 'given up'], 3]);
});
