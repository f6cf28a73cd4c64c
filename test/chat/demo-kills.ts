import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openChat, sqlite } from '../../lib/index.ts';
import { seedDemo, transportOf } from '../../lib/internal.ts';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import { compiledProgram } from '../programs.ts';
import { type Counts, countIn } from './demo-counts.ts';

/** Counts of a complete demo. */
const COMPLETE: Counts = { users: 12, channels: 7, messages: 20 };

/** Moments at which the process is killed, with the counts stored until then. */
export const POINTS = [
  ['with only its owner', { users: 4 }],
  ['while it creates users', { users: 8 }],
  ['after its last user', { users: 12 }],
  ['while it creates channels', { users: 12, channels: 3 }],
  ['while it sends messages', { channels: 7, messages: 10 }],
] as const;

/** Kills processes that create a demo. Without `repeatedly`, also starts a second process during the creation. */
export function killDemos(points: readonly (typeof POINTS)[number][], { repeatedly }: { repeatedly: boolean }): void {
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

    /** Creates a demo and is killed at these counts. Returns the stored counts. */
    async function killAt(db: string, wanted: Partial<Counts>): Promise<Counts> {
      const args = [await compiledProgram('killed-demo'), db, JSON.stringify(wanted)];
      const { signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      assert.equal(signal, 'SIGKILL', stderr);
      return countIn(db);
    }

    /** Returns the first line that the process prints, or its error and exit code. */
    async function nextStart(db: string, ...options: string[]): Promise<{ said: string; exitCode: number | null }> {
      const child = spawn(process.execPath, [chatctl.program, 'serve', '--db', db, '--port', '0', ...options]);
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

    for (const [at, [point, wanted]] of points.entries()) {
      it(`G7: a demo killed ${point} is refused without --demo and completed with it`, async () => {
        const db = join(folder, `${at}.db`);
        const left = await killAt(db, wanted);
        const { said, exitCode } = await nextStart(db);
        assert.equal(exitCode, 1, said);
        assert.match(said, /demo.*incomplete/s);
        assert.match(said, /start again with --demo/);
        assert.deepEqual(countIn(db), left, 'the incomplete demo does not change');
        assert.match((await nextStart(db, '--demo')).said, /^Serving/);
        assert.deepEqual(countIn(db), COMPLETE);
        assert.match((await nextStart(db, '--demo')).said, /^Serving/, 'a complete demo is found again');
        assert.deepEqual(countIn(db), COMPLETE);
      });
    }

    if (repeatedly)
      it('G7: a demo killed several times is completed by the next start', async () => {
        const db = join(folder, 'again.db');
        for (const users of [5, 7, 9]) await killAt(db, { users });
        await killAt(db, { messages: 12 });
        assert.match((await nextStart(db, '--demo')).said, /^Serving/);
        assert.deepEqual(countIn(db), COMPLETE);
      });
    else
      it('G7: a demo that another process is creating is not created twice', async (t) => {
        const db = join(folder, 'two.db');
        const storage = sqlite(db);
        const chat = await openChat({ storage });
        t.after(() => chat.close());
        const { hub } = transportOf(chat).engine;
        // Slowed down, so that the other process finds it at work.
        const { write } = storage;
        const other = new AbortController();
        storage.write = async (...args) => {
          await setTimeout(500, undefined, { signal: other.signal }).catch(() => undefined);
          return write.apply(storage, args) as never;
        };
        const begun = new Promise<void>((resolve) => hub.onWake(resolve));
        const seeding = seedDemo(chat);
        await begun;
        const second = await nextStart(db, '--demo');
        other.abort();
        assert.equal(second.exitCode, 1, second.said);
        assert.match(second.said, /Another process is creating this demo/);
        await seeding;
        assert.deepEqual(countIn(db), COMPLETE);
      });
  });
}
