import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { EXIT } from '../../cli/failure.ts';
import { defaultDriver, openHandle } from '../../lib/storage/sqlite/driver.ts';
import { listening } from '../server/running.ts';
import { openMailbox } from '../support/mailbox.ts';
import { type Diagnosis, diagnose, madeChat, proxyTo, serving, setVariables, TOKEN } from './doctor-places.ts';

const ADA = "(SELECT id FROM users WHERE delivery_email = 'ada@example.com')";
const FROM = ['--mail-from', 'chat@example.com'];

/** Exactly one finding, and the exit code of findings. */
function onlyFinding({ exitCode, findings }: Diagnosis, expected: RegExp): void {
  assert.match(findings.join('\n'), expected);
  assert.deepEqual([exitCode, findings.length], [EXIT.refused, 1], findings.join('\n'));
}

function damage(path: string, ...statements: string[]): void {
  const database = openHandle(defaultDriver(), path);
  for (const statement of statements) database.exec(statement);
  database.close();
}

/** A push relay with this response. */
async function relayWith(t: TestContext, status: number, body: object): Promise<string[]> {
  const { createServer } = await import('node:http');
  const port = await listening(
    t,
    createServer((req, res) => {
      req.resume().on('end', () => res.writeHead(status).end(JSON.stringify(body)));
    }),
  );
  setVariables(t, { PARLANCE_PUSH_RELAY_ID: 'server', PARLANCE_PUSH_RELAY_KEY: 'key' });
  return ['--push-relay', `http://127.0.0.1:${port}`];
}

const NOTIFIED = { result: 'success', msg: '', delete_device_ids: [] };

test('chatctl doctor finds nothing in a chat that works, and names what it did not check', async (t) => {
  const { folder, path, run } = await madeChat(t);
  const alone = await diagnose(run);
  assert.deepEqual([alone.exitCode, alone.findings], [EXIT.done, []]);
  assert.deepEqual(alone.skipped, [
    ...['mail', 'push relay', 'server', 'certificate', 'clock of the server', 'proxy headers', 'backups'],
  ]);
  const { url, letters } = await openMailbox(t);
  setVariables(t, { PARLANCE_METRICS_TOKEN: TOKEN });
  const proxy = await proxyTo(t, await serving(t, path, { trustProxy: 1 }));
  await run('backup', join(folder, 'monday.backup'));
  const words = ['--smtp', url, ...FROM, '--send-to', 'ada@example.com', '--backups', folder];
  const relay = await relayWith(t, 200, NOTIFIED);
  const whole = await diagnose(run, ...words, ...relay, '--base-url', proxy, '--trust-proxy', '1');
  assert.deepEqual([whole.exitCode, whole.findings, whole.skipped], [EXIT.done, [], ['certificate']]);
  assert.deepEqual(
    letters.map(({ to }) => to?.map(({ address }) => address)),
    [['ada@example.com']],
  );
  const { out } = await run('doctor');
  assert.match(out, /^ok {2}database\n/);
  assert.match(out, /\n-- {2}not checked: backups\. Set --backups to their folder\.\nNo problems in \d+ checks\.\n$/);
});

test('a database that is missing, or needs a migration, gets the command for it', async (t) => {
  const { path, run } = await madeChat(t);
  damage(path, 'DELETE FROM migrations WHERE version = (SELECT MAX(version) FROM migrations)');
  onlyFinding(await diagnose(run), /^schema: .+ has schema \d+, .+ then `chatctl migrate --db .+chat\.db --yes`\.$/);
  await rm(path);
  const missing = await diagnose(run);
  onlyFinding(missing, /^database: There is no database .+chat\.db\. .+`chatctl init --db .+`\.$/);
  assert.ok(missing.skipped.includes('damage'));
});

test('a place that cannot store uploads is found', async (t) => {
  const { folder, run } = await madeChat(t);
  await writeFile(join(folder, 'file'), '');
  const uploads = join(folder, 'file');
  onlyFinding(await diagnose(run, '--uploads', uploads), /^uploads: .+ not a folder.+ Correct --uploads/);
});

test('a mail server that refuses the login, or does not answer, is found', async (t) => {
  const { run } = await madeChat(t);
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error('Wrong password')),
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  t.after(() => server.close());
  const refused = await diagnose(run, '--smtp', `smtp://ada:secret@127.0.0.1:${port}`, ...FROM);
  onlyFinding(refused, /^mail: .+ Correct the user and the password in --smtp \(PARLANCE_SMTP\)\.$/);
  const silent = await diagnose(run, '--smtp', 'smtp://127.0.0.1:1', ...FROM);
  onlyFinding(silent, /^mail: .+ Check the host and the port in --smtp/);
  const wanted = await run('doctor', '--send-to', 'ada@example.com');
  assert.deepEqual([wanted.exitCode, /--send-to needs --smtp/.test(wanted.err)], [EXIT.usage, true]);
});

test('a push relay that refuses this server, or stopped its organization, is found', async (t) => {
  const { run } = await madeChat(t);
  const refused = await relayWith(t, 401, { result: 'error', msg: 'Wrong key', code: 'UNAUTHORIZED' });
  onlyFinding(await diagnose(run, ...refused), /^push relay: .+Wrong key.* PARLANCE_PUSH_RELAY_KEY, /);
  const stopped = { ...NOTIFIED, realm_push_status: { can_push: false, expected_end_timestamp: null } };
  const words = await relayWith(t, 200, stopped);
  onlyFinding(await diagnose(run, ...words), /^push relay: .+ does not send for this organization\. Ask the operator/);
});

test('a server that cannot be reached, or is not ready, is found', async (t) => {
  const { path, run } = await madeChat(t);
  onlyFinding(await diagnose(run, '--base-url', 'http://127.0.0.1:1'), /^server: .+ cannot be reached: .+--base-url/);
  const other = await proxyTo(t, await serving(t, path, { prefix: '/chat' }), { path: '/nowhere' });
  onlyFinding(await diagnose(run, '--base-url', other), /^server: .+ not as a Parlance server\. .+--prefix/);
});

test('proxies that are not as --trust-proxy says are found', async (t) => {
  const { path, run } = await madeChat(t);
  setVariables(t, { PARLANCE_METRICS_TOKEN: TOKEN });
  const port = await serving(t, path);
  const direct = `http://127.0.0.1:${port}`;
  const proxy = await proxyTo(t, port);
  onlyFinding(await diagnose(run, '--base-url', proxy), /^proxy headers: .+ add 1 address .+ Set --trust-proxy 1 /);
  const words = ['--base-url', direct, '--trust-proxy', '1'];
  onlyFinding(await diagnose(run, ...words), /^proxy headers: .+ clients can choose .+ Set --trust-proxy 0 /);
  setVariables(t, { PARLANCE_METRICS_TOKEN: 'another token' });
  assert.ok((await diagnose(run, '--base-url', direct)).skipped.includes('proxy headers'));
});

test('a disk without space for an upload, and too few open files, are found', async (t) => {
  const { run } = await madeChat(t);
  const { findings, exitCode } = await diagnose(run, '--max-upload', '900000000', '--max-connections', '999999999');
  assert.match(
    findings.join('\n'),
    /^disk space of uploads: .+ are free on the disk .+ set a smaller --max-upload\.$/m,
  );
  assert.match(
    findings.join('\n'),
    /^open files: This process may open \d+ files.+ LimitNOFILE .+ --max-connections\.$/m,
  );
  assert.deepEqual([findings.length, exitCode], [2, EXIT.refused]);
});

test('files with secrets that every user of the machine can read are found', async (t) => {
  const { folder, path, run } = await madeChat(t);
  await mkdir(`${path}-uploads`);
  await chmod(`${path}-uploads`, 0o755);
  await chmod(path, 0o644);
  await writeFile(join(folder, 'zuliprc'), '[api]', { mode: 0o644 });
  // Nobody else can pass the folder.
  await chmod(folder, 0o700);
  assert.deepEqual((await diagnose(run)).findings, []);
  await chmod(folder, 0o755);
  const { findings } = await diagnose(run);
  assert.deepEqual(findings, [
    `permissions: Every user of this machine can read ${path}. Run \`chmod o-rwx ${path}\`.`,
    `permissions: Every user of this machine can read ${path}-uploads. Run \`chmod o-rwx ${path}-uploads\`.`,
    `permissions: Every user of this machine can read ${folder}/zuliprc. Run \`chmod o-rwx ${folder}/zuliprc\`.`,
  ]);
  for (const finding of findings) execFileSync('sh', ['-c', /Run `(chmod .+)`\.$/.exec(finding)?.[1] ?? 'false']);
  assert.deepEqual((await diagnose(run)).findings, []);
});

test('a folder whose newest backup is old, unreadable or of another chat is found', async (t) => {
  const { folder, path, run } = await madeChat(t);
  const backups = join(folder, 'backups');
  const look = () => diagnose(run, '--backups', backups);
  onlyFinding(await look(), /^backups: There is no folder .+ Correct --backups\.$/);
  await mkdir(backups);
  onlyFinding(await look(), /^backups: There is no backup of "Example" in .+ Run `chatctl backup .+ --db .+`/);
  const file = join(backups, 'monday.backup');
  await run('backup', file);
  assert.deepEqual((await look()).findings, []);
  damage(file, `UPDATE backup SET manifest = json_set(manifest, '$.made_ms', ${Date.now() - 4 * 86_400_000})`);
  onlyFinding(await look(), /^backups: The newest backup of "Example" .+ is 4 days old\. Run `chatctl backup /);
  damage(path, "UPDATE organization SET name = 'Other'");
  onlyFinding(await look(), /^backups: There is no backup of "Other"/);
  await writeFile(file, 'nothing');
  onlyFinding(await look(), /^backups: The newest backup is not readable: .+ Run `rm .+monday\.backup/);
});

test('accounts whose e-mail is paused, and side effects that were given up, are found', async (t) => {
  const { path, run } = await madeChat(t);
  const now = Date.now();
  const bounces = [1, 2, 3].map((at) => `(${ADA}, ${now - at}, 'ada@example.com')`).join();
  const given = (ms: number) => `('web-push', '{}', NULL, 9, 'no route', ${ms}, ${ms})`;
  damage(
    path,
    `INSERT INTO email_bounces (user_id, bounced_ms, address) VALUES ${bounces}`,
    `INSERT INTO outbox (kind, payload, due_ms, attempts, last_error, created_ms, given_up_ms)
      VALUES ${given(now)}, ${given(now - 8 * 86_400_000)}`,
  );
  const { findings, exitCode } = await diagnose(run);
  assert.match(
    findings.join('\n'),
    /^paused addresses: 1 account .+: ada@example\.com\. .+`chatctl users deactivate /m,
  );
  assert.match(findings.join('\n'), /^given up: .+ gave up 1 item .+"web-push"\. The last error: no route\. Check /m);
  assert.deepEqual([findings.length, exitCode], [2, EXIT.refused]);
  // Two bounces within a week are no pause.
  damage(
    path,
    'UPDATE email_bounces SET bounced_ms = bounced_ms - 700000000 WHERE bounced_ms = (SELECT MIN(bounced_ms) FROM email_bounces)',
    'DELETE FROM outbox',
  );
  assert.deepEqual((await diagnose(run)).findings, []);
});

test('chatctl doctor --fix repairs counters, indexes and late removals, and nothing else', async (t) => {
  const { path, run } = await madeChat(t);
  await run('channels', 'create', 'general');
  damage(
    path,
    'UPDATE channels SET subscriber_count = 99',
    'UPDATE upload_space SET used = 7',
    `INSERT INTO bot_storage_sizes (user_id, entries, bytes) VALUES (${ADA}, 3, 30)`,
    `INSERT INTO uploads (owner_id, file_key, file_name, name, content_type, size, is_complete, created_ms, collect_ms)
      VALUES (${ADA}, '2/a/key', 'a.txt', 'a.txt', 'text/plain', 0, 0, 1, 2)`,
  );
  const before = await diagnose(run);
  assert.deepEqual(
    before.findings.map((finding) => /`chatctl doctor --fix --db \S+chat\.db`\.$/.test(finding)),
    [true, true, true, true],
    before.findings.join('\n'),
  );
  const fixed = await diagnose(run, '--fix');
  assert.deepEqual([fixed.exitCode, fixed.findings, fixed.fixed.length], [EXIT.done, [], 4]);
  assert.deepEqual((await diagnose(run)).findings, []);
  damage(path, `UPDATE users SET settings = '{' WHERE id = ${ADA}`);
  onlyFinding(
    await diagnose(run, '--fix'),
    /^damage: 1 stored JSON value cannot be read .+`chatctl restore FILE\.backup /,
  );
});
