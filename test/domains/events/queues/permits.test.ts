import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unwrapRawJson } from '../../../../lib/base/raw-json.ts';
import { listEvents } from '../../../../lib/domains/events/queues/list.ts';
import { openChat, sqlite } from '../../../../lib/index.ts';
import { transportOf } from '../../../../lib/internal.ts';
import { untilPollsWait } from '../../../support/polls.ts';

const created = (events: readonly { op: string }[]) => events.filter(({ op }) => op === 'create').length;

test('a poll with many events begins its permit and is a large read; a poll with few events or none is neither', async (t) => {
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
