import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  type Chat,
  cancelMove,
  check,
  type Keepable,
  moveOrganization,
  openChat,
  StorageError,
} from '../../lib/index.ts';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { compiledProgram } from '../programs.ts';
import type { MigrationPlace } from '../storage/migration-places.ts';

export const OWNER = { email: 'ada@example.com', full_name: 'Ada' };
export const PLACES = { from: 'the source', to: 'the target' };
export const quiet = { debug() {}, info() {}, warn() {}, error() {} };

export const open = (place: MigrationPlace) => place.storage(migrations) as Storage & Keepable;

/** Runs work with the chat of a database that must be usable. */
export async function using<T>(place: MigrationPlace, work: (chat: Chat) => Promise<T>): Promise<T> {
  const storage = open(place);
  try {
    const chat = await openChat({ storage, migrate: false, logger: quiet });
    return await work(chat).finally(() => chat.close());
  } finally {
    await storage.close();
  }
}

export async function withBoth<T>(
  [from, to]: readonly [MigrationPlace, MigrationPlace],
  work: (from: Keepable, to: Keepable) => Promise<T>,
): Promise<T> {
  const [source, target] = [open(from), open(to)];
  try {
    return await work(source, target);
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

export const say = (chat: Chat, content: string) =>
  chat.as(OWNER.email).messages.send({ type: 'channel', to: 'general', topic: 'the move', content });

export async function found(place: MigrationPlace): Promise<void> {
  const storage = open(place);
  const chat = await openChat({ storage, logger: quiet });
  const { user_id } = await chat.createOrganization({ name: 'Example', owner: OWNER });
  await chat.as(OWNER.email).channels.create({ name: 'general', subscribers: [user_id] });
  await say(chat, 'message 0');
  await chat.close();
}

/** Whether a process may write there: then it has written. */
async function mayWrite(place: MigrationPlace, content: string): Promise<boolean> {
  try {
    await using(place, (chat) => say(chat, content));
    return true;
  } catch (error) {
    if (error instanceof StorageError && ['moved', 'empty', 'unreachable'].includes(error.reason)) return false;
    throw error;
  }
}

/** Steps at which a move is killed, with the owner afterwards: the source, none until the move is repeated, the target. */
export const STEPS: readonly (readonly [step: string, owner: 'source' | 'none' | 'target'])[] = [
  ['before tracking', 'source'],
  ['in tracking', 'source'],
  ['after tracking', 'source'],
  ['in copy', 'source'],
  ['after copy', 'source'],
  ['in round', 'source'],
  ['after round', 'source'],
  ['in forgetting', 'source'],
  ['after forgetting', 'source'],
  ['before hand-over', 'source'],
  ['before last copy', 'source'],
  ['in last copy', 'source'],
  ['after last copy', 'source'],
  ['in hand-over', 'source'],
  ['after hand-over', 'none'],
  ['in activation', 'none'],
  ['after activation', 'target'],
  ['in switch', 'target'],
  ['before check', 'target'],
  ['after check', 'target'],
];

/** One of each owner. */
export const DECISIVE = STEPS.filter(([step]) => ['in round', 'after hand-over', 'in switch'].includes(step));

/** Starts a move in a process that kills itself at this step. */
export async function killMove([from, to]: readonly [MigrationPlace, MigrationPlace], step: string) {
  const args = [from, to].map(({ address }) => JSON.stringify(address));
  return spawnSync(process.execPath, [await compiledProgram('killed-mover'), ...args, step]);
}

/** Kills a move at each step, then repeats it. */
export async function killMoves(
  [make, makeOther]: readonly [() => Promise<MigrationPlace>, () => Promise<MigrationPlace>],
  steps: readonly (typeof STEPS)[number][] = STEPS,
): Promise<void> {
  for (const [step, owner] of steps) {
    const both = [await make(), await makeOther()] as const;
    const [from, to] = both;
    try {
      await found(from);
      const queue = await using(from, (chat) => chat.as(OWNER.email).register({ event_types: ['message'] }));
      const killed = await killMove(both, step);
      assert.equal(killed.signal, 'SIGKILL', `${step}: ${killed.stderr}`);
      const written = [await mayWrite(from, 'message 1'), await mayWrite(to, 'message 1')];
      assert.deepEqual(written, [owner === 'source', owner === 'target'], `writers after a kill ${step}`);

      const { isContinued } = await withBoth(both, (source, target) =>
        moveOrganization(source, target, { places: PLACES }),
      );
      assert.equal(isContinued, owner !== 'source', step);
      assert.deepEqual([await mayWrite(from, 'x'), await mayWrite(to, 'message 2')], [false, true], step);
      const expected = owner === 'none' ? ['message 0', 'message 2'] : ['message 0', 'message 1', 'message 2'];
      const [sent, received] = await using(to, async (chat) => {
        const session = chat.as(OWNER.email);
        const { messages } = await session.messages.list({
          anchor: 'newest',
          num_before: 10,
          num_after: 0,
          apply_markdown: false,
          narrow: [{ operator: 'topic', operand: 'the move' }],
        });
        const { queue_id, last_event_id } = queue;
        const { events } = await session.events.list({ queue_id, last_event_id, dont_block: true });
        const texts = events.map((event) => (event as unknown as { message: { content: string } }).message.content);
        return [messages.map(({ content }) => content), texts] as const;
      });
      assert.deepEqual(sent, expected, step);
      assert.deepEqual(
        received.map((text) => text.replace(/<\/?p>/g, '')),
        expected.slice(1),
        step,
      );
      assert.deepEqual((await withBoth(both, (_, target) => check(target))).findings, [], step);
    } finally {
      await Promise.all([from.remove(), to.remove()]);
    }
  }
}

/** Tracking that an interrupted move has left ends with `cancelMove`. */
export async function cancelling(place: MigrationPlace): Promise<boolean> {
  const storage = open(place);
  return cancelMove(storage).finally(() => storage.close());
}
