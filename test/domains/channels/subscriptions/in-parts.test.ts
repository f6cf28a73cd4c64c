import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqliteEngine } from '../../../world/copies.ts';

test('2,600 users are subscribed and unsubscribed in parts, and each gets one event per channel', async (t) => {
  const world = await sqliteEngine.world();
  t.after(() => world.close());
  const owner = world.as('owner');
  const people = Array.from({ length: 2_600 }, (_, at) => ({ email: `p${at}@example.com`, full_name: `Person ${at}` }));
  const created: number[] = [];
  for (let from = 0; from < people.length; from += 1_000) {
    const answer = await owner.users.createMany({ people: people.slice(from, from + 1_000) });
    created.push(...answer.people.map(({ user_id }) => user_id as number));
  }
  const last = world.chat.as({ user_id: created.at(-1) as number });
  const { queue_id = '' } = await last.register({ event_types: ['subscription'], fetch_event_types: [] });
  const watcher = await owner.register({ event_types: ['subscription'], fetch_event_types: [] });

  const { id } = await owner.channels.create({ name: 'everybody', subscribers: created });
  const { subscribers } = await owner.channels.subscribers({ stream_id: id });
  assert.deepEqual(subscribers, created);

  const answer = await owner.subscriptions.add({
    subscriptions: [{ name: 'two' }, { name: 'everybody' }],
    principals: created,
    invite_only: true,
  });
  // The history is protected: later subscribers never read this message.
  const inTwo = [['channel', 'two']] as [string, string][];
  const { messages } = await last.messages.list({ anchor: 'oldest', num_after: 10, narrow: inTwo });
  assert.deepEqual(
    messages.map(({ subject }) => subject),
    ['channel events'],
  );
  assert.equal(Object.keys(answer.subscribed).length, created.length);
  assert.deepEqual(answer.subscribed[created.at(-1) as number], ['two']);
  assert.deepEqual(answer.already_subscribed[created[0] as number], ['everybody']);

  const { events } = await last.events.list({ queue_id, last_event_id: -1, dont_block: true });
  const added = events.filter((event) => event.type === 'subscription' && 'op' in event && event.op === 'add');
  assert.equal(added.length, 2);
  const told = await owner.events.list({ queue_id: watcher.queue_id ?? '', last_event_id: -1, dont_block: true });
  const peers = told.events.filter(
    (event) => event.type === 'subscription' && 'op' in event && event.op === 'peer_add',
  );
  // Two parts of the first call and three of the second, in which one channel has no new subscriber.
  assert.equal(peers.length, 5);

  const groups = () => world.storage.commits?.groups ?? 0;
  const before = groups();
  const { removed } = await owner.subscriptions.remove({ subscriptions: ['two', 'everybody'], principals: created });
  assert.equal(removed.length, 2 * created.length);
  assert.ok(groups() - before >= 3);
  assert.deepEqual((await owner.channels.subscribers({ stream_id: id })).subscribers, []);
  const left: typeof events = [];
  // Unread messages there become read, each with an event. So the log is read in parts.
  for (let more = events; more.length > 0; left.push(...more)) {
    const last_event_id = more.at(-1)?.id ?? -1;
    more = (await last.events.list({ queue_id, last_event_id, dont_block: true })).events;
  }
  assert.deepEqual(
    left.filter((event) => 'op' in event && event.op === 'remove').map((event) => event.type),
    ['subscription'],
  );

  const kind = { invite_only: true, history_public_to_subscribers: false };
  const { id: vault } = await owner.channels.create({ name: 'everybody, protected', subscribers: created, ...kind });
  const narrow = [{ operator: 'channel', operand: vault }];
  for (const user_id of [created[0], created.at(-1)] as number[]) {
    const read = await world.chat
      .as({ user_id })
      .messages.list({ anchor: 'newest', num_before: 5, num_after: 0, narrow });
    assert.deepEqual(
      read.messages.map(({ subject }) => subject),
      ['channel events'],
    );
    const { stream } = await world.chat.as({ user_id }).channels.get({ stream_id: vault });
    assert.equal(stream.first_message_id, read.messages[0]?.id);
  }
});

test('each of 300 new channels has one peer_add event and one first message', async (t) => {
  const world = await sqliteEngine.world();
  t.after(() => world.close());
  const owner = world.as('owner');
  const people = Array.from({ length: 10 }, (_, at) => ({ email: `p${at}@example.com`, full_name: `Person ${at}` }));
  const principals = (await owner.users.createMany({ people })).people.map(({ user_id }) => user_id as number);
  const names = Array.from({ length: 300 }, (_, at) => `wide ${at}`);
  const { queue_id = '' } = await owner.register({ event_types: ['subscription'], fetch_event_types: [] });
  const answer = await owner.subscriptions.add({ subscriptions: names.map((name) => ({ name })), principals });
  for (const id of principals) assert.equal(answer.subscribed[id]?.length, names.length);

  const { events } = await owner.events.list({ queue_id, last_event_id: -1, dont_block: true });
  const peers = events.flatMap((event) =>
    event.type === 'subscription' && 'op' in event && event.op === 'peer_add' ? event.stream_ids : [],
  );
  assert.equal(peers.length, names.length);
  for (const name of ['wide 0', 'wide 299']) {
    const { messages } = await owner.messages.list({
      anchor: 'newest',
      num_before: 5,
      narrow: [{ operator: 'channel', operand: name }],
    });
    assert.equal(messages.length, 1);
  }
});

test('subscriptions.update with many channels is refused before any part, or done completely', async (t) => {
  const world = await sqliteEngine.world();
  t.after(() => world.close());
  const { subscriptions } = world.as('cordelia');
  const add = Array.from({ length: 250 }, (_, at) => ({ name: `many ${at}` }));
  const there = async () => (await subscriptions.list()).subscriptions.length;
  const before = await there();
  await assert.rejects(subscriptions.update({ add, delete: ['Denmark', 'Elba'] }), { code: 'STREAM_DOES_NOT_EXIST' });
  assert.equal(await there(), before);
  const { subscribed, removed } = await subscriptions.update({ add, delete: ['Denmark'] });
  assert.deepEqual([subscribed[world.users.cordelia]?.length, removed], [250, ['Denmark']]);
  assert.equal(await there(), before + 249);
});

test('channels created in parts get their first messages together, and all subscribers the event', async (t) => {
  const world = await sqliteEngine.world();
  t.after(() => world.close());
  const owner = world.as('owner');
  const people = Array.from({ length: 52 }, (_, at) => ({ email: `p${at}@example.com`, full_name: `Person ${at}` }));
  const created = (await owner.users.createMany({ people })).people.map(({ user_id }) => user_id as number);
  const last = world.chat.as({ user_id: created.at(-1) as number });
  const { queue_id } = await last.register({ event_types: ['subscription', 'stream'], fetch_event_types: [] });
  const names = Array.from({ length: 51 }, (_, at) => `begun ${at}`);
  const storage = world.storage as unknown as { statements: number };
  const before = storage.statements;
  await owner.subscriptions.add({
    subscriptions: names.map((name) => ({ name })),
    principals: created,
    invite_only: true,
  });
  const statements = storage.statements - before;
  assert.ok(statements < 150, `${statements} statements for ${names.length} channels in two parts`);
  const { events } = await last.events.list({ queue_id: queue_id as string, last_event_id: -1, dont_block: true });
  const firsts = new Map(
    events.flatMap((event) =>
      event.type === 'stream' && event.op === 'update' && event.property === 'first_message_id'
        ? [[event.name, event.value as number]]
        : [],
    ),
  );
  assert.deepEqual([...firsts.keys()].sort(), [...names].sort());
  for (const name of names.slice(0, 2)) {
    const narrow = [['channel', name]] as [string, string][];
    const { messages } = await last.messages.list({ anchor: 'oldest', num_after: 10, narrow });
    assert.deepEqual(
      messages.map(({ id, subject }) => [id, subject]),
      [[firsts.get(name), 'channel events']],
    );
  }
});

test('a user who is subscribed to many channels in parts gets one message about all of them', async (t) => {
  const world = await sqliteEngine.world();
  t.after(() => world.close());
  const { subscriptions, users } = world.as('owner');
  const wide = Array.from({ length: 300 }, (_, at) => ({ name: `wide ${at}` }));
  await subscriptions.add({ subscriptions: wide });
  const people = Array.from({ length: 60 }, (_, at) => ({ email: `p${at}@example.com`, full_name: `Person ${at}` }));
  const principals = (await users.createMany({ people })).people.map(({ user_id }) => user_id as number);
  const { new_subscription_messages_sent } = await subscriptions.add({ subscriptions: wide.slice(0, 150), principals });
  assert.equal(new_subscription_messages_sent, true);
  const session = world.chat.as({ user_id: principals[0] as number });
  const { messages } = await session.messages.list({ anchor: 'newest', num_before: 9, narrow: [['is', 'dm']] });
  assert.equal(messages.length, 1);
  assert.match(messages[0]?.content ?? '', /and 100 more/);
});
