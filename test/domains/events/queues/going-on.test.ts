import assert from 'node:assert/strict';
import { after, describe, type TestContext } from 'node:test';
import { testOn } from '../../../support/engines.ts';
import { untilPollsWait } from '../../../support/polls.ts';
import { until } from '../../../support/until.ts';
import { bothEngines } from '../../../world/copies.ts';
import type { UserName } from '../../../world/fixture.ts';
import { twoProcesses } from '../../../world/processes.ts';
import type { World } from '../../../world/world.ts';

// Polls do not keep a process alive. This timer does.
const alive = setInterval(() => undefined, 60_000);
after(() => clearInterval(alive));

const say = (world: World, content: string) =>
  world.as('cordelia').messages.send({ type: 'channel', to: 'Denmark', topic: 'ghosts', content });

const poll = (world: World, user: UserName, queue_id: string, last_event_id = -1, dont_block = false) =>
  world.as(user).events.list({ queue_id, last_event_id, dont_block });

const contents = ({ events }: Awaited<ReturnType<typeof poll>>) =>
  events.map((event) => (event.type === 'message' ? event.message.content : event.type));

const lastOf = ({ events }: Awaited<ReturnType<typeof poll>>) => events.at(-1)?.id as number;

/** A queue of Hamlet that has received one message. */
async function told(t: TestContext, world: World) {
  t.after(() => world.close());
  const { queue_id } = await world.as('hamlet').register({ event_types: ['message'], fetch_event_types: [] });
  const waiting = poll(world, 'hamlet', queue_id);
  await untilPollsWait(world.chat, 1);
  await say(world, 'first');
  const first = await waiting;
  assert.deepEqual(contents(first), ['first']);
  return { queue_id, last: lastOf(first) };
}

/**
 * Delays the first read after the next commit until `release` is called. This read delivers events to waiting polls.
 */
function holdReading({ storage }: World): { isHeld: () => boolean; release: () => void } {
  const { read, write } = storage;
  let release = () => {};
  let isHeld = false;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  storage.write = async (...given) => {
    const value = await write.apply(storage, given);
    storage.write = write;
    storage.read = async (...asked) => {
      storage.read = read;
      isHeld = true;
      await released;
      return (await read.apply(storage, asked)) as never;
    };
    return value as never;
  };
  return { isHeld: () => isHeld, release };
}

const statements = (world: World) => (world.storage as typeof world.storage & { statements: number }).statements;

for (const engine of bothEngines) {
  const test = testOn(engine);
  const assertNone = (costs: readonly number[]) => {
    // Here the process also looks at the end of the log every 900 ms, and may read it beside one of the polls.
    if (engine.name === 'PostgreSQL') assert.ok(costs.includes(0), costs.join());
    else assert.deepEqual(costs, [0, 0, 0]);
  };
  describe(`a poll that continues after the previous one, on ${engine.name}`, () => {
    test('a repeated poll waits without a statement and gets the next event', async (t) => {
      const world = await engine.world();
      let { queue_id, last } = await told(t, world);
      const costs: number[] = [];
      for (const content of ['second', 'third', 'fourth']) {
        const before = statements(world);
        const waiting = poll(world, 'hamlet', queue_id, last);
        await untilPollsWait(world.chat, 1);
        costs.push(statements(world) - before);
        await say(world, content);
        const answer = await waiting;
        assert.deepEqual(contents(answer), [content]);
        last = lastOf(answer);
      }
      assertNone(costs);
    });

    test('an event between two polls is kept in memory for the second', async (t) => {
      const world = await engine.world();
      let { queue_id, last } = await told(t, world);
      const { queue_id: other } = await world
        .as('cordelia')
        .register({ event_types: ['message'], fetch_event_types: [] });
      let lastOfOther = -1;
      const costs: number[] = [];
      for (const pair of [
        ['second', 'third'],
        ['fourth', 'fifth'],
        ['sixth', 'seventh'],
      ]) {
        for (const content of pair) {
          const waiting = poll(world, 'cordelia', other, lastOfOther);
          await untilPollsWait(world.chat, 1);
          await say(world, content);
          lastOfOther = lastOf(await waiting);
        }
        const before = statements(world);
        const answer = await poll(world, 'hamlet', queue_id, last);
        costs.push(statements(world) - before);
        assert.deepEqual(contents(answer), pair);
        last = lastOf(answer);
      }
      assertNone(costs);
    });

    test('an event read from the log is not sent again from memory', async (t) => {
      const world = await engine.world();
      const { queue_id, last } = await told(t, world);
      const other = await world.as('cordelia').register({ event_types: ['message'], fetch_event_types: [] });
      const waiting = poll(world, 'cordelia', other.queue_id as string);
      await untilPollsWait(world.chat, 1);
      await say(world, 'second');
      const next = poll(world, 'cordelia', other.queue_id as string, lastOf(await waiting));
      await untilPollsWait(world.chat, 1);
      const { isHeld, release } = holdReading(world);
      await say(world, 'third');
      await until('the read is held back', isHeld);
      const fromLog = await poll(world, 'hamlet', queue_id, last, true);
      assert.deepEqual(contents(fromLog), ['second', 'third']);
      release();
      assert.deepEqual(contents(await next), ['third']);
      const after = poll(world, 'hamlet', queue_id, lastOf(fromLog));
      await Promise.race([untilPollsWait(world.chat, 1), after]);
      await say(world, 'fourth');
      assert.deepEqual(contents(await after), ['fourth']);
    });

    test('polls get more events than one read of the log has without another commit', async (t) => {
      const world = await engine.world();
      const { queue_id, last } = await told(t, world);
      const waiting = poll(world, 'hamlet', queue_id, last);
      await untilPollsWait(world.chat, 1);
      const { isHeld, release } = holdReading(world);
      const texts = Array.from({ length: 250 }, (_, n) => `number ${n}`);
      await say(world, texts[0] as string);
      await until('the read is held back', isHeld);
      for (const text of texts.slice(1)) await say(world, text);
      release();
      const found: string[] = [];
      for (let answer = await waiting; ; answer = await poll(world, 'hamlet', queue_id, lastOf(answer))) {
        found.push(...(contents(answer) as string[]));
        if (found.length >= texts.length) break;
      }
      assert.deepEqual(found, texts);
    });

    test('a poll with an earlier last_event_id gets the lost response again', async (t) => {
      const world = await engine.world();
      const { queue_id, last } = await told(t, world);
      assert.deepEqual(contents(await poll(world, 'hamlet', queue_id)), ['first']);
      await assert.rejects(poll(world, 'hamlet', queue_id, last + 100), { code: 'BAD_REQUEST' });
    });

    test('a repeated poll by another user is refused', async (t) => {
      const world = await engine.world();
      const { queue_id, last } = await told(t, world);
      await assert.rejects(poll(world, 'cordelia', queue_id, last), { code: 'BAD_EVENT_QUEUE_ID' });
    });

    test('a repeated poll of a deleted queue is refused', async (t) => {
      const world = await engine.world();
      const { queue_id, last } = await told(t, world);
      await world.as('hamlet').events.delete({ queue_id });
      await assert.rejects(poll(world, 'hamlet', queue_id, last), { code: 'BAD_EVENT_QUEUE_ID' });
    });

    test('an event committed by another process before the poll is sent once', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const { queue_id, last } = await told(t, here);
      await say(there, 'from there');
      const answer = await poll(here, 'hamlet', queue_id, last);
      assert.deepEqual(contents(answer), ['from there']);
      const waiting = poll(here, 'hamlet', queue_id, lastOf(answer));
      await untilPollsWait(here.chat, 1);
      await say(here, 'from here');
      assert.deepEqual(contents(await waiting), ['from here']);
    });

    for (const [what, change, refusal] of [
      ['whose account was deactivated', { is_active: false }, 'UNAUTHORIZED'],
      ['who became a guest', { role: 600 }, undefined],
    ] as const) {
      test(`a repeated poll of a user ${what} by another process uses the present role and account`, async (t) => {
        const [here, there] = await twoProcesses(t, engine);
        const { queue_id, last } = await told(t, here);
        await there.storage.write((tx) => tx.users.update(here.users.hamlet, change));
        const waiting = poll(here, 'hamlet', queue_id, last);
        const ended = refusal ? assert.rejects(waiting, { code: refusal }) : waiting;
        await say(there, 'second');
        const answer = await ended;
        if (answer) assert.deepEqual(contents(answer), ['second']);
      });
    }
  });
}
