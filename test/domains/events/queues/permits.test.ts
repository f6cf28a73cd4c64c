import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unwrapRawJson } from '../../../../lib/base/raw-json.ts';
import { listEvents } from '../../../../lib/domains/events/queues/list.ts';
import { openChat, sqlite } from '../../../../lib/index.ts';
import { transportOf } from '../../../../lib/internal.ts';
import { untilPollsWait } from '../../../support/polls.ts';

const created = (events: readonly { op: string }[]) => events.filter(({ op }) => op === 'create').length;

test('a poll with many events starts its permit and is a large read; a poll with few or no events does neither', async (t) => {
  const storage = sqlite(':memory:');
  const said: string[] = [];
  const read = storage.read.bind(storage);
  storage.read = (work, extent) => {
    if (extent) said.push(extent);
    return read(work, extent);
  };
  const chat = await openChat({ storage });
  t.after(() => chat.close());
  const ada = await chat.createOrganization({ name: 'Club', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const { queue_id } = await chat.as(ada).register({ event_types: ['stream'], fetch_event_types: [] });
  said.length = 0;
  const permit = {
    enter: async () => undefined,
    begin: async () => void said.push('begin'),
    beginWork: () => () => undefined,
    end: () => void said.push('end'),
  };
  const poll = async (last_event_id: number, dont_block = true) => {
    const caller = { userId: ada.user_id, client: 'test', permit };
    const values = { queue_id, last_event_id, dont_block };
    const { events } = unwrapRawJson(await transportOf(chat).engine.call(listEvents, caller, values)) as {
      events: { id: number; op: string }[];
    };
    return events;
  };
  const happen = async (times: number) => {
    for (let n = 0; n < times; n++)
      await chat.as(ada).channels.create({ name: `at ${performance.now()}`, subscribers: [] });
  };

  await happen(3);
  assert.equal(created(await poll(-1)), 3);
  assert.deepEqual(said, []);

  await happen(40);
  const all = await poll(-1);
  assert.equal(created(all), 43);
  assert.deepEqual(said.splice(0), ['begin', 'large']);

  const waiting = poll(all.at(-1)?.id as number, false);
  await untilPollsWait(chat, 1);
  assert.deepEqual(said.splice(0), ['end']);
  await happen(1);
  assert.ok(await waiting);
  assert.deepEqual(said, []);
});

test('a stream that connects again soon continues in memory, also far behind; with another key it is authorized', async (t) => {
  const storage = sqlite(':memory:');
  let begun = 0;
  let reads = 0;
  const read = storage.read.bind(storage);
  storage.read = (work, extent) => {
    reads++;
    return read(work, extent);
  };
  const chat = await openChat({ storage });
  t.after(() => chat.close());
  const ada = await chat.createOrganization({ name: 'Club', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const ben = await chat.as(ada).users.create({ email: 'ben@example.com', full_name: 'Ben', password: 'a long one' });
  const { queue_id } = await chat.as(ada).register({ event_types: ['stream'], fetch_event_types: [] });
  const permit = {
    enter: async () => undefined,
    begin: async () => void begun++,
    beginWork: () => () => undefined,
    end() {},
  };
  const frame = { before: (id: number) => `${id}:`, after: '\n' };
  const { streamEvents } = transportOf(chat);
  const connect = (last_event_id: number, more = {}) => {
    const caller = { userId: ada.user_id, client: 'test', permit, ...more };
    return streamEvents(caller, { queue_id, last_event_id }, (_, _schema, value) => value, frame)[
      Symbol.asyncIterator
    ]();
  };
  let last = -1;
  /** Number of channels in the next event. */
  const next = async (stream: AsyncIterator<unknown>) => {
    const text = String((await stream.next()).value);
    last = Number([...text.matchAll(/"id":(\d+)\}\n/g)].at(-1)?.[1] ?? last);
    return [...text.matchAll(/"op":"create"/g)].length;
  };
  const happen = async (times: number) => {
    for (let n = 0; n < times; n++)
      await chat.as(ben.user_id).channels.create({ name: `at ${performance.now()}`, subscribers: [] });
  };
  const first = connect(-1);
  reads = 0;
  assert.equal(await next(first), 0);
  const waiting = next(first);
  await untilPollsWait(chat, 1);
  assert.equal(reads, 1, 'a stream reads the log once');
  await happen(1);
  assert.equal(await waiting, 1);
  await first.return(undefined);

  await happen(40);
  assert.equal(begun, 0);
  const before = reads;
  const again = connect(last);
  assert.equal(await next(again), 0, 'the status comes first');
  assert.equal(reads, before);
  assert.equal(await next(again), 40);
  assert.ok(reads - before <= 1, 'all queues share one read');
  assert.equal(begun, 0);
  await again.return(undefined);
  await assert.rejects(next(connect(last, { keyGeneration: 99 })), { code: 'UNAUTHORIZED' });
});
