import assert from 'node:assert/strict';
import { newAccount } from '../../../../lib/domains/users/account-creation.ts';
import type { World } from '../../../world/world.ts';
import { inWorlds, listening, say } from '../../messages/in-worlds.ts';

const crowd = ({ storage, clock }: World, size: number) =>
  storage.write(async (tx) => {
    const ids: number[] = [];
    for (let n = 0; n < size; n++) {
      const person = { email: `extra${n}@example.com`, full_name: `Extra ${n}`, role: 400 as const };
      ids.push((await tx.users.create(newAccount({ ...person, now: clock.now() }))).id);
    }
    return ids;
  });

const subscribe = ({ storage }: World, people: readonly number[], channel_id: number) =>
  storage.write((tx) => tx.subscriptions.add(people.map((user_id) => ({ user_id, channel_id, color: '#76ce90' }))));

/** Creates 150 messages with the stars of 120 users. */
async function sayStarred(world: World): Promise<void> {
  const people = await crowd(world, 120);
  const { storage, users, channels, clock } = world;
  await storage.write(async (tx) => {
    const { id: conversation_id } = await tx.conversations.ensureTopic(channels.public, 'stars');
    const ids: number[] = [];
    for (let n = 0; n < 150; n++) {
      const message = {
        conversation_id,
        sender_id: users.hamlet,
        content: 'x',
        rendered_content: '<p>x</p>',
        client: 'test',
        timestamp: Math.floor(clock.now() / 1000),
        is_me_message: false,
        read_by_sender: true,
      };
      ids.push((await tx.messages.create(message)).id);
    }
    for (const id of people) await tx.flags.set(id, ids, 'starred');
  });
}

/** Number of messages in each event. */
async function deletions(heard: () => Promise<{ type: string; message_ids: number[] }[]>): Promise<number[]> {
  const events = (await heard()).filter(({ type }) => type === 'delete_message');
  return events.map(({ message_ids }) => message_ids.length);
}

inWorlds('a topic whose messages have many flags is deleted in parts', async (world) => {
  const { as, channels } = world;
  await sayStarred(world);
  const heard = await listening(world, ['cordelia']);
  assert.deepEqual(await as('administrator').topics.delete({ stream_id: channels.public, topic_name: 'stars' }), {
    complete: true,
  });
  // All of them have 18,000 stars, more than one transaction removes.
  assert.deepEqual(await deletions(() => heard('cordelia')), [75, 75]);
});

inWorlds('expired messages with many flags are deleted in parts', async (world) => {
  const { as, chat, channels, clock } = world;
  await sayStarred(world);
  await as('owner').channels.edit({ stream_id: channels.public, message_retention_days: 1 });
  clock.advance({ days: 2 });
  const heard = await listening(world, ['cordelia']);
  await chat.runDue();
  const parts = await deletions(() => heard('cordelia'));
  assert.ok(Math.max(...parts) < 80, `${parts} messages were deleted at once`);
  const { topics } = await as('cordelia').topics.list({ stream_id: channels.public });
  assert.deepEqual(topics, []);
});

inWorlds('a deletion is sent once to subscribers with a flag on the message', async (world) => {
  const { as, channels, storage } = world;
  const message_id = await say(world, 'hamlet', channels.public, 'acts');
  await as('cordelia').messages.updateFlags({ messages: [message_id], op: 'add', flag: 'starred' });
  const before = await storage.read((tx) => tx.events.tail());
  await as('hamlet').messages.delete({ message_id });
  const [event] = await storage.read((tx) => tx.events.since(before, 1));
  assert.deepEqual(event?.audience, { channel: channels.public });
});

inWorlds('users who still see messages of a partly deleted topic keep their visibility policies', async (world) => {
  const { as, channels, storage, users } = world;
  const people = await crowd(world, 1_200);
  const [staying, coming] = [people.slice(0, 1_100), people.slice(1_100)];
  await subscribe(world, staying, channels.protected);
  await say(world, 'cordelia', channels.protected, 'gold');
  await subscribe(world, [...coming, users.administrator], channels.protected);
  await say(world, 'cordelia', channels.protected, 'gold');
  const topic = { channel_id: channels.protected, topic: 'gold', visibility_policy: 3, last_updated: 1 } as const;
  await storage.write((tx) => tx.userTopics.set(people, topic));
  const { complete } = await as('administrator').topics.delete({ stream_id: channels.protected, topic_name: 'gold' });
  assert.equal(complete, true);
  const left = await storage.read((tx) => tx.userTopics.ofTopic(topic, 0, 5_000));
  assert.deepEqual(
    left.map(({ user_id }) => user_id).filter((id) => people.includes(id)),
    staying,
  );
});
