import assert from 'node:assert/strict';
import type { World } from '../../world/world.ts';
import { type AnyEvent, inWorlds, listening } from './in-worlds.ts';

const TOPICS = 101;
/** Messages of each topic. Together they are more than one part. */
const MESSAGES = 100;
const MOST_AT_ONCE = 10_000;

/** Hamlet sends to many topics of a channel. Cordelia is subscribed and has read it. */
async function muchUnread(world: World): Promise<number[]> {
  const { public: channel } = world.channels;
  await world.as('cordelia').messages.markAllRead();
  const ids: number[] = [];
  await world.storage.write(async (tx) => {
    ids.length = 0;
    const topics: number[] = [];
    for (let n = 0; n < TOPICS; n++) topics.push((await tx.conversations.ensureTopic(channel, `act ${n}`)).id);
    const message = {
      sender_id: world.users.hamlet,
      content: 'Words',
      rendered_content: '<p>Words</p>',
      timestamp: 1_700_000_000,
      client: 'test',
      is_me_message: false,
      read_by_sender: true,
    };
    for (let n = 0; n < MESSAGES; n++) {
      ids.push(...(await tx.messages.createMany(topics.map((conversation_id) => ({ ...message, conversation_id })))));
    }
  });
  return ids.sort((one, other) => one - other);
}

/** The parts in which events mark messages as read. */
function partsOf(events: readonly AnyEvent[]): number[][] {
  return events
    .filter(({ type, op }) => type === 'update_message_flags' && op === 'add')
    .map(({ messages }) => messages);
}

function checkParts(parts: readonly number[][], all: readonly number[]): void {
  assert.ok(parts.length > 1 && parts.every(({ length }) => length <= MOST_AT_ONCE));
  const told = parts.flat().sort((one, other) => one - other);
  assert.deepEqual(told, all);
}

async function countUnread(world: World): Promise<number> {
  const state = await world.as('cordelia').register({ fetch_event_types: ['message', 'update_message_flags'] });
  return (state as unknown as { unread_msgs: { count: number } }).unread_msgs.count;
}

inWorlds(
  '(H13) marking more than 10,000 messages sends lists in parts, and at the end that all are read',
  async (world) => {
    const all = await muchUnread(world);
    assert.equal(await countUnread(world), all.length);
    const heard = await listening(world, ['cordelia']);
    assert.deepEqual(await world.as('cordelia').messages.markAllRead(), { complete: true });
    assert.equal(await countUnread(world), 0);
    const events = await heard('cordelia');
    const parts = partsOf(events);
    assert.ok(parts.length > 1 && parts.every(({ length }) => length <= MOST_AT_ONCE));
    assert.deepEqual([events.at(-1)?.all, parts.at(-1)], [true, []]);
    assert.ok(events.slice(0, -1).every((event) => !event.all));
    const told = parts.flat();
    assert.ok(new Set(told).size === told.length && told.every((id) => all.includes(id)));
  },
);

inWorlds('marking a channel with more than 10,000 messages sends events in parts, each message once', async (world) => {
  const all = await muchUnread(world);
  const heard = await listening(world, ['cordelia']);
  await world.as('cordelia').messages.markChannelRead({ stream_id: world.channels.public });
  checkParts(partsOf(await heard('cordelia')), all);
});

inWorlds('leaving a channel with many unread messages sends the read events in parts', async (world) => {
  const all = await muchUnread(world);
  const heard = await listening(world, ['cordelia']);
  await world.as('cordelia').subscriptions.remove({ subscriptions: ['Denmark'] });
  const atOnce = await heard('cordelia');
  assert.ok(atOnce.some(({ type, op }) => type === 'subscription' && op === 'remove'));
  assert.deepEqual(partsOf(atOnce), []);
  assert.equal(await countUnread(world), 0);
  await world.chat.runDue();
  checkParts(partsOf(await heard('cordelia')), all);
});

inWorlds(
  '(D9) archiving a channel marks many unread messages as read at once, and sends the events later',
  async (world) => {
    const all = await muchUnread(world);
    const heard = await listening(world, ['cordelia']);
    await world.as('owner').channels.archive({ stream_id: world.channels.public });
    assert.equal(await countUnread(world), 0);
    assert.deepEqual(partsOf(await heard('cordelia')), []);
    await world.chat.runDue();
    checkParts(partsOf(await heard('cordelia')), all);
  },
);

inWorlds(
  'messages marked as unread after rejoining a channel are not in the read events of the earlier leave',
  async (world) => {
    const all = await muchUnread(world);
    const cordelia = world.as('cordelia');
    const heard = await listening(world, ['cordelia']);
    await cordelia.subscriptions.remove({ subscriptions: ['Denmark'] });
    await cordelia.subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
    const some = all.slice(0, 3);
    await cordelia.messages.updateFlags({ messages: some, op: 'remove', flag: 'read' });
    await heard('cordelia');
    await world.chat.runDue();
    checkParts(partsOf(await heard('cordelia')), all.slice(3));
    assert.equal(await countUnread(world), some.length);
  },
);

inWorlds(
  'muting a user with many unread messages sends the first read event at once, the others later',
  async (world) => {
    const all = await muchUnread(world);
    const heard = await listening(world, ['cordelia']);
    await world.as('cordelia').mutedUsers.add({ muted_user_id: world.users.hamlet });
    assert.equal(await countUnread(world), 0);
    assert.equal(partsOf(await heard('cordelia')).length, 1);
    await world.chat.runDue();
    checkParts(partsOf(await heard('cordelia')), all);
  },
);
