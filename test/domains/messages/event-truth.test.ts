import type { World } from '../../world/world.ts';
import { followed } from './follower.ts';
import { inWorlds, say } from './in-worlds.ts';

/** The user who makes the changes, a new subscriber, a user who loses access, a user who gains it, and a guest. */
const OBSERVERS = ['owner', 'administrator', 'moderator', 'hamlet', 'cordelia', 'guest'] as const;

interface Said {
  world: World;
  /**
   * Messages of Hamlet in the public channel: Cordelia has read, starred and been mentioned in the first three. The
   * fourth has the empty topic.
   */
  ids: [number, number, number, number];
  move(at: number, to: object): Promise<unknown>;
}

async function prepared(world: World): Promise<Said> {
  const { as, channels } = world;
  // The messages of the fixture are a month old.
  await as('owner').organization.edit({
    move_messages_within_stream_limit_seconds: 'unlimited',
    move_messages_between_streams_limit_seconds: 'unlimited',
  });
  const speak = (topic: string, content: string) => say(world, 'hamlet', channels.public, topic, content);
  const ids: Said['ids'] = [
    await speak('acts', 'one'),
    await speak('acts', 'two'),
    await speak('acts', '@**Cordelia** @**all**'),
    await speak('', 'four'),
  ];
  await as('cordelia').messages.updateFlags({ messages: [ids[0]], op: 'add', flag: 'read' });
  await as('cordelia').messages.updateFlags({ messages: [ids[1]], op: 'add', flag: 'starred' });
  const move: Said['move'] = (at, to) =>
    as('hamlet').messages.edit({ message_id: ids[at] as number, propagate_mode: 'change_all', ...to });
  return { world, ids, move };
}

const SITUATIONS: Record<string, (said: Said) => Promise<unknown>> = {
  'a topic moves from a public channel to a private one and back': async ({ world, move }) => {
    await move(0, { stream_id: world.channels.shared });
    await move(0, { stream_id: world.channels.public });
  },
  'a topic of a private channel moves to a public one and a subscriber leaves': async ({ world }) => {
    const { as, channels, messages } = world;
    await as('hamlet').messages.edit({ message_id: messages.council, stream_id: channels.public });
    await as('moderator').subscriptions.remove({ subscriptions: ['Council'] });
  },
  'a topic is resolved and unresolved': async ({ move }) => {
    await move(0, { topic: '✔ acts' });
    await move(0, { topic: 'acts' });
  },
  'the empty topic gets a name, and another topic becomes empty': async ({ move }) => {
    await move(3, { topic: 'scenes' });
    await move(0, { topic: '' });
  },
  'read, starred and mentioning messages are deleted': async ({ world, ids }) => {
    for (const message_id of ids) await world.as('hamlet').messages.delete({ message_id });
  },
  'a topic is marked as read, a narrow as unread, and all as read': async ({ world }) => {
    const { messages } = world.as('cordelia');
    await messages.markTopicRead({ stream_id: world.channels.public, topic_name: 'acts' });
    const narrow = [{ operator: 'channel', operand: 'Denmark' }];
    await messages.updateFlagsNarrow({
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow,
      op: 'remove',
      flag: 'read',
    });
    await messages.markChannelRead({ stream_id: world.channels.public });
    await messages.updateFlagsNarrow({
      anchor: 'newest',
      num_before: 2,
      num_after: 0,
      narrow,
      op: 'remove',
      flag: 'read',
    });
    await messages.markAllRead();
  },
  'a user leaves a channel, misses messages and joins again': async ({ world, ids }) => {
    const { as, channels } = world;
    await as('cordelia').subscriptions.remove({ subscriptions: ['Denmark'] });
    await say(world, 'hamlet', channels.public, 'acts', 'missed');
    await as('hamlet').messages.edit({ message_id: ids[0], content: 'changed' });
    await as('cordelia').subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
    await say(world, 'hamlet', channels.public, 'acts', 'heard again');
  },
  'messages in protected history change': async ({ world }) => {
    const { as, messages } = world;
    for (const message_id of [messages.vaultBefore, messages.vaultAfter]) {
      await as('cordelia').messages.addReaction({ message_id, emoji_name: 'tada' });
      await as('cordelia').messages.edit({ message_id, topic: 'silver' });
    }
  },
  'a topic moves to a channel with protected history': async ({ world, ids }) => {
    const { as, channels } = world;
    await as('cordelia').messages.edit({
      message_id: ids[1],
      stream_id: channels.protected,
      propagate_mode: 'change_later',
    });
  },
  'a user is subscribed to a channel and removed': async ({ world }) => {
    const { as, users, channels } = world;
    await as('hamlet').subscriptions.add({
      subscriptions: [{ name: 'Council' }],
      principals: [users.guest, users.cordelia],
    });
    await say(world, 'hamlet', channels.shared, 'plans', '@**Gus Guest**');
    await as('owner').subscriptions.remove({ subscriptions: ['Council'], principals: [users.guest] });
    await say(world, 'hamlet', channels.shared, 'plans', 'without the guest');
  },
};

for (const [situation, happens] of Object.entries(SITUATIONS)) {
  inWorlds(`events give clients the right state when ${situation}`, async (world) => {
    const said = await prepared(world);
    await followed(world, OBSERVERS, () => happens(said));
  });
}
