import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { compileChatctl } from '../cli/compiled-chatctl.ts';
import { InProcessShell } from '../cli/in-process-shell.ts';
import { sqliteDrivers, withoutPostgres } from '../support/engines.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { TOKEN, type Troubled, troubled } from './database-trouble.ts';
import { limitFiles, smallDisk, withoutLimit, withoutMount } from './small-disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'parlance-full-'));

after(() => rmSync(folder, { recursive: true, force: true }));

/** Sends messages, one at a time and in parallel, until the database is full. */
async function sendUntilRefused({ say, checkUnavailable }: Troubled): Promise<void> {
  for (let round = 0; ; round++) {
    assert.ok(round < 500, 'the database must become full');
    const count = round % 3 === 0 ? 1 : 20;
    const answers = await Promise.all(
      Array.from({ length: count }, (_, at) => say(`${round}.${at} ${'x'.repeat(2_000)}`)),
    );
    const refused = answers.filter((answer) => answer.status !== 200);
    for (const answer of refused) checkUnavailable(answer, { passing: false });
    if (refused.length > 0) return;
  }
}

async function readinessOf({ send }: Troubled): Promise<[status: number, storage: string]> {
  const { status, body } = await send('GET', '/ready', { auth: `Bearer ${TOKEN}` });
  return [status, body.parts.storage];
}

async function untilReadiness(server: Troubled, readiness: [status: number, storage: string]): Promise<void> {
  const isSo = async () => isDeepStrictEqual(await readinessOf(server), readiness);
  await until(`/ready says ${readiness}`, isSo, { every: 50 });
}

async function checkNothingLost({ everything, acknowledged }: Troubled): Promise<void> {
  assert.deepEqual(
    [...(await everything())].sort(),
    [...acknowledged].sort(),
    'the acknowledged messages, and no others',
  );
}

describe('a database whose disk is full', () => {
  for (const { name: driver, skip } of sqliteDrivers) {
    const options = { skip: withoutMount ?? skip };
    it(`answers 503 to writes, continues reads, and recovers when there is room (${driver})`, options, async (t) => {
      const disk = smallDisk(t, 4);
      const server = await troubled(t, sqlite(join(disk.path, 'chat.db'), { driver }));
      const { queue_id } = (await server.send('POST', '/api/v1/register', { form: { event_types: '["message"]' } }))
        .body;
      await server.say('before');
      for (let time = 0; time < 3; time++) {
        disk.fill();
        await untilReadiness(server, [503, 'full']);
        await sendUntilRefused(server);
        server.checkUnavailable(await server.say(`alone ${'x'.repeat(2_000)}`), { passing: false });
        server.checkUnavailable(await server.send('POST', '/api/v1/register'), { passing: false });
        assert.equal((await server.send('GET', '/api/v1/users/me')).status, 200, 'reads continue');
        await checkNothingLost(server);
        assert.deepEqual(await readinessOf(server), [503, 'full']);
        assert.deepEqual(
          readdirSync(disk.path).filter((name) => name.includes('trial')),
          [],
        );
        disk.makeRoom();
        await untilReadiness(server, [200, 'ok']);
        assert.equal((await server.say(`room again ${time}`)).status, 200);
        await checkNothingLost(server);
      }
      const { events } = (
        await server.send('GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`)
      ).body;
      assert.deepEqual(
        events.map((event: { message: { id: number } }) => event.message.id),
        [...server.acknowledged.keys()].sort((a, b) => a - b),
        'each acknowledged message has its event, once',
      );
    });
  }

  it('chatctl reports a full disk with advice and exit code 8', { skip: withoutMount }, async (t) => {
    const disk = smallDisk(t, 4);
    const chatctl = await compileChatctl();
    t.after(() => chatctl.remove());
    const db = join(disk.path, 'chat.db');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [chatctl.program, ...args, '--db', db], { encoding: 'utf8', input: '' });
    assert.equal(run('init', '--name', 'Example', '--email', 'a@example.com', '--full-name', 'Ada').status, 0);
    assert.equal(run('channels', 'create', 'general').status, 0);
    disk.fill();
    for (const command of [
      ['messages', 'send', '--to', 'general', '--topic', 'x', '-m', 'once more'],
      ['channels', 'list'],
    ]) {
      const refused = run(...command);
      assert.equal(refused.status, 8, refused.stderr);
      assert.match(
        refused.stderr,
        /^chatctl: .*chat\.db cannot grow, its disk is full.*\nFree some disk space, then try again/s,
      );
    }
    disk.makeRoom();
    assert.equal(run('messages', 'send', '--to', 'general', '--topic', 'x', '-m', 'again').status, 0);
  });

  it('chatctl names a file that does not fit on its disk', { skip: withoutMount }, async (t) => {
    const disk = smallDisk(t, 1);
    disk.fill();
    const home = mkdtempSync(join(folder, 'home-'));
    const shell = new InProcessShell(home);
    const db = '--db chat.db';
    const owner = '--name Example --email a@example.com --full-name Ada';
    const init = await shell.run(`chatctl init ${db} ${owner} --write-config ${disk.path}/rc`);
    assert.equal(init.exitCode, 1, init.output);
    assert.match(
      init.output,
      /^chatctl: Created chat\.db, but cannot write .*rc: the disk is full\.\nGet a new API key: /,
    );
    const key = await shell.run(`chatctl users regenerate-api-key --yes ${db}`);
    assert.equal(key.exitCode, 0, key.output);
    writeFileSync(join(home, 'big.bin'), Buffer.alloc(2_000_000));
    const sent = await shell.run(`chatctl uploads send big.bin ${db}`);
    assert.equal(sent.exitCode, 0, sent.output);
    const got = await shell.run(`chatctl uploads get 1 -o ${disk.path}/big.bin ${db}`);
    assert.equal(got.exitCode, 2, got.output);
    assert.match(got.output, /^chatctl: Cannot write .*big\.bin: the disk is full\.\nChoose another path/);
    const refuses = async (command: string) => {
      const { output, exitCode } = await shell.run(`chatctl ${command}`);
      assert.equal(exitCode, 8, output);
      assert.ok(output.startsWith(`chatctl: ${disk.path}/`), output);
      assert.match(output, /cannot grow, its disk is full.*\nFree some disk space, then try again/s);
    };
    const backedUp = await shell.run(`chatctl backup b.backup ${db}`);
    assert.equal(backedUp.exitCode, 0, backedUp.output);
    await refuses(`init --db ${disk.path}/full.db ${owner}`);
    await refuses(`restore b.backup --db ${disk.path}/new.db --uploads uploads`);
    disk.makeRoom();
    await refuses(`backup ${disk.path}/new.backup ${db}`);
    await refuses(`restore b.backup --db new.db --uploads ${disk.path}/new-uploads`);
    const left = readdirSync(disk.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.deepEqual(
      left.filter(({ name }) => /^new|bin|partial/.test(name)),
      [],
    );
  });

  it('chatctl reports a read-only disk with advice and exit code 8', { skip: withoutMount }, async (t) => {
    const disk = smallDisk(t, 4);
    const chatctl = await compileChatctl();
    t.after(() => chatctl.remove());
    const db = join(disk.path, 'chat.db');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [chatctl.program, ...args, '--db', db], { encoding: 'utf8', input: '' });
    assert.equal(run('init', '--name', 'Example', '--email', 'a@example.com', '--full-name', 'Ada').status, 0);
    execFileSync('mount', ['-o', 'remount,ro', disk.path]);
    const refused = run('channels', 'create', 'general');
    assert.equal(refused.status, 8, refused.stderr);
    assert.match(refused.stderr, /^chatctl: .*chat\.db cannot be (written|opened)/);
    assert.doesNotMatch(refused.stderr, /Unexpected error/);
    assert.ok(refused.stderr.trim().split('\n').length === 2, 'and gives advice');
    execFileSync('mount', ['-o', 'remount,rw', disk.path]);
    assert.equal(run('channels', 'create', 'general').status, 0);
  });
});

describe('PostgreSQL on a full disk', { skip: withoutPostgres || withoutMount }, () => {
  it('/ready answers 503 once a write has failed, until there is room', async (t) => {
    const postgresServer = await startPostgresServer();
    t.after(() => postgresServer.stop());
    const disk = smallDisk(t, 8);
    const place = join(disk.path, 'tables');
    mkdirSync(place);
    const asOwner = new pg.Client({ connectionString: postgresServer.url });
    await asOwner.connect();
    const { uid, gid } = statSync((await asOwner.query('SHOW data_directory')).rows[0].data_directory);
    chownSync(place, uid, gid);
    chownSync(disk.path, uid, gid);
    await asOwner.query(`CREATE TABLESPACE small LOCATION '${place}'`);
    await asOwner.query('ALTER ROLE CURRENT_USER SET default_tablespace = small');
    await asOwner.end();
    const server = await troubled(t, postgres(postgresServer.url, { poolSize: 5 }));
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await readinessOf(server), [200, 'ok']);
      disk.fill();
      await sendUntilRefused(server);
      await untilReadiness(server, [503, 'full']);
      assert.equal((await server.send('GET', '/api/v1/users/me')).status, 200, 'reads continue');
      disk.makeRoom();
      await untilReadiness(server, [200, 'ok']);
      assert.equal((await server.say(`room again ${time}`)).status, 200);
      await checkNothingLost(server);
    }
  });
});

describe('a disk that refuses writes', () => {
  for (const { name: driver, skip } of sqliteDrivers) {
    it(`answers 503 while writes fail, and loses no message (${driver})`, { skip: withoutLimit ?? skip }, async (t) => {
      const db = join(mkdtempSync(join(folder, 'failing-')), 'chat.db');
      const server = await troubled(t, sqlite(db, { driver }));
      t.after(() => void limitFiles(process.pid, 'unlimited'));
      await server.say('before');
      for (let time = 0; time < 3; time++) {
        // No file may grow.
        limitFiles(process.pid, Math.max(4096, statSync(`${db}-wal`).size));
        await sendUntilRefused(server);
        assert.equal((await server.send('GET', '/api/v1/users/me')).status, 200, 'reads continue');
        await checkNothingLost(server);
        limitFiles(process.pid, 'unlimited');
        assert.equal((await server.say(`well again ${time}`)).status, 200);
        await checkNothingLost(server);
      }
    });
  }
});
