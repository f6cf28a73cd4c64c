import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { EXIT } from '../../cli/failure.ts';
import { limitFiles, smallDisk, withoutLimit, withoutMount } from '../server/small-disk.ts';
import { withoutPostgres } from '../support/engines.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { type CompiledChatctl, compileChatctl } from './compiled-chatctl.ts';
import { Served } from './served.ts';

const folder = mkdtempSync(join(tmpdir(), 'parlance-trouble-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** @param options.isWhole each kind of trouble, twice */
export function serveDuringTrouble({ isWhole }: { isWhole: boolean }): void {
  describe('chatctl serve during trouble', () => {
    let chatctl: CompiledChatctl;
    before(async () => {
      chatctl = await compileChatctl();
    });
    after(() => chatctl.remove());

    const register = async (served: Served) =>
      (await served.send('POST', '/api/v1/register', { event_types: '["message"]' })).body.queue_id as string;

    it('when PostgreSQL restarts, it logs two lines with a count of failures and loses no message', {
      skip: withoutPostgres,
    }, async (t) => {
      const postgres = await startPostgresServer();
      t.after(() => postgres.stop());
      const served = await Served.start(t, chatctl.program, postgres.url);
      const queue_id = await register(served);
      assert.deepEqual(await served.ready(), [200, 'ok']);
      const poll = served.send('GET', `/api/v1/events?queue_id=${await register(served)}&last_event_id=-1`);
      let isOver = false;
      const senders = Array.from({ length: 4 }, async (_, who) => {
        for (let n = 0; !isOver; n++) {
          await served.say(`${who}.${n}`);
          await delay(5);
        }
      });
      await until('messages are acknowledged', () => served.acknowledged.size > 20);
      assert.equal((await poll).status, 200);
      const waiting = served.send('GET', `/api/v1/events?queue_id=${await register(served)}&last_event_id=-1`);

      await postgres.halt();
      await until('messages are refused', () => served.refused.length > 20);
      const isReady = async () => (await served.ready())[0] === 200;
      await until('the server is not ready', async () => (await served.ready())[0] === 503, { every: 50 });
      assert.deepEqual(await served.ready(), [503, 'unreachable']);
      assert.equal(await served.metric('parlance_storage_up'), 0);
      const { reason, cause } = await served.line('the database cannot be used');
      assert.equal(reason, 'unreachable');
      assert.doesNotMatch(cause, /parlance:parlance/, 'no password is logged');

      await postgres.resume();
      await until('the server is ready', isReady, { every: 50 });
      const { failures, seconds } = await served.line('the database can be used again');
      assert.ok(failures >= 20 && seconds >= 0);
      isOver = true;
      await Promise.all(senders);
      assert.deepEqual([...new Set(served.refused)], [503]);
      // The poll was refused with 503, or waited and received the messages.
      assert.ok([200, 503].includes((await waiting).status));
      await served.say('afterwards');
      await served.checkNothingLost(queue_id);
      assert.deepEqual(
        served
          .lines()
          .map(({ msg }) => msg)
          .slice(1),
        ['the database cannot be used', 'the database can be used again'],
      );
      assert.deepEqual(await served.stop('SIGTERM'), [0, null]);
    });

    it('SIGHUP, SIGUSR1 and SIGUSR2 neither end the server nor open a debugger', async (t) => {
      const served = await Served.start(t, chatctl.program, join(folder, 'signals.db'));
      for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGHUP'] as const) {
        process.kill(served.pid, signal);
        await delay(200);
        assert.equal((await served.say(signal)).status, 200, signal);
      }
      assert.deepEqual(await served.stop('SIGTERM'), [0, null]);
      assert.doesNotMatch(served.logged, /Debugger listening/);
    });

    it('a server that cannot listen does not migrate, and one on a served file logs it', async (t) => {
      const place = join(folder, 'taken.db');
      const served = await Served.start(t, chatctl.program, place);
      const port = new URL(served.url).port;
      const older = join(folder, 'older.db');
      const run = (...words: string[]) =>
        spawnSync('sh', ['-c', words.join(' ')], {
          encoding: 'utf8',
          env: { PATH: `${chatctl.bin}:${process.env.PATH}` },
        });
      assert.equal(run('older-database', older, '47').status, 0);
      const before = readFileSync(older);
      for (const options of [`--port ${port}`, `--port 0 --metrics 127.0.0.1:${port}`]) {
        const { status, stderr } = run(`chatctl serve --db ${older} --migrate ${options}`);
        assert.match(stderr, new RegExp(`127\\.0\\.0\\.1:${port} is in use`), options);
        assert.equal(status, EXIT.unreachable);
        assert.ok(before.equals(readFileSync(older)), 'nothing was migrated');
      }
      const second = await Served.open(t, chatctl.program, place);
      await second.line(/another server serves this database file too/);
      assert.deepEqual(await second.stop('SIGTERM'), [0, null]);
      assert.deepEqual(await served.stop('SIGTERM'), [0, null]);
      const third = await Served.open(t, chatctl.program, place);
      assert.deepEqual(await third.stop('SIGTERM'), [0, null]);
      assert.deepEqual(
        third.lines().filter(({ level }) => level > 30),
        [],
        'after they have ended, none is reported',
      );
    });

    const fillings = [
      {
        how: 'its disk is full',
        skip: withoutMount,
        told: [503, 'full'],
        place(t: Parameters<typeof smallDisk>[0]) {
          const disk = smallDisk(t, 6);
          return { db: join(disk.path, 'chat.db'), fill: () => disk.fill(), makeRoom: () => disk.makeRoom() };
        },
      },
      {
        how: 'its files may not grow',
        skip: withoutLimit,
        // A file size limit of the process is not a full disk.
        told: [200, 'ok'],
        place() {
          const db = join(mkdtempSync(join(folder, 'limited-')), 'chat.db');
          return {
            db,
            fill: (pid: number) => limitFiles(pid, Math.max(4096, statSync(`${db}-wal`).size)),
            makeRoom: (pid: number) => limitFiles(pid, 'unlimited'),
          };
        },
      },
    ];
    for (const { how, skip, told: readiness, place } of isWhole
      ? fillings
      : fillings.slice(withoutMount ? 1 : 0, withoutMount ? 2 : 1)) {
      it(`when ${how}, it continues to read, logs one line and loses no message`, { skip }, async (t) => {
        const { db, fill, makeRoom } = place(t);
        const served = await Served.start(t, chatctl.program, db);
        const queue_id = await register(served);
        await served.say('before');
        for (let time = 0; time < (isWhole ? 2 : 1); time++) {
          fill(served.pid);
          for (let n = 0; served.refused.length < 20 * (time + 1); n++) {
            assert.ok(n < 500, 'the database must become full');
            await Promise.all([1, 2, 3].map((at) => served.say(`${time}.${n}.${at} ${'x'.repeat(5_000)}`)));
          }
          assert.equal((await served.send('GET', '/api/v1/users/me')).status, 200, 'reads continue');
          const isAsExpected = async () => isDeepStrictEqual(await served.ready(), readiness);
          await until(`/ready says ${readiness}`, isAsExpected, { every: 50 });
          makeRoom(served.pid);
          await until('the server is ready', async () => (await served.ready())[0] === 200, { every: 50 });
          assert.equal((await served.say(`there is room again ${time}`)).status, 200);
          await served.checkNothingLost(queue_id);
        }
        assert.deepEqual([...new Set(served.refused)], [503]);
        // Lines come a little late.
        await until('the log has a line', () => served.lines().length > 0);
        const told = served.lines();
        assert.deepEqual(
          told.map(({ msg }) => msg),
          ['the database cannot be used'],
        );
        assert.match(told[0]?.cause, /chat\.db cannot (grow|be read or written)/);
        assert.deepEqual(await served.stop('SIGTERM'), [0, null]);
      });
    }

    const losses = [
      ['removed', () => undefined],
      ['replaced', Served.make],
    ] as const;
    for (const [what, putThere] of isWhole ? losses : losses.slice(0, 1)) {
      it(`when its file is ${what}, it is not ready, logs advice, and recovers when the file is back`, async (t) => {
        const home = mkdtempSync(join(folder, 'moved-'));
        const [db, aside] = [join(home, 'chat.db'), join(home, 'aside')];
        const served = await Served.start(t, chatctl.program, db);
        const queue_id = await register(served);
        await served.say('before');
        mkdirSync(aside);
        const move = (from: string, to: string) => {
          for (const name of readdirSync(from))
            if (name.startsWith('chat.db')) renameSync(join(from, name), join(to, name));
        };
        move(home, aside);
        await putThere(db);
        await until('the server is not ready', async () => (await served.ready())[0] === 503, { every: 50 });
        assert.deepEqual(await served.ready(), [503, 'removed or replaced']);
        assert.equal(await served.metric('parlance_storage_up'), 0);
        const { level, path, advice } = await served.line(/^the database file was removed or replaced/);
        assert.deepEqual([level, path], [50, db]);
        assert.match(advice, /^move the file back, or restart the server/);
        for (const name of readdirSync(home))
          if (name.startsWith('chat.db')) rmSync(join(home, name), { recursive: true });
        move(aside, home);
        await until('the server is ready', async () => (await served.ready())[0] === 200, { every: 50 });
        await served.line('the database file is back');
        await served.say('after');
        await served.checkNothingLost(queue_id);
        assert.equal(served.lines().length, 2);
        assert.deepEqual(await served.stop('SIGTERM'), [0, null]);
      });
    }
  });
}
