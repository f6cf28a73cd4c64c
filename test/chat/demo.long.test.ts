import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it, test } from 'node:test';
import { openChat, sqlite } from '../../lib/index.ts';
import { seedDemo } from '../../lib/internal.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import { until } from '../support/until.ts';

test('each user of the demo has unread messages of others and none of their own', async () => {
  const chat = await openChat({ storage: sqlite(':memory:') });
  try {
    for (const { user_id, email } of (await seedDemo(chat)).accounts) {
      const { messages } = await chat.as(user_id).messages.list({
        anchor: 'newest',
        num_before: 1_000,
        num_after: 0,
        narrow: [['is', 'unread']],
      });
      assert.deepEqual(
        messages.filter((message) => message.sender_id === user_id).map((message) => message.id),
        [],
        email,
      );
      assert.ok(messages.length > 0, email);
    }
  } finally {
    await chat.close();
  }
});

test('a complete demo is named "Parlance demo"', async () => {
  const chat = await openChat({ storage: sqlite(':memory:') });
  try {
    await seedDemo(chat);
    assert.equal((await chat.anonymous().serverSettings.get()).realm_name, 'Parlance demo');
  } finally {
    await chat.close();
  }
});

/** Counts of a complete demo. */
const COMPLETE = { users: 12, channels: 7, messages: 20 };

describe('a demo whose process is killed during its creation', () => {
  let chatctl: CompiledChatctl;
  let folder: string;
  before(async () => {
    chatctl = await compileChatctl();
    folder = await mkdtemp(join(tmpdir(), 'parlance-demo-'));
  });
  after(async () => {
    await chatctl.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const serving = (db: string, ...options: string[]) =>
    spawn(process.execPath, [chatctl.program, 'serve', '--db', db, '--port', '0', ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  /** Kills the creation of a demo when it has stored this much. Returns what is stored. */
  async function killAt(db: string, wanted: Partial<typeof COMPLETE>): Promise<typeof COMPLETE> {
    const child = serving(db, '--demo');
    const gone = once(child, 'exit');
    const look = () => {
      if (isThere(db, wanted)) return true;
      assert.equal(child.exitCode, null, 'it goes on');
    };
    await until('the demo has got so far', look, { every: 1 });
    child.kill('SIGKILL');
    await gone;
    return countIn(db) as typeof COMPLETE;
  }

  function isThere(db: string, wanted: Partial<typeof COMPLETE>): boolean {
    const found = countIn(db);
    return found !== undefined && Object.entries(wanted).every(([name, n]) => found[name as 'users'] >= n);
  }

  /** The first line it prints, or its error and exit code. */
  async function nextStart(db: string, ...options: string[]): Promise<{ said: string; exitCode: number | null }> {
    const child = serving(db, ...options);
    const gone = once(child, 'exit');
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    for await (const line of createInterface({ input: child.stdout })) {
      child.kill('SIGTERM');
      await gone;
      return { said: line, exitCode: null };
    }
    await gone;
    return { said, exitCode: child.exitCode };
  }

  const POINTS = [
    ['with only its owner', { users: 4 }],
    ['while it creates users', { users: 8 }],
    ['after its last user', { users: 12 }],
    ['while it creates channels', { users: 12, channels: 3 }],
    ['while it sends messages', { channels: 7, messages: 10 }],
  ] as const;

  for (const [at, [point, wanted]] of POINTS.entries()) {
    it(`G7: a demo killed ${point} is refused without --demo and completed with it`, async () => {
      const db = join(folder, `${at}.db`);
      const left = await killAt(db, wanted);
      const { said, exitCode } = await nextStart(db);
      if (exitCode !== null) {
        assert.equal(exitCode, 1, said);
        assert.match(said, /demo.*incomplete/s);
        assert.match(said, /start again with --demo/);
        assert.deepEqual(countIn(db), left, 'it is left as it was');
      }
      assert.match((await nextStart(db, '--demo')).said, /^Serving/);
      assert.deepEqual(countIn(db), COMPLETE);
      assert.match((await nextStart(db, '--demo')).said, /^Serving/, 'a complete one is found again');
      assert.deepEqual(countIn(db), COMPLETE);
    });
  }

  it('G7: a demo killed several times is completed by the next start', async () => {
    const db = join(folder, 'again.db');
    for (const users of [5, 7, 9]) await killAt(db, { users });
    await killAt(db, { messages: 12 });
    assert.match((await nextStart(db, '--demo')).said, /^Serving/);
    assert.deepEqual(countIn(db), COMPLETE);
  });

  it('G7: a demo that another process is creating is not created twice', async () => {
    const db = join(folder, 'two.db');
    const first = serving(db, '--demo');
    const gone = once(first, 'exit');
    await until('the first has begun', () => isThere(db, { users: 5 }), { every: 1 });
    const second = await nextStart(db, '--demo');
    if (second.exitCode !== null) assert.match(second.said, /Another process is creating this demo/);
    await until('the first has ended', () => isThere(db, COMPLETE));
    first.kill('SIGTERM');
    await gone;
    const { users, channels } = countIn(db) ?? {};
    assert.deepEqual({ users, channels }, { users: COMPLETE.users, channels: COMPLETE.channels });
  });
});

/** undefined if there is no migrated database yet. */
function countIn(db: string): typeof COMPLETE | undefined {
  if (!existsSync(db)) return undefined;
  const connection = SqliteConnection.open(defaultDriver(), db);
  try {
    const count = (table: string) => Number(connection.scalar(`SELECT COUNT(*) FROM ${table}`));
    return { users: count('users'), channels: count('channels'), messages: count('messages') };
  } catch {
    // Not migrated yet, or locked for a moment.
    return undefined;
  } finally {
    connection.close();
  }
}
