import assert from 'node:assert/strict';
import { CHANNELS, type ChannelName, type UserName } from '../../world/fixture.ts';
import type { World } from '../../world/world.ts';
import { Follower } from './follower.ts';
import { inWorlds, listening, say } from './in-worlds.ts';

/** A user without a subscription who reacted, wrote or has a flag on a message of the channel. */
interface Part {
  who: UserName;
  /** Returns the ID of the message, in the topic "acts". */
  takesPart(world: World): Promise<number>;
  /** The user gets no more events when the message leaves the channel. */
  isTransient?: true;
}

const ofHamlet = (world: World) => say(world, 'hamlet', world.channels.public, 'acts', 'one');
const react = (world: World, as: UserName, message_id: number) =>
  world.as(as).messages.addReaction({ message_id, emoji_name: 'tada' });

const PARTS: Record<string, Part> = {
  'reacted to a message': {
    who: 'newcomer',
    async takesPart(world) {
      const id = await ofHamlet(world);
      await react(world, 'newcomer', id);
      return id;
    },
  },
  'reacted to a message and removed the reaction': {
    who: 'newcomer',
    async takesPart(world) {
      const id = await ofHamlet(world);
      await react(world, 'newcomer', id);
      await world.as('newcomer').messages.removeReaction({ message_id: id, emoji_name: 'tada' });
      return id;
    },
  },
  'sent a message': {
    who: 'newcomer',
    takesPart: (world) => say(world, 'newcomer', world.channels.public, 'acts', 'one'),
  },
  'is a bot and sent a message': {
    who: 'bot',
    takesPart: (world) => say(world, 'bot', world.channels.public, 'acts', 'one'),
  },
  'starred a message': {
    who: 'newcomer',
    async takesPart(world) {
      const id = await ofHamlet(world);
      await world.as('newcomer').messages.updateFlags({ messages: [id], op: 'add', flag: 'starred' });
      return id;
    },
  },
  'received a message and left': {
    who: 'cordelia',
    isTransient: true,
    async takesPart(world) {
      const id = await ofHamlet(world);
      await world.as('cordelia').subscriptions.remove({ subscriptions: [CHANNELS.public] });
      return id;
    },
  },
  'reacted to a message sent before they joined, and left': {
    who: 'newcomer',
    async takesPart(world) {
      const id = await ofHamlet(world);
      await world.as('newcomer').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }] });
      await react(world, 'newcomer', id);
      await world.as('newcomer').subscriptions.remove({ subscriptions: [CHANNELS.public] });
      return id;
    },
  },
};

/** Changes of the message, one after another. */
const IN_PLACE: Record<string, (world: World, message_id: number, author: UserName) => Promise<unknown>> = {
  'another user reacts': (world, id) => react(world, 'administrator', id),
  'the reaction is removed': ({ as }, message_id) =>
    as('administrator').messages.removeReaction({ message_id, emoji_name: 'tada' }),
  'it is edited': ({ as }, message_id, author) => as(author).messages.edit({ message_id, content: 'two' }),
  'its topic is renamed': ({ as }, message_id) =>
    as('administrator').messages.edit({ message_id, topic: 'scenes', propagate_mode: 'change_all' }),
  'it moves to another topic': ({ as }, message_id) =>
    as('administrator').messages.edit({ message_id, topic: 'lines' }),
};

/** The last change moves the message to a channel that the user cannot read. */
const ELSEWHERE: typeof IN_PLACE = {
  'its topic moves to another public channel': ({ as, channels }, message_id) =>
    as('administrator').messages.edit({ message_id, stream_id: channels.quiet, propagate_mode: 'change_all' }),
  'another user reacts there': (world, id) => react(world, 'moderator', id),
  'it moves to a channel they cannot read': ({ as, channels }, message_id) =>
    as('hamlet').messages.edit({ message_id, stream_id: channels.shared, propagate_mode: 'change_all' }),
};

/** After each change, the state of the client equals a new registration. */
async function follows(world: World, { who, takesPart }: Part, happenings: typeof IN_PLACE): Promise<void> {
  const message_id = await takesPart(world);
  const { message } = await world.as(who).messages.get({ message_id });
  const author = message.sender_id === world.users[who] ? who : 'hamlet';
  const follower = await new Follower(world, who, undefined, [message_id]).start();
  for (const [what, happens] of Object.entries(happenings)) {
    await happens(world, message_id, author);
    await follower.check(what);
  }
}

for (const [what, part] of Object.entries(PARTS)) {
  inWorlds(`without a subscription, a user who ${what} gets the events of its changes`, async (world) => {
    await follows(world, part, { ...IN_PLACE, ...(part.isTransient ? {} : ELSEWHERE) });
  });
  inWorlds(`without a subscription, a user who ${what} gets the event of its deletion`, async (world) => {
    await follows(world, part, {
      'it is deleted': ({ as }, message_id) => as('owner').messages.delete({ message_id }),
    });
  });
}

inWorlds('a user who may join a private channel gets the events of a message they reacted to there', async (world) => {
  const { as, channels, groups, messages } = world;
  const can_subscribe_group = { new: groups.cooks };
  await as('hamlet').subscriptions.add({
    subscriptions: [{ name: CHANNELS.shared }],
    principals: [world.users.owner],
  });
  await as('owner').channels.edit({ stream_id: channels.shared, can_subscribe_group });
  const part: Part = {
    who: 'cordelia',
    async takesPart() {
      await react(world, 'cordelia', messages.council);
      return messages.council;
    },
  };
  await follows(world, part, {
    'another user reacts': () => react(world, 'moderator', messages.council),
    'its topic is renamed': () =>
      as('moderator').messages.edit({ message_id: messages.council, topic: 'plots', propagate_mode: 'change_all' }),
    'it is deleted': () => as('owner').messages.delete({ message_id: messages.council }),
  });
});

inWorlds(
  'a user who left a protected channel but may rejoin gets the events of messages they received',
  async (world) => {
    const { as, channels, groups, messages } = world;
    await world.settings({
      move_messages_within_stream_limit_seconds: null,
      message_content_delete_limit_seconds: null,
    });
    await as('cordelia').subscriptions.add({
      subscriptions: [{ name: CHANNELS.protected }],
      principals: [world.users.owner, world.users.hamlet],
    });
    await as('owner').channels.edit({ stream_id: channels.protected, can_subscribe_group: { new: groups.cooks } });
    const part: Part = {
      who: 'cordelia',
      async takesPart() {
        await as('cordelia').subscriptions.remove({ subscriptions: [CHANNELS.protected] });
        return messages.vaultAfter;
      },
    };
    await follows(world, part, {
      'another user reacts': () => react(world, 'guest', messages.vaultAfter),
      'it moves': () => as('guest').messages.edit({ message_id: messages.vaultAfter, topic: 'silver' }),
      'it is deleted': () => as('cordelia').messages.delete({ message_id: messages.vaultAfter }),
    });
  },
);

inWorlds(
  'a guest gets the events of a message they reacted to in a web-public channel until it moves out',
  async (world) => {
    const { as, channels, messages } = world;
    const part: Part = {
      who: 'guest',
      async takesPart() {
        await as('guest').subscriptions.remove({ subscriptions: [CHANNELS.webPublic] });
        await react(world, 'guest', messages.harbour);
        return messages.harbour;
      },
    };
    await follows(world, part, {
      'another user reacts': () => react(world, 'moderator', messages.harbour),
      'it moves to a channel that guests cannot read': () =>
        as('owner').messages.edit({
          message_id: messages.harbour,
          stream_id: channels.quiet,
          propagate_mode: 'change_all',
        }),
      'another user reacts there': () => react(world, 'owner', messages.harbour),
    });
  },
);

/** Users who received a message of Hamlet and left, and whether they can still read the channel. */
const LEFT: readonly [who: UserName, where: ChannelName, isReader: boolean][] = [
  ['cordelia', 'public', true],
  ['owner', 'public', true],
  ['guest', 'public', false],
  ['cordelia', 'webPublic', true],
  ['guest', 'webPublic', true],
  ['cordelia', 'shared', false],
  ['owner', 'shared', false],
  ['guest', 'shared', false],
];

for (const [who, where, isReader] of LEFT)
  inWorlds(
    `${who} left the ${where} channel and gets ${isReader ? 'all' : 'no'} events of its messages`,
    async (world) => {
      const { as, channels, users } = world;
      const subscriptions = [{ name: CHANNELS[where] }];
      await as('hamlet').subscriptions.add({ subscriptions, principals: [users[who]] });
      const message_id = await say(world, 'hamlet', channels[where], 'acts', 'one');
      await as(who).subscriptions.remove({ subscriptions: [CHANNELS[where]] });
      const read = as(who).messages.get({ message_id });
      await (isReader ? read : assert.rejects(read));
      const events = await listening(world, [who]);
      await react(world, 'hamlet', message_id);
      await as('hamlet').messages.edit({ message_id, content: 'two' });
      await as('hamlet').messages.edit({ message_id, topic: 'scenes', send_notification_to_new_thread: false });
      await as('owner').organization.edit({ can_delete_own_message_group: { new: 5 } });
      await as('hamlet').messages.delete({ message_id });
      const expected = ['reaction', 'update_message', 'update_message', 'delete_message'];
      assert.deepEqual(
        (await events(who)).map(({ type }) => type).filter((type) => expected.includes(type)),
        isReader ? expected : [],
      );
    },
  );
