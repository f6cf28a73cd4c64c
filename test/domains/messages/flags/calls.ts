import type { Changes, PlainCalls, ScalingCalls } from '../../../world/calls.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { say } from '../in-worlds.ts';

function markNarrow(world: World, op: 'add' | 'remove') {
  const narrow = [
    { operator: 'channel', operand: 'crowded' },
    { operator: 'topic', operand: 'x' },
  ];
  const window = { anchor: 'oldest', num_before: 0, num_after: 1000, narrow } as const;
  return world.as('cordelia').messages.updateFlagsNarrow({ ...window, op, flag: 'read' });
}

export const matrix: PlainCalls = {
  'messages.updateFlags': ({ messages }) => ({ messages: [messages.vaultAfter], op: 'add', flag: 'starred' }),
  'messages.updateFlagsNarrow': () => ({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [['channel', CHANNELS.protected]],
    op: 'add',
    flag: 'starred',
  }),
  'messages.markChannelRead': ({ channels }) => ({ stream_id: channels.protected }),
  'messages.markTopicRead': ({ channels }) => ({ stream_id: channels.protected, topic_name: 'gold' }),
  'messages.readReceipts': ({ messages }) => ({ message_id: messages.vaultAfter }),
};

export const changes: Changes = {
  'messages.updateFlags': {
    'marking a mention as read and unread': async (world) => {
      const id = await say(world, 'hamlet', world.channels.public, 'x', '@**Cordelia**');
      await world.as('cordelia').messages.updateFlags({ messages: [id], op: 'add', flag: 'read' });
      await world.as('cordelia').messages.updateFlags({ messages: [id], op: 'remove', flag: 'read' });
    },
    reading: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({ messages: [messages.ghost, messages.direct], op: 'add', flag: 'read' }),
    'marking as read and unread': async ({ as, messages }) => {
      const those = [messages.ghost, messages.direct, messages.group];
      await as('cordelia').messages.updateFlags({ messages: those, op: 'add', flag: 'read' });
      await as('cordelia').messages.updateFlags({ messages: those.slice(1), op: 'remove', flag: 'read' });
    },
    starring: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({
        messages: [messages.ghostReply, messages.ghost],
        op: 'add',
        flag: 'starred',
      }),
    unstarring: async ({ as, messages }) => {
      await as('guest').messages.updateFlags({ messages: [messages.harbour], op: 'add', flag: 'starred' });
      await as('guest').messages.updateFlags({ messages: [messages.harbour], op: 'remove', flag: 'starred' });
    },
  },
  'messages.updateFlagsNarrow': {
    'marking a channel as read': ({ as }) =>
      as('cordelia').messages.updateFlagsNarrow({
        anchor: 'oldest',
        num_before: 0,
        num_after: 50,
        op: 'add',
        flag: 'read',
        narrow: [{ operator: 'channel', operand: CHANNELS.public }],
      }),
  },
  'messages.markAllRead': {
    everything: ({ as }) => as('cordelia').messages.markAllRead(),
  },
  'messages.markChannelRead': {
    'a channel': ({ as, channels }) => as('cordelia').messages.markChannelRead({ stream_id: channels.public }),
  },
  'messages.markTopicRead': {
    'a topic': ({ as, channels }) =>
      as('cordelia').messages.markTopicRead({ stream_id: channels.public, topic_name: 'ghosts' }),
  },
};

export const statements: ScalingCalls = {
  'messages.updateFlags': {
    'as starred': ({ world, messages }) =>
      world.as('cordelia').messages.updateFlags({ messages, op: 'add', flag: 'starred' }),
    'as read': ({ world, messages }) =>
      world.as('cordelia').messages.updateFlags({ messages, op: 'add', flag: 'read' }),
    'as unread': ({ world, messages }) =>
      world.as('cordelia').messages.updateFlags({ messages, op: 'remove', flag: 'read' }),
  },
  'messages.updateFlagsNarrow': {
    'as unread': ({ world }) => markNarrow(world, 'remove'),
    'as read': ({ world }) => markNarrow(world, 'add'),
  },
  'messages.markTopicRead': async ({ world, crowded }) => {
    await markNarrow(world, 'remove');
    await world.as('cordelia').messages.markTopicRead({ stream_id: crowded, topic_name: 'x' });
  },
};
