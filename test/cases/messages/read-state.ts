import { cases } from '../../faces/case.ts';
import type { World } from '../../faces/world.ts';

const read = (...messages: number[]) => ({
  type: 'update_message_flags',
  op: 'add',
  operation: 'add',
  flag: 'read',
  messages,
  all: false,
});
const inGhosts = [
  { operator: 'channel', operand: 'Denmark' },
  { operator: 'topic', operand: 'ghosts' },
];
const window = { anchor: 'oldest', num_before: 0, num_after: 10, narrow: inGhosts, op: 'add', flag: 'read' };

/** So that what is told does not depend on the notification bot. */
const unreadGhosts = async ({ as, messages }: World) => {
  await as('cordelia').messages.markAllRead();
  await as('cordelia').messages.updateFlags({
    messages: [messages.ghost, messages.ghostReply],
    op: 'remove',
    flag: 'read',
  });
};

export const updateMessageFlagsNarrowCases = cases('messages.updateFlagsNarrow', [
  {
    name: 'marks a window of a narrow and says what it has done',
    as: 'cordelia',
    given: unreadGhosts,
    call: ['messages.updateFlagsNarrow', window],
    returns: ({ messages }) => ({
      ...{ processed_count: 2, updated_count: 2, found_oldest: true, found_newest: true },
      ...{ first_processed_id: messages.ghost, last_processed_id: messages.ghostReply },
      ignored_because_not_subscribed_channels: [],
    }),
    events: ({ messages }) => ({ cordelia: [read(messages.ghost, messages.ghostReply)], hamlet: [] }),
  },
  {
    name: 'a flag that cannot be changed is refused',
    as: 'cordelia',
    call: ['messages.updateFlagsNarrow', { ...window, flag: 'mentioned' }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a bad narrow is refused',
    as: 'cordelia',
    call: ['messages.updateFlagsNarrow', { ...window, narrow: [{ operator: 'colour', operand: 'red' }] }],
    refuses: { code: 'BAD_NARROW', data: { desc: 'unknown operator "colour"' } },
  },
]);

export const markAllReadCases = cases('messages.markAllRead', [
  {
    name: 'marks everything as read and tells what was not',
    as: 'cordelia',
    given: unreadGhosts,
    call: ['messages.markAllRead'],
    returns: { complete: true },
    events: ({ messages }) => ({ cordelia: [read(messages.ghost, messages.ghostReply)], hamlet: [] }),
  },
]);

export const markChannelReadCases = cases('messages.markChannelRead', [
  {
    name: 'marks a channel as read',
    as: 'cordelia',
    given: unreadGhosts,
    call: ['messages.markChannelRead', ({ channels }) => ({ stream_id: channels.public })],
    events: ({ messages }) => ({ cordelia: [read(messages.ghost, messages.ghostReply)] }),
  },
  {
    name: 'a channel out of sight is refused',
    as: 'hamlet',
    call: ['messages.markChannelRead', ({ channels }) => ({ stream_id: channels.protected })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);

export const markTopicReadCases = cases('messages.markTopicRead', [
  {
    name: 'marks a topic as read, whatever its case',
    as: 'cordelia',
    given: unreadGhosts,
    call: ['messages.markTopicRead', ({ channels }) => ({ stream_id: channels.public, topic_name: 'Ghosts' })],
    events: ({ messages }) => ({ cordelia: [read(messages.ghost, messages.ghostReply)] }),
  },
  {
    name: 'a topic that does not exist is refused',
    as: 'cordelia',
    call: ['messages.markTopicRead', ({ channels }) => ({ stream_id: channels.public, topic_name: 'never' })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);

export const listReadReceiptsCases = cases('messages.readReceipts', [
  {
    name: 'names who has read the message, without its sender',
    as: 'hamlet',
    given: async ({ as, messages, settings }) => {
      await settings({ enable_read_receipts: true });
      await as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'read' });
      await as('hamlet').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'read' });
    },
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    returns: ({ users }) => ({ user_ids: [users.cordelia] }),
  },
  {
    name: 'is refused where receipts are switched off',
    as: 'hamlet',
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);
