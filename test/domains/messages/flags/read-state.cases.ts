import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

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

/** Turns off messages of the notification bot, which would add events. */
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
    name: 'messages around the anchor are marked, and the response has the counts',
    as: 'cordelia',
    given: unreadGhosts,
    call: ['messages.updateFlagsNarrow', window],
    returns: ({ messages }) => ({
      processed_count: 2,
      updated_count: 2,
      found_oldest: true,
      found_newest: true,
      first_processed_id: messages.ghost,
      last_processed_id: messages.ghostReply,
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
  ...['anchor', 'num_before', 'num_after', 'narrow', 'op', 'flag'].map(
    (missing): Case => ({
      name: `${missing} is required`,
      as: 'cordelia',
      call: ['messages.updateFlagsNarrow', { ...window, [missing]: undefined }],
      refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: missing } },
    }),
  ),
  {
    name: 'include_anchor false leaves the anchor message unmarked',
    as: 'cordelia',
    given: unreadGhosts,
    call: [
      'messages.updateFlagsNarrow',
      ({ messages }) => ({ ...window, anchor: messages.ghost, include_anchor: false }),
    ],
    returns: ({ messages }) => ({ processed_count: 1, first_processed_id: messages.ghostReply, found_oldest: false }),
    events: ({ messages }) => ({ cordelia: [read(messages.ghostReply)] }),
  },
  {
    name: 'updated_count counts only the messages that changed',
    as: 'cordelia',
    given: async (world) => {
      await unreadGhosts(world);
      await world.as('cordelia').messages.updateFlags({ messages: [world.messages.ghost], op: 'add', flag: 'read' });
    },
    call: ['messages.updateFlagsNarrow', window],
    returns: { processed_count: 2, updated_count: 1 },
    events: ({ messages }) => ({ cordelia: [read(messages.ghostReply)] }),
  },
  {
    name: 'a narrow without messages changes nothing',
    as: 'cordelia',
    call: ['messages.updateFlagsNarrow', { ...window, narrow: [inGhosts[0], { operator: 'topic', operand: 'never' }] }],
    returns: {
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      found_oldest: true,
      found_newest: true,
    },
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'messages of channels without a subscription are not marked as unread',
    as: 'moderator',
    call: ['messages.updateFlagsNarrow', { ...window, op: 'remove' }],
    returns: ({ channels }) => ({
      processed_count: 2,
      updated_count: 0,
      ignored_because_not_subscribed_channels: [channels.public],
    }),
    events: () => ({ moderator: [] }),
  },
  {
    name: 'a window of more than five thousand messages is refused',
    as: 'cordelia',
    call: ['messages.updateFlagsNarrow', { ...window, num_after: 5_001 }],
    refuses: { code: 'BAD_REQUEST', says: /5000/ },
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
    name: '(H13) all messages are marked as read, and the event says so without a list',
    as: 'cordelia',
    given: unreadGhosts,
    call: ['messages.markAllRead'],
    returns: { complete: true },
    events: () => ({ cordelia: [{ ...read(), all: true }], hamlet: [] }),
  },
  {
    name: '(H13) messages that were explicitly marked as unread are among all messages',
    as: 'hamlet',
    given: async ({ as, messages }) => {
      await as('hamlet').messages.markAllRead();
      await as('hamlet').messages.updateFlags({ messages: [messages.direct], op: 'remove', flag: 'read' });
    },
    call: ['messages.markAllRead'],
    events: () => ({ hamlet: [{ ...read(), all: true }] }),
    state: async ({ as, messages }) => {
      const { message } = await as('hamlet').messages.get({ message_id: messages.direct });
      assert.ok(message.flags?.includes('read'));
    },
  },
  {
    name: '(H13) no event is sent if nothing was unread',
    as: 'cordelia',
    given: ({ as }) => as('cordelia').messages.markAllRead(),
    call: ['messages.markAllRead'],
    events: () => ({ cordelia: [] }),
  },
]);

export const markChannelReadCases = cases('messages.markChannelRead', [
  {
    name: 'all messages of a channel are marked as read',
    as: 'cordelia',
    given: unreadGhosts,
    call: ['messages.markChannelRead', ({ channels }) => ({ stream_id: channels.public })],
    events: ({ messages }) => ({ cordelia: [read(messages.ghost, messages.ghostReply)] }),
  },
  {
    name: 'marking read messages as read sends no event',
    as: 'cordelia',
    given: ({ as }) => as('cordelia').messages.markAllRead(),
    call: ['messages.markChannelRead', ({ channels }) => ({ stream_id: channels.public })],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'stream_id is required',
    as: 'cordelia',
    call: ['messages.markChannelRead', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'stream_id' } },
  },
  {
    name: 'a channel that does not exist is refused',
    as: 'cordelia',
    call: ['messages.markChannelRead', { stream_id: 999_999 }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a channel the caller cannot see is refused',
    as: 'hamlet',
    call: ['messages.markChannelRead', ({ channels }) => ({ stream_id: channels.protected })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);

export const markTopicReadCases = cases('messages.markTopicRead', [
  {
    name: 'all messages of a topic are marked as read, whatever its case',
    as: 'cordelia',
    given: unreadGhosts,
    call: ['messages.markTopicRead', ({ channels }) => ({ stream_id: channels.public, topic_name: 'Ghosts' })],
    events: ({ messages }) => ({ cordelia: [read(messages.ghost, messages.ghostReply)] }),
  },
  {
    name: 'the display name of the empty topic means the empty topic',
    as: 'cordelia',
    given: async (world) => {
      const to = world.channels.public;
      await world.as('cordelia').messages.markAllRead();
      world.kept.id = (await world.as('hamlet').messages.send({ type: 'channel', to, topic: '', content: 'y' })).id;
    },
    call: ['messages.markTopicRead', ({ channels }) => ({ stream_id: channels.public, topic_name: 'general chat' })],
    events: ({ kept }) => ({ cordelia: [read(kept.id as number)] }),
  },
  ...(['stream_id', 'topic_name'] as const).map(
    (missing): Case => ({
      name: `${missing} is required`,
      as: 'cordelia',
      call: [
        'messages.markTopicRead',
        ({ channels }) => ({ stream_id: channels.public, topic_name: 'ghosts', [missing]: undefined }),
      ],
      refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: missing } },
    }),
  ),
  {
    name: 'a topic of a channel the caller cannot see is refused',
    as: 'hamlet',
    call: ['messages.markTopicRead', ({ channels }) => ({ stream_id: channels.protected, topic_name: 'gold' })],
    refuses: { code: 'BAD_REQUEST' },
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
    name: 'a new organization shows who has read a message, without its sender',
    as: 'hamlet',
    given: async ({ as, messages }) => {
      await as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'read' });
      await as('hamlet').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'read' });
    },
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    returns: ({ users }) => ({ user_ids: [users.cordelia] }),
  },
  {
    name: 'read receipts leave out users who turned off their receipts',
    as: 'hamlet',
    given: async ({ as }) => {
      for (const user of ['cordelia', 'administrator'] as const) await as(user).messages.markAllRead();
      await as('cordelia').settings.edit({ send_read_receipts: false });
    },
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    returns: ({ users }) => ({ user_ids: [users.administrator] }),
  },
  {
    name: 'read receipts leave out users who have muted the caller',
    as: 'administrator',
    given: async ({ as, users }) => {
      for (const user of ['cordelia', 'administrator'] as const) await as(user).messages.markAllRead();
      await as('cordelia').mutedUsers.add({ muted_user_id: users.administrator });
    },
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    returns: ({ users }) => ({ user_ids: [users.administrator] }),
  },
  {
    name: 'read receipts leave out users that the caller has muted',
    as: 'hamlet',
    given: async ({ as, users }) => {
      for (const user of ['cordelia', 'administrator'] as const) await as(user).messages.markAllRead();
      await as('hamlet').mutedUsers.add({ muted_user_id: users.cordelia });
    },
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    returns: ({ users }) => ({ user_ids: [users.administrator] }),
  },
  {
    name: 'read receipts show no other user who has muted the sender',
    as: 'administrator',
    given: async ({ as, users }) => {
      for (const user of ['cordelia', 'administrator'] as const) await as(user).messages.markAllRead();
      await as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet });
    },
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    returns: ({ users }) => ({ user_ids: [users.administrator] }),
  },
  {
    name: 'read receipts leave out deactivated users',
    as: 'hamlet',
    given: async ({ as, users }) => {
      for (const user of ['cordelia', 'administrator'] as const) await as(user).messages.markAllRead();
      await as('owner').users.deactivate({ user_id: users.cordelia });
    },
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    returns: ({ users }) => ({ user_ids: [users.administrator] }),
  },
  {
    name: 'read receipts of a message the caller cannot read are refused',
    as: 'hamlet',
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.vaultAfter })],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'read receipts are refused when the organization turned them off',
    as: 'hamlet',
    given: ({ settings }) => settings({ enable_read_receipts: false }),
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'read receipts are refused in an older organization that never turned them on',
    as: 'hamlet',
    given: ({ storage }) => storage.write((tx) => tx.organization.update({ settings: {} })),
    call: ['messages.readReceipts', ({ messages }) => ({ message_id: messages.ghost })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);
