import type { Session } from '../../../../lib/index.ts';
import type { Changes, PlainCalls, ScalingCalls } from '../../../world/calls.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { say } from '../in-worlds.ts';

const newOfCordelia = (world: World) => say(world, 'cordelia', world.channels.public, 'x');

const said = (world: World, content: string) => say(world, 'hamlet', world.channels.public, 'x', content);

type Move = Omit<Parameters<Session['messages']['edit']>[0], 'message_id'>;

/** The caller can edit the message whatever its age: as moderator, or without a time limit. */
const move =
  (message: keyof World['messages'], to: (world: World) => Move, as: UserName = 'administrator') =>
  async (world: World) => {
    await world.as('owner').organization.edit({ move_messages_between_streams_limit_seconds: 'unlimited' });
    await world.as(as).messages.edit({ message_id: world.messages[message], ...to(world) });
  };

export const matrix: PlainCalls = {
  'messages.edit': async (world) => ({ message_id: await newOfCordelia(world), content: 'Who goes there?' }),
  'messages.delete': async (world) => ({ message_id: await newOfCordelia(world) }),
};

export const changes: Changes = {
  'messages.edit': {
    'other content': (world) =>
      said(world, 'y').then((id) => world.as('hamlet').messages.edit({ message_id: id, content: 'z' })),
    'one mention added and one removed': async (world) => {
      const id = await said(world, '@**Cordelia**');
      await world.as('hamlet').messages.edit({ message_id: id, content: '@**Adam Administrator**' });
    },
    'a mention moved to another user': async (world) => {
      const id = await said(world, '@**Cordelia**');
      await world.as('hamlet').messages.edit({ message_id: id, content: '@**all**', topic: 'z' });
    },
    'another topic for one message': move('ghost', () => ({ topic: 'spirits' })),
    'another topic for all': move('ghost', () => ({ topic: '', propagate_mode: 'change_all' })),
    'a resolved topic': move('ghostReply', () => ({ topic: '✔ ghosts', propagate_mode: 'change_all' })),
    'another public channel': move('ghost', ({ channels }) => ({ stream_id: channels.default })),
    'a channel without messages, and back': async (world) => {
      await move('ghost', ({ channels }) => ({ stream_id: channels.quiet, propagate_mode: 'change_all' }))(world);
      await move('ghost', ({ channels }) => ({ stream_id: channels.public, propagate_mode: 'change_all' }))(world);
    },
    'only the first message of a channel': move('ghost', ({ channels }) => ({ stream_id: channels.default })),
    'a channel that some readers cannot see': move(
      'ghost',
      ({ channels }) => ({ stream_id: channels.shared }),
      'hamlet',
    ),
  },
  'messages.delete': {
    'the only direct message between two users, and a new one': async ({ as, users }) => {
      const write = () => as('moderator').messages.send({ type: 'direct', to: [users.guest], content: 'y' });
      await as('moderator').messages.delete({ message_id: (await write()).id });
      await write();
    },
    'the first and only message of a channel, and a new one': async (world) => {
      const { as, channels } = world;
      const in_quiet = () => say(world, 'hamlet', channels.quiet, 'x');
      const ids = [await in_quiet(), await in_quiet(), await in_quiet()];
      for (const message_id of ids) await as('owner').messages.delete({ message_id });
      const last = await in_quiet();
      await in_quiet();
      await as('owner').messages.delete({ message_id: last });
    },
    'an unread and starred message': async ({ as, messages }) => {
      await as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'starred' });
      await as('administrator').messages.delete({ message_id: messages.ghost });
    },
  },
};

export const statements: ScalingCalls = {
  'messages.edit': {
    'of a whole topic': ({ world, messages }) =>
      world.as('hamlet').messages.edit({
        message_id: messages[0] as number,
        topic: 'renamed',
        propagate_mode: 'change_all',
      }),
  },
};
