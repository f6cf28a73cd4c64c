import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { EventGap, type Logger, type ObservedEvent, openChat } from '../../lib/index.ts';
import { TestClock, testChat } from '../../lib/testing/testing.ts';
import { featureEngines, testOn } from '../support/engines.ts';
import { until } from '../support/until.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A logger that keeps its lines. */
function keptLog() {
  const said: string[] = [];
  const say = (_: object, message: string) => void said.push(message);
  return { said, logger: { debug() {}, info() {}, warn: say, error: say } satisfies Logger };
}

const textOf = ({ event }: ObservedEvent<'message'>) => event.message.content;

for (const engine of featureEngines) {
  describe(`observing events, on ${engine.name}`, () => {
    const test = testOn(engine);

    async function open(t: TestContext, logger: Logger = silent) {
      const place = await engine.open();
      const made = await testChat({ storage: place.storage, logger });
      const { ada, ben } = made.people;
      const say = (content: string) => ada.messages.send({ type: 'direct', to: [ben.user_id], content });
      const again = async () => openChat({ storage: await place.reopen(), clock: made.clock, logger });
      t.after(async () => {
        await made.close();
        await place.dispose();
      });
      return { ...made, say, again, place };
    }

    test('an event listener gets all later events in order, with their audience', async (t) => {
      const { chat, say, people, channels } = await open(t);
      await say('before');
      const seen: ObservedEvent[] = [];
      const subscription = await chat.on('event', (event) => void seen.push(event));
      const { id } = await say('**one**');
      await people.emil.drafts.create({ drafts: [{ type: '', to: [], topic: '', content: 'own' }] });
      await people.dora.messages.send({ type: 'channel', to: channels.general, topic: 'a', content: 'two' });
      await people.cleo.mutedUsers.add({ muted_user_id: people.finn.user_id });
      await subscription.caughtUp();
      const shown = seen.map(({ event, audience }) => [event.type, audience]);
      const direct = [people.ada.user_id, people.ben.user_id];
      assert.deepEqual(
        shown.filter(([type]) => type === 'message' || type === 'drafts'),
        [
          ['message', { user_ids: direct }],
          ['drafts', { user_ids: [people.emil.user_id] }],
          ['message', { scope: 'public', channel_id: channels.general }],
        ],
      );
      const [first] = seen;
      assert.ok(first?.event.type === 'message');
      assert.deepEqual([first.event.message.id, first.event.message.content], [id, '**one**']);
      const muted = seen.find(({ event }) => event.type === 'muted_users')?.event;
      assert.ok(muted?.type === 'muted_users');
      assert.deepEqual(
        muted.muted_users.map((one) => one.id),
        [people.finn.user_id],
      );
      await subscription.stop();
      await say('after');
      assert.equal(
        seen.some(({ event }) => event.type === 'message' && event.message.content === 'after'),
        false,
      );
    });

    test('an event cursor continues in another process and after a restart', async (t) => {
      const { chat, say, again } = await open(t);
      const seen: string[] = [];
      const listener = (event: ObservedEvent<'message'>) => void seen.push(textOf(event));
      const options = { cursor: 'audit', event_types: ['message'] } as const;
      const one = await chat.on('event', listener, options);
      await say('one');
      await one.caughtUp();
      await one.stop();
      await say('two');
      const other = await again();
      const two = await other.on('event', listener, options);
      await two.caughtUp();
      assert.deepEqual(seen, ['one', 'two']);
      // No other process works on the cursor.
      const waiting = await chat.on('event', (event) => void seen.push(`${textOf(event)}, elsewhere`), options);
      await say('three');
      await until('the holder gets the third event', () => seen.length === 3);
      assert.deepEqual([seen[2], waiting.isReading], ['three', false]);
      assert.deepEqual(
        (await chat.eventCursors()).map(({ name, isHeld }) => [name, isHeld]),
        [['audit', true]],
      );
      await other.close();
      await until('the other process reads', () => waiting.isReading);
      await say('four');
      await waiting.caughtUp();
      assert.deepEqual(seen.slice(3), ['four, elsewhere']);
      await waiting.stop();
      assert.deepEqual([await chat.removeEventCursor('audit'), await chat.eventCursors()], [true, []]);
    });

    test('caughtUp resolves when the other holder of the cursor has delivered all events', async (t) => {
      const { clock, chat, say, again } = await open(t);
      const seen: string[] = [];
      const options = { cursor: 'audit', event_types: ['message'] } as const;
      const other = await again();
      const holder = await other.on('event', (event) => void seen.push(textOf(event)), options);
      await until('the holder reads', () => holder.isReading);
      const waiting = await chat.on('event', () => assert.fail('told here'), options);
      await say('one');
      let toldAtTheEnd: string[] | undefined;
      const caught = waiting.caughtUp().then(() => {
        toldAtTheEnd = [...seen];
      });
      await until('caughtUp resolves', () => {
        clock.advance({ seconds: 1 });
        return toldAtTheEnd !== undefined;
      });
      await caught;
      assert.deepEqual([toldAtTheEnd, waiting.isReading], [['one'], false]);
      await chat.removeEventCursor('audit');
      await say('two');
      await assert.rejects(waiting.caughtUp(), /There is no cursor "audit" any more/);
      await other.close();
    });

    test('an event listener started while the chat closes is refused', async (t) => {
      const { chat, say } = await open(t);
      await say('one');
      const told: unknown[] = [];
      const beginning = [chat.on('event', (event) => told.push(event)), chat.on('event', () => 0, { cursor: 'audit' })];
      const closing = chat.close();
      const outcomes = await Promise.allSettled(beginning);
      await closing;
      assert.deepEqual(
        outcomes.map((one) => one.status === 'rejected' && [one.reason.name, one.reason.reason]),
        [
          ['StorageError', 'closed'],
          ['StorageError', 'closed'],
        ],
      );
      assert.deepEqual(told, []);
    });

    test('another process continues an event cursor after the lease of a dead holder', async (t) => {
      const { chat, clock, say, place } = await open(t);
      const first = await chat.on('event', () => undefined, { cursor: 'audit' });
      await first.caughtUp();
      const { position } = first;
      await first.stop();
      const lease = clock.now() + 60_000;
      await place.storage.write((tx) => tx.eventCursors.claim('audit', 'dead process', clock.now(), lease));
      await say('kept');
      const seen: number[] = [];
      const second = await chat.on('event', (event) => void seen.push(event.position), { cursor: 'audit' });
      clock.advance({ seconds: 30 });
      assert.equal(second.isReading, false);
      clock.advance({ seconds: 31 });
      await until('the second process reads', () => second.isReading);
      await second.caughtUp();
      assert.ok((seen[0] as number) > position);
    });

    test('E7: another process continues a cursor seconds after its holder was killed', async (t) => {
      const { chat, clock, say, place } = await open(t);
      const held = await chat.on('event', () => undefined, { cursor: 'audit' });
      await until('the first process holds the cursor', () => held.isReading);
      // Stops the clock of the first process, as a kill would.
      const later = new TestClock(clock.now());
      const other = await openChat({ storage: await place.reopen(), clock: later, logger: silent });
      t.after(() => other.close());
      const next = await other.on('event', () => undefined, { cursor: 'audit' });
      await say('kept');
      assert.equal(next.isReading, false);
      for (let seconds = 0; seconds < 9 && !next.isReading; seconds++) {
        later.advance({ seconds: 1 });
        await other.eventCursors();
      }
      await until('the second process reads', () => next.isReading);
      await next.caughtUp();
    });

    test('a failing event listener is retried at growing intervals and logged once', async (t) => {
      const { said, logger } = keptLog();
      const { chat, clock, say } = await open(t, logger);
      const seen: string[] = [];
      const subscription = await chat.on(
        'event',
        (event) => {
          seen.push(textOf(event));
          if (seen.length < 3) throw new Error('not yet');
        },
        { event_types: ['message'] },
      );
      await say('one');
      await say('two');
      await until('the listener is called', () => seen.length === 1);
      for (const seconds of [1, 2]) {
        await until('the failure is counted', () => subscription.failures === seen.length);
        clock.advance({ seconds });
        const { length } = seen;
        await until('the listener is called again', () => seen.length > length);
      }
      await subscription.caughtUp();
      assert.deepEqual(seen, ['one', 'one', 'one', 'two']);
      assert.equal(subscription.failures, 2);
      assert.equal(said.filter((message) => message.includes('listener')).length, 1);
    });

    test('an event cursor that is too far behind reports the gap and continues', async (t) => {
      const { chat, say, place } = await open(t);
      const first = await chat.on('event', () => undefined, { cursor: 'audit' });
      await first.stop();
      const after = first.position;
      await say('lost');
      await say('kept');
      const tail = await place.storage.read((tx) => tx.events.tail());
      await place.storage.write((tx) => tx.events.trim(tail, Number.MAX_SAFE_INTEGER, 100));
      const gaps: EventGap[] = [];
      const seen: string[] = [];
      const second = await chat.on('event', (event) => void seen.push(textOf(event)), {
        cursor: 'audit',
        event_types: ['message'],
        onGap: (gap) => void gaps.push(gap),
      });
      await second.caughtUp();
      assert.deepEqual([seen, gaps.map((gap) => gap.after), second.gaps], [['kept'], [after], 1]);
      await assert.rejects(chat.events({ after }).next(), EventGap);
      const { resumes_after } = gaps[0] as EventGap;
      const { value } = await chat.events({ after: resumes_after, event_types: ['message'] }).next();
      assert.equal(value.event.message.content, 'kept');
      await assert.rejects(chat.events({ after: tail + 1000 }).next(), /no position/);
    });

    test('moving an event cursor to now skips events, even while its listener fails', async (t) => {
      const { chat, clock, say } = await open(t);
      const seen: string[] = [];
      const reader = await chat.on(
        'event',
        (event) => {
          if (textOf(event) === 'stuck') throw new Error('always fails');
          seen.push(textOf(event));
        },
        { cursor: 'audit', event_types: ['message'] },
      );
      t.after(() => reader.stop());
      await say('stuck');
      await say('behind it');
      await until('the listener has failed', () => reader.failures === 1);
      assert.equal(await chat.moveEventCursorToNow('audit'), true);
      assert.deepEqual(await chat.eventCursors().then(([one]) => [one?.behind, one?.isHeld]), [0, false]);
      await say('after');
      await until('the listener gets the event after the move', () => {
        clock.advance({ seconds: 1 });
        return seen.length > 0;
      });
      assert.deepEqual(seen, ['after']);
      assert.equal(await chat.moveEventCursorToNow('nobody'), false);
    });

    test('the event log is kept for a cursor and trimmed when the cursor is removed', async (t) => {
      const { chat, clock, say, place } = await open(t);
      const subscription = await chat.on('event', () => undefined, { cursor: 'audit' });
      await subscription.stop();
      await say('one');
      await say('two');
      clock.advance({ minutes: 30 });
      await chat.runDue();
      const kept = (await place.storage.read((tx) => tx.events.since(subscription.position, 10))).length;
      assert.ok(kept >= 2);
      await chat.removeEventCursor('audit');
      await chat.runDue();
      assert.equal((await place.storage.read((tx) => tx.events.since(subscription.position, 10))).length, 1);
    });

    test('events that nothing needs are kept for a quarter of an hour', async (t) => {
      const { chat, clock, say, place } = await open(t);
      await say('one');
      await say('two');
      const count = async () => (await place.storage.read((tx) => tx.events.since(0, 1_000))).length;
      const before = await count();
      for (const [minutes, left] of [
        [12, before],
        [4, 1],
      ] as const) {
        clock.advance({ minutes });
        await chat.runDue();
        assert.equal(await count(), left, `after ${minutes} more minutes`);
      }
    });

    test('chat.events keeps events between steps and ends with its signal or the chat', async (t) => {
      const { chat, say } = await open(t);
      const events = chat.events({ event_types: ['message'] });
      await say('one');
      assert.equal(textOf((await events.next()).value), 'one');
      await say('two');
      assert.equal(textOf((await events.next()).value), 'two');
      const ending = new AbortController();
      const ended = chat.events({ signal: ending.signal }).next();
      setImmediate(() => ending.abort());
      assert.equal((await ended).done, true);
      const open_ = events.next();
      await chat.close();
      assert.equal((await open_).done, true);
    });
  });
}

/** An event of a topic move lists all its messages. */
testOn({})('chat.events lists all messages of a topic move', async () => {
  const { chat, people, channels, close } = await testChat({ logger: silent });
  const ids: number[] = [];
  for (const content of ['one', 'two']) {
    const { id } = await people.ada.messages.send({ type: 'channel', to: channels.general, topic: 'a', content });
    ids.push(id);
  }
  const events = chat.events({ event_types: ['update_message'] });
  await people.ada.messages.edit({ message_id: ids[0] as number, topic: 'b', propagate_mode: 'change_all' });
  const { event } = (await events.next()).value as ObservedEvent<'update_message'>;
  assert.deepEqual([event.message_ids, event.flags], [ids, []]);
  await close();
});

testOn({})('an observer gets each change once, in its newest form', async () => {
  const { chat, people, close } = await testChat({ logger: silent });
  const seen: ObservedEvent[] = [];
  const subscription = await chat.on('event', (event) => void seen.push(event));
  await people.ada.settings.edit({ twenty_four_hour_time: true });
  await subscription.caughtUp();
  assert.deepEqual(
    seen.map(({ event }) => event.type),
    ['user_settings'],
  );
  await close();
});
