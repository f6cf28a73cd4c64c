import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { ChatError, connect } from '../../../../lib/index.ts';
import { transportOf } from '../../../../lib/internal.ts';
import { testOn } from '../../../support/engines.ts';
import { untilPollsWait } from '../../../support/polls.ts';
import { until } from '../../../support/until.ts';
import { bothEngines, sqliteEngine, type WorldEngine } from '../../../world/copies.ts';
import type { UserName } from '../../../world/fixture.ts';
import { twoProcesses } from '../../../world/processes.ts';
import { serving } from '../../../world/transports.ts';
import { openWorld, type World } from '../../../world/world.ts';

// Polls do not keep a process alive. This timer does.
const alive = setInterval(() => undefined, 60_000);
after(() => clearInterval(alive));

type Registration = Record<string, unknown>;

async function opened(t: TestContext, engine: WorldEngine, options = {}): Promise<World> {
  const world = await engine.world(options);
  t.after(() => world.close());
  return world;
}

async function queue(world: World, user: UserName, registration: Registration = {}): Promise<string> {
  return (await world.as(user).register({ ...registration, fetch_event_types: [] })).queue_id;
}

const poll = (world: World, user: UserName, queue_id: string, last_event_id = -1, dont_block = false) =>
  world.as(user).events.list({ queue_id, last_event_id, dont_block });

const now = async (world: World, user: UserName, queue_id: string, last_event_id = -1) =>
  (await poll(world, user, queue_id, last_event_id, true)).events;

/** A user who starts a topic follows it, which is another event. No user starts this topic. */
const TOPIC = 'ghosts';

const say = (world: World, as: UserName, content: string, to = 'Denmark', topic = TOPIC) =>
  world.as(as).messages.send({ type: 'channel', to, topic, content });

const contents = (events: readonly Record<string, unknown>[]) =>
  events.map((event) => (event.message as { content?: string } | undefined)?.content ?? event.type);

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`event queues on ${engine.name}`, () => {
    test('a poll that could continue in memory is refused when its queue has expired, as after a sleep', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet');
      const waiting = poll(world, 'hamlet', queue_id);
      await untilPollsWait(world.chat, 1);
      await say(world, 'cordelia', 'before');
      const last = (await waiting).events.at(-1)?.id;
      world.clock.advance({ days: 1 });
      await world.chat.runDue();
      await assert.rejects(poll(world, 'hamlet', queue_id, last), { code: 'BAD_EVENT_QUEUE_ID' });
    });

    test('a waiting poll wakes when a message is sent', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet');
      const waiting = poll(world, 'hamlet', queue_id);
      await untilPollsWait(world.chat, 1);
      await say(world, 'cordelia', 'hello');
      assert.deepEqual(contents((await waiting).events), ['hello']);
    });

    for (const isParked of [false, true])
      test(`a poll that reads ${isParked ? 'on in memory' : 'the log'} has the messages of a subscription, from first to last`, async (t) => {
        const world = await opened(t, engine);
        const queue_id = await queue(world, 'newcomer', { event_types: ['message'] });
        let last = -1;
        if (isParked) {
          const waiting = poll(world, 'newcomer', queue_id);
          await untilPollsWait(world.chat, 1);
          await world.as('hamlet').messages.send({ type: 'direct', to: [world.users.newcomer], content: 'hello' });
          last = (await waiting).events.at(-1)?.id ?? assert.fail();
        }
        for (const content of ['before', 'first', 'second', 'last', 'after']) {
          if (content === 'first')
            await world.as('newcomer').subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
          if (content === 'after') await world.as('newcomer').subscriptions.remove({ subscriptions: ['Denmark'] });
          await say(world, 'cordelia', content);
        }
        const { events } = await poll(world, 'newcomer', queue_id, last);
        assert.deepEqual(contents(events), ['first', 'second', 'last']);
      });

    test('a waiting poll does not wake for events of other users', async (t) => {
      const world = await opened(t, engine);
      const waiting = poll(world, 'newcomer', await queue(world, 'newcomer'));
      await untilPollsWait(world.chat, 1);
      await say(world, 'cordelia', 'not for the newcomer');
      await world.as('hamlet').messages.send({ type: 'direct', to: [world.users.newcomer], content: 'but this' });
      assert.deepEqual(contents((await waiting).events), ['but this']);
    });

    test('a poll without events ends in a heartbeat, and its ID repeats no event', async (t) => {
      const world = await opened(t, engine, { heartbeatSeconds: 0.05 });
      const queue_id = await queue(world, 'hamlet');
      const [heartbeat, ...others] = (await poll(world, 'hamlet', queue_id)).events;
      assert.equal(heartbeat?.type, 'heartbeat');
      // Some clients start at 0 and keep the greatest ID.
      assert.equal(heartbeat.id, 0);
      assert.deepEqual(others, []);
      await say(world, 'cordelia', 'after it');
      assert.deepEqual(contents(await now(world, 'hamlet', queue_id, heartbeat?.id)), ['after it']);
    });

    test('a newer poll on the same queue ends the earlier one', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet');
      const first = poll(world, 'hamlet', queue_id);
      await untilPollsWait(world.chat, 1);
      const { hub } = transportOf(world.chat).engine;
      const { mock } = t.mock.method(hub, 'supersede');
      const second = poll(world, 'hamlet', queue_id);
      await until('the second poll has replaced the first', () => mock.callCount() > 0);
      await untilPollsWait(world.chat, 1);
      await say(world, 'cordelia', 'for the second');
      const { events } = await second;
      assert.deepEqual(contents(events), ['for the second']);
      const [heartbeat] = (await first).events;
      assert.equal(heartbeat?.type, 'heartbeat');
      assert.ok(
        heartbeat.id < Number(events[0]?.id),
        'a client that reads both responses acknowledges only received events',
      );
    });

    test('two listeners on one queue leave time for others, and each event reaches one of them', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet', { event_types: ['message'] });
      const leaving = new AbortController();
      const answers = [0, 0];
      const found: string[][] = [[], []];
      const listen = async (at: 0 | 1) => {
        const options = { queue: { queue_id, last_event_id: -1 }, batches: true, signal: leaving.signal } as const;
        for await (const events of world.as('hamlet').listen(options)) {
          found[at]?.push(...contents(events).map(String));
          answers[at] = Number(answers[at]) + 1;
          if (Number(answers[at]) > 100) break;
        }
      };
      const ended = Promise.all([listen(0), listen(1)]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await say(world, 'cordelia', 'boo');
      await until('one listener has the message', () => found.flat().includes('boo'));
      leaving.abort();
      await ended;
      assert.ok(Math.max(...answers) <= 100, `${answers} answers`);
    });

    test('polls on two queues of one user both wake', async (t) => {
      const world = await opened(t, engine);
      const queues = [await queue(world, 'hamlet'), await queue(world, 'hamlet')];
      const waiting = queues.map((queue_id) => poll(world, 'hamlet', queue_id));
      await untilPollsWait(world.chat, 2);
      await say(world, 'cordelia', 'twice');
      for (const one of waiting) assert.deepEqual(contents((await one).events), ['twice']);
    });

    test('deleting the queue refuses its poll, and the queue is gone', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet');
      const refused = assert.rejects(poll(world, 'hamlet', queue_id), { code: 'BAD_EVENT_QUEUE_ID' });
      await untilPollsWait(world.chat, 1);
      await world.as('hamlet').events.delete({ queue_id });
      await refused;
      await assert.rejects(poll(world, 'hamlet', queue_id), { code: 'BAD_EVENT_QUEUE_ID', data: { queue_id } });
    });

    test('a queue without polls expires', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet');
      const patient = await queue(world, 'hamlet', { idle_queue_timeout: 'mobile' });
      world.clock.advance({ seconds: 599 });
      await world.chat.runDue();
      await now(world, 'hamlet', queue_id);
      world.clock.advance({ seconds: 601 });
      await world.chat.runDue();
      await assert.rejects(now(world, 'hamlet', queue_id), { code: 'BAD_EVENT_QUEUE_ID' });
      assert.deepEqual(await now(world, 'hamlet', patient), []);
    });

    test('a queue with polls does not expire', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet');
      for (let round = 0; round < 5; round++) {
        world.clock.advance({ seconds: 400 });
        await now(world, 'hamlet', queue_id);
        await world.chat.runDue();
      }
      assert.deepEqual(await now(world, 'hamlet', queue_id), []);
    });

    test('a last_event_id newer than the newest event is refused', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet');
      await say(world, 'cordelia', 'one');
      assert.deepEqual(await now(world, 'hamlet', queue_id, 1), []);
      await assert.rejects(now(world, 'hamlet', queue_id, 2), { code: 'BAD_REQUEST' });
    });

    test('acknowledged events are not repeated, others are', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet');
      for (const content of ['one', 'two', 'three']) await say(world, 'cordelia', content);
      assert.deepEqual(contents(await now(world, 'hamlet', queue_id)), ['one', 'two', 'three']);
      assert.deepEqual(contents(await now(world, 'hamlet', queue_id, 1)), ['two', 'three']);
      assert.deepEqual(contents(await now(world, 'hamlet', queue_id, 2)), ['three']);
    });

    test('events that happened before the queue are not in it', async (t) => {
      const world = await opened(t, engine);
      await say(world, 'cordelia', 'before');
      const queue_id = await queue(world, 'hamlet');
      await say(world, 'cordelia', 'after');
      assert.deepEqual(contents(await now(world, 'hamlet', queue_id)), ['after']);
    });

    test('event_types limits the queue to these types', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet', { event_types: ['subscription'] });
      await say(world, 'cordelia', 'left out');
      await world.as('hamlet').subscriptions.add({ subscriptions: [{ name: 'Norway' }] });
      assert.deepEqual(contents(await now(world, 'hamlet', queue_id)), ['subscription']);
    });

    test('a narrow limits the messages of the queue', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'hamlet', {
        narrow: [
          ['channel', 'Denmark'],
          ['topic', 'GHOSTS'],
        ],
      });
      await say(world, 'cordelia', 'elsewhere', 'Denmark', 'swords');
      await say(world, 'cordelia', 'here', 'Denmark', 'ghosts');
      await world.as('cordelia').messages.send({ type: 'direct', to: [world.users.hamlet], content: 'nor this' });
      assert.deepEqual(contents(await now(world, 'hamlet', queue_id)), ['here']);
    });

    test('a narrow of a queue selects the same messages as the narrow of a list', async (t) => {
      const world = await opened(t, engine);
      const { hamlet, cordelia, moderator } = world.users;
      const narrows = [
        [['dm', 'cordelia@example.com']],
        [{ operator: 'dm', operand: [cordelia], negated: true }],
        [['is', 'mentioned']],
        [['group-pm-with', 'cordelia@example.com']],
        [
          ['has', 'link'],
          ['sender', String(cordelia)],
        ],
        [{ operator: 'search', operand: 'KÄSE "and bread"' }],
        [
          { operator: 'topic', operand: 'GHOSTS', negated: true },
          { operator: 'is', operand: 'dm', negated: true },
        ],
      ] as const;
      const queues = await Promise.all(
        narrows.map((narrow) => queue(world, 'hamlet', { narrow: narrow as never, event_types: ['message'] })),
      );
      await say(world, 'cordelia', 'see https://example.com', 'Denmark', 'ghosts');
      await say(world, 'cordelia', 'hail @**all**', 'Denmark', 'swords');
      await say(world, 'cordelia', 'Käse and bread', 'Denmark', 'ghosts');
      await world.as('cordelia').messages.send({ type: 'direct', to: [hamlet], content: 'quietly' });
      await world.as('cordelia').messages.send({ type: 'direct', to: [hamlet, moderator], content: 'together' });
      for (const [at, queue_id] of queues.entries()) {
        const { messages } = await world.as('hamlet').messages.list({
          anchor: 'newest',
          num_before: 4,
          narrow: [...(narrows[at] as unknown as []), ['sender', 'cordelia@example.com']],
          apply_markdown: false,
        });
        const listed = messages.map((one) => one.content).filter((one) => !/Who is there|Are you there/.test(one));
        const received = contents(await now(world, 'hamlet', queue_id));
        assert.ok(received.length > 0);
        assert.deepEqual(received, listed, JSON.stringify(narrows[at]));
      }
    });

    test('all_public_streams adds messages of public channels without a subscription, not of private ones', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'newcomer', { all_public_streams: true });
      await say(world, 'cordelia', 'public');
      await say(world, 'cordelia', 'private', 'Vault');
      await say(world, 'hamlet', 'to the web', 'Harbour');
      assert.deepEqual(contents(await now(world, 'newcomer', queue_id)), ['public', 'to the web']);
    });

    test('all_public_streams wakes a poll for a public channel without a subscription', async (t) => {
      const world = await opened(t, engine);
      const waiting = poll(world, 'newcomer', await queue(world, 'newcomer', { all_public_streams: true }));
      await untilPollsWait(world.chat, 1);
      await say(world, 'cordelia', 'public');
      assert.deepEqual(contents((await waiting).events), ['public']);
    });

    test('a queue with a narrow gets the matching messages of public channels without a subscription', async (t) => {
      const world = await opened(t, engine);
      const { channels, users } = world;
      const listening = (narrow: unknown, user: UserName = 'newcomer') =>
        queue(world, user, { event_types: ['message'], narrow });
      const queues = {
        'channel by name': await listening([['stream', 'denmark']]),
        'channel by ID': await listening([{ operator: 'channel', operand: channels.public }]),
        'channel and topic': await listening([
          ['channel', 'Denmark'],
          ['topic', TOPIC],
        ]),
        topic: await listening([['topic', TOPIC]]),
        sender: await listening([['sender', 'cordelia@example.com']]),
        'private channel': await listening([['channel', 'Vault']]),
        'own messages': await listening([['is', 'mentioned']]),
        'direct messages': await listening([['dm', users.cordelia]]),
        'negated terms': await listening([{ operator: 'topic', operand: 'other', negated: true }]),
        'state that no event shows': await listening([['is', 'followed']]),
      };
      const ofGuest = await listening([['channel', 'Denmark']], 'guest');
      await say(world, 'cordelia', 'wanted');
      await say(world, 'hamlet', 'by another user', 'Denmark', 'swords');
      await say(world, 'cordelia', 'private', 'Vault');
      const received = Object.fromEntries(
        await Promise.all(
          Object.entries(queues).map(async ([name, id]) => [name, contents(await now(world, 'newcomer', id))]),
        ),
      );
      assert.deepEqual(received, {
        'channel by name': ['wanted', 'by another user'],
        'channel by ID': ['wanted', 'by another user'],
        'channel and topic': ['wanted'],
        topic: ['wanted'],
        sender: ['wanted'],
        'private channel': [],
        'own messages': [],
        'direct messages': [],
        'negated terms': [],
        'state that no event shows': [],
      });
      assert.deepEqual(contents(await now(world, 'guest', ofGuest)), []);
    });

    test('a waiting poll with a narrow to a public channel wakes for it alone, and also from another process', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const narrow = [['channel', 'Denmark']];
      const waiting = poll(here, 'newcomer', await queue(here, 'newcomer', { event_types: ['message'], narrow }));
      await untilPollsWait(here.chat, 1);
      await say(here, 'hamlet', 'elsewhere', 'Harbour');
      await say(there, 'cordelia', 'wanted');
      assert.deepEqual(contents((await waiting).events), ['wanted']);
    });

    test('local_message_id is only in the queue that sent the message', async (t) => {
      const world = await opened(t, engine);
      const [mine, other] = [await queue(world, 'hamlet'), await queue(world, 'hamlet')];
      const theirs = await queue(world, 'cordelia');
      await world.as('hamlet').messages.send({
        type: 'channel',
        to: 'Denmark',
        topic: TOPIC,
        content: 'echo',
        queue_id: mine,
        local_id: '12.01',
      });
      const [echo] = await now(world, 'hamlet', mine);
      assert.equal(echo?.type === 'message' && echo.local_message_id, '12.01');
      for (const [user, queue_id] of [
        ['hamlet', other],
        ['cordelia', theirs],
      ] as const) {
        const [event] = await now(world, user, queue_id);
        assert.ok(event && !Object.hasOwn(event, 'local_message_id'));
      }
    });

    test('a user who left a channel before polling gets only its messages from before leaving', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'cordelia', { event_types: ['message'] });
      await say(world, 'hamlet', 'while she was there');
      await world.as('cordelia').subscriptions.remove({ subscriptions: ['Denmark'] });
      await say(world, 'hamlet', 'when she was gone');
      await world.as('cordelia').subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
      await say(world, 'hamlet', 'when she was back');
      assert.deepEqual(contents(await now(world, 'cordelia', queue_id)), ['while she was there', 'when she was back']);
    });

    test('deactivating an account ends its queues', async (t) => {
      const world = await opened(t, engine);
      const queue_id = await queue(world, 'cordelia');
      await world.as('owner').users.deactivate({ user_id: world.users.cordelia });
      await world.as('owner').users.reactivate({ user_id: world.users.cordelia });
      await assert.rejects(now(world, 'cordelia', queue_id), { code: 'BAD_EVENT_QUEUE_ID' });
    });

    test('a queue continues after the chat is closed and opened again', async (t) => {
      const place = await engine.place();
      t.after(() => place.remove());
      const before = await openWorld(place.fixture, place.storage());
      const queue_id = await queue(before, 'hamlet');
      for (const content of ['one', 'two']) await say(before, 'cordelia', content);
      assert.deepEqual(contents(await now(before, 'hamlet', queue_id)), ['one', 'two']);
      await before.close();
      const after = await openWorld(place.fixture, place.storage());
      t.after(() => after.close());
      await say(after, 'cordelia', 'three');
      assert.deepEqual(contents(await now(after, 'hamlet', queue_id, 1)), ['two', 'three']);
    });

    test('a message sent by one process wakes a poll held by another', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const waiting = poll(here, 'hamlet', await queue(here, 'hamlet'));
      await untilPollsWait(here.chat, 1);
      await say(there, 'cordelia', 'from there');
      assert.deepEqual(contents((await waiting).events), ['from there']);
    });

    test('listen yields events one by one and ends with its signal', async (t) => {
      const world = await opened(t, engine);
      const stop = new AbortController();
      const seen: unknown[] = [];
      const listening = (async () => {
        for await (const event of world.as('hamlet').listen({ event_types: ['message'], signal: stop.signal })) {
          seen.push(...contents([event]));
          if (seen.length === 2) stop.abort();
        }
      })();
      await untilPollsWait(world.chat, 1);
      await say(world, 'cordelia', 'one');
      await say(world, 'cordelia', 'two');
      await listening;
      assert.deepEqual(seen, ['one', 'two']);
      assert.equal(transportOf(world.chat).engine.hub.waiting, 0);
    });
  });
}

test('closing the chat ends its polls', async () => {
  const world = await sqliteEngine.world();
  const waiting = poll(world, 'hamlet', await queue(world, 'hamlet'));
  await untilPollsWait(world.chat, 1);
  await world.close();
  await waiting.catch((error) => assert.ok(error instanceof Error));
});

test('a poll over HTTP wakes for a message and ends when its client disconnects', async (t) => {
  const world = await opened(t, sqliteEngine);
  await serving(world, async (site) => {
    const api_key = await world.chat.apiKeyOf(world.users.hamlet);
    const session = connect({ site, email: world.emails.hamlet, api_key });
    const { queue_id } = await session.register({ fetch_event_types: [] });
    const waiting = session.events.list({ queue_id, last_event_id: -1 });
    await untilPollsWait(world.chat, 1);
    await say(world, 'cordelia', 'over the wire');
    assert.deepEqual(contents((await waiting).events), ['over the wire']);
    const stop = new AbortController();
    const listening = session.listen({ queue: { queue_id, last_event_id: 1 }, signal: stop.signal }).next();
    await untilPollsWait(world.chat, 1);
    stop.abort();
    await listening;
    await untilPollsWait(world.chat, 0);
    await session.close();
  });
});

test("a poll of another user's queue is refused as missing", async (t) => {
  const world = await opened(t, sqliteEngine);
  const queue_id = await queue(world, 'hamlet');
  for (const user of ['owner', 'bot', 'guest'] as const) {
    await assert.rejects(
      poll(world, user, queue_id),
      (error) => error instanceof ChatError && error.code === 'BAD_EVENT_QUEUE_ID',
    );
  }
});
