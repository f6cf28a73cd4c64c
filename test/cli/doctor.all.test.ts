import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { EXIT } from '../../cli/failure.ts';
import { runCommand } from '../../cli/program.ts';
import { openChat } from '../../lib/index.ts';
import { withoutOpenssl } from '../storage/certificates.ts';
import { withoutPostgres } from '../support/engines.ts';
import { asOwner, postgresPlace } from '../support/postgres.ts';
import { compileChatctl } from './compiled-chatctl.ts';
import {
  type Diagnosis,
  diagnose,
  madeChat,
  proxyTo,
  type Run,
  selfSigned,
  serving,
  setVariables,
  TOKEN,
} from './doctor-places.ts';
import { terminal } from './terminals.ts';

test('a certificate that is not trusted and expires soon, and another clock, are found', {
  skip: withoutOpenssl,
}, async (t) => {
  const { folder, path, run } = await madeChat(t);
  setVariables(t, { PARLANCE_METRICS_TOKEN: TOKEN });
  const port = await serving(t, path);
  const sent: unknown[] = [];
  const site = await proxyTo(t, port, {
    tls: selfSigned(folder, { days: 3, of: 90 }),
    date: new Date(Date.now() - 3_600_000),
    onRequest: ({ headers }) => sent.push(headers.authorization),
  });
  const { findings, skipped } = await diagnose(run, '--base-url', site);
  assert.match(
    findings.join('\n'),
    /^certificate: .+ is not valid \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .+NODE_EXTRA_CA_CERTS/m,
  );
  assert.match(findings.join('\n'), /^certificate: .+ expires in 2 days\. Renew it/m);
  assert.match(findings.join('\n'), /^clock of the server: .+ 3,6\d\d seconds behind .+ Synchronize/m);
  assert.equal(findings.length, 3);
  assert.deepEqual([sent, skipped.includes('proxy headers')], [[undefined], true], 'no token for an untrusted server');
});

test('chatctl doctor checks a valid certificate and the headers of a TLS proxy', {
  skip: withoutOpenssl,
}, async (t) => {
  const { folder, path } = await madeChat(t);
  const port = await serving(t, path, { trustProxy: 1 });
  const tls = selfSigned(folder, { days: 60, of: 90 });
  const authority = join(folder, 'authority.crt');
  await writeFile(authority, tls.cert);
  const chatctl = await compileChatctl();
  t.after(chatctl.remove);
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority, PARLANCE_METRICS_TOKEN: TOKEN };
  const run: Run = async (...words) => {
    const ran = promisify(execFile)(process.execPath, [chatctl.program, ...words, '--db', path], { env });
    type Ended = { code?: number; stdout: string; stderr: string };
    const { code = 0, stdout, stderr } = (await ran.catch((error: Ended): Ended => error)) as Ended;
    return { exitCode: code, out: stdout, err: stderr };
  };
  const diagnoseAt = (site: string) => diagnose(run, '--base-url', site, '--trust-proxy', '1');
  const good = await diagnoseAt(await proxyTo(t, port, { tls }));
  assert.deepEqual([good.exitCode, good.findings], [EXIT.done, []]);
  assert.ok(['certificate', 'proxy headers', 'clock of the server'].every((name) => good.checks.includes(name)));
  const plain = await diagnoseAt(await proxyTo(t, port, { tls, proto: 'http' }));
  assert.match(
    plain.findings.join('\n'),
    /^proxy headers: .+ does not send X-Forwarded-Proto: https, .+nginx\.conf\.$/,
  );
});

test('chatctl doctor --fix rebuilds an index of SQLite that misses rows', async (t) => {
  const { path, run } = await madeChat(t);
  const database = new Database(path).unsafeMode(true);
  database.exec(`CREATE INDEX broken ON users (id, role) WHERE id < 0; PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, ' WHERE id < 0', '') WHERE name = 'broken'`);
  database.close();
  const { findings } = await diagnose(run);
  assert.match(findings.join('\n'), /^damage: .+ index broken\)\. Run `chatctl doctor --fix --db \S+chat\.db`\.$/);
  const fixed = await diagnose(run, '--fix');
  assert.deepEqual([fixed.findings, fixed.fixed.length], [[], 1]);
  assert.deepEqual((await diagnose(run)).findings, []);
});

/** Runs `chatctl` with these words. */
const run: Run = async (...words) => {
  const printed = { out: '', err: '' };
  const out = (text: string) => {
    printed.out += text;
  };
  const err = (text: string) => {
    printed.err += text;
  };
  const exitCode = await runCommand(words, { ...terminal(), out, err });
  return { exitCode, ...printed };
};

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
  const names = ({ findings }: Diagnosis) => findings.map((finding) => finding.split(':', 1)[0]);
  assert.deepEqual(names(await diagnose(run, '--db', 'postgres://127.0.0.1:1/chat')), ['database']);
  const sound = await diagnose(run, ...words);
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
  const broken = await diagnose(run, ...words);
  assert.deepEqual(names(broken), ['damage', 'damage', 'damage', 'paused addresses', 'given up']);
  const fixed = await diagnose(run, ...words, '--fix');
  assert.deepEqual([names(fixed), fixed.fixed.length], [['paused addresses', 'given up'], 3]);
});
