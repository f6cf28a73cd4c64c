import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

type MessageName = keyof World['messages'];

const flagging = (op: string, flag: string, ...names: MessageName[]) =>
  [
    'messages.updateFlags',
    ({ messages }: World) => ({ messages: names.map((name) => messages[name]), op, flag }),
  ] as const;

const change = (world: World, op: string, flag: string, ...names: MessageName[]) => ({
  type: 'update_message_flags',
  op,
  operation: op,
  flag,
  all: false,
  messages: names.map((name) => world.messages[name]),
});

const answer =
  (...names: MessageName[]): Case['returns'] =>
  ({ messages }) => ({ messages: names.map((name) => messages[name]), ignored_because_not_subscribed_channels: [] });

const flagsOf = async (world: World, name: MessageName) =>
  (await world.as('cordelia').messages.get({ message_id: world.messages[name] })).message.flags;

export const updateMessageFlagsCases = cases('messages.updateFlags', [
  {
    name: 'messages are marked as read, and only the reader gets the event',
    as: 'cordelia',
    call: flagging('add', 'read', 'ghost', 'direct'),
    returns: answer('ghost', 'direct'),
    events: (world) => ({ cordelia: [change(world, 'add', 'read', 'ghost', 'direct')], hamlet: [] }),
    state: async (world) => assert.deepEqual(await flagsOf(world, 'ghost'), ['read']),
  },
  {
    name: 'marking read messages as read sends no event',
    as: 'cordelia',
    given: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'read' }),
    call: flagging('add', 'read', 'ghost'),
    returns: answer('ghost'),
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'messages are marked as unread, and the event has their details',
    as: 'cordelia',
    given: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({ messages: [messages.ghost, messages.direct], op: 'add', flag: 'read' }),
    call: flagging('remove', 'read', 'ghost', 'direct'),
    returns: answer('ghost', 'direct'),
    events: (world) => ({
      cordelia: [
        {
          ...change(world, 'remove', 'read', 'ghost', 'direct'),
          message_details: {
            [world.messages.ghost]: { type: 'stream', stream_id: world.channels.public, topic: 'ghosts' },
            [world.messages.direct]: { type: 'private', user_ids: [world.users.hamlet] },
          },
        },
      ],
    }),
  },
  {
    name: 'messages of channels without a subscription are not marked as unread',
    as: 'newcomer',
    call: flagging('remove', 'read', 'ghost'),
    returns: ({ messages, channels }) => ({
      messages: [messages.ghost],
      ignored_because_not_subscribed_channels: [channels.public],
    }),
    events: () => ({ newcomer: [] }),
  },
  {
    name: 'a message is starred, and only the reader gets the event',
    as: 'cordelia',
    call: flagging('add', 'starred', 'ghost'),
    returns: answer('ghost'),
    events: (world) => ({ cordelia: [change(world, 'add', 'starred', 'ghost')] }),
    state: async (world) => assert.ok((await flagsOf(world, 'ghost'))?.includes('starred')),
  },
  {
    name: 'the starred flag is removed from messages',
    as: 'cordelia',
    given: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'starred' }),
    call: flagging('remove', 'starred', 'ghost', 'ghostReply'),
    returns: answer('ghost', 'ghostReply'),
    events: (world) => ({ cordelia: [change(world, 'remove', 'starred', 'ghost')] }),
  },
  {
    name: 'a message is collapsed, and only the reader gets the event',
    as: 'cordelia',
    call: flagging('add', 'collapsed', 'ghost'),
    events: (world) => ({ cordelia: [change(world, 'add', 'collapsed', 'ghost')] }),
  },
  ...(
    [
      ['add', 'starred'],
      ['add', 'collapsed'],
      ['remove', 'read'],
    ] as const
  ).flatMap(([op, flag]): Case[] => {
    const wanted = `${op} ${flag}`;
    return [
      {
        name: `${wanted} is refused for a missing message, and the other messages do not change`,
        as: 'cordelia',
        call: ['messages.updateFlags', ({ messages }) => ({ messages: [messages.ghost, 99_999], op, flag })],
        refuses: { code: 'BAD_REQUEST', says: /^There is no message with ID 99999 that you can access\.$/ },
        events: () => ({ cordelia: [] }),
      },
      {
        name: `${wanted} is refused for a message the caller cannot read as for a missing one`,
        as: 'cordelia',
        call: flagging(op, flag, 'ghost', 'council'),
        refuses: { code: 'BAD_REQUEST', says: /^There is no message with ID \d+ that you can access\.$/ },
      },
      {
        name: `${wanted} is refused for a direct message of other users`,
        as: 'moderator',
        call: flagging(op, flag, 'direct'),
        refuses: { code: 'BAD_REQUEST', says: /^There is no message with ID \d+ that you can access\.$/ },
      },
    ];
  }),
  ...(
    [
      ['add', 'read'],
      ['remove', 'starred'],
      ['remove', 'collapsed'],
    ] as const
  ).map(
    ([op, flag]): Case => ({
      name: `${op} ${flag} ignores messages that are missing or that the caller cannot read`,
      as: 'cordelia',
      call: [
        'messages.updateFlags',
        ({ messages }) => ({ messages: [messages.council, messages.ghost, 99_999], op, flag }),
      ],
      returns: answer('ghost'),
    }),
  ),
  {
    name: 'a message named twice is marked once',
    as: 'cordelia',
    call: flagging('add', 'starred', 'ghost', 'ghost'),
    returns: answer('ghost'),
    events: (world) => ({ cordelia: [change(world, 'add', 'starred', 'ghost')] }),
  },
  {
    name: 'the event lists the messages in ascending order',
    as: 'cordelia',
    call: flagging('add', 'starred', 'ghostReply', 'ghost'),
    returns: answer('ghost', 'ghostReply'),
    events: (world) => ({ cordelia: [change(world, 'add', 'starred', 'ghost', 'ghostReply')] }),
  },
  {
    name: 'an empty list of messages changes nothing',
    as: 'cordelia',
    call: ['messages.updateFlags', { messages: [], op: 'add', flag: 'read' }],
    returns: { messages: [], ignored_because_not_subscribed_channels: [] },
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'a message of a public channel can be starred without a subscription, and counts as read',
    as: 'newcomer',
    call: flagging('add', 'starred', 'ghost'),
    returns: answer('ghost'),
    state: async (world) => {
      const { message } = await world.as('newcomer').messages.get({ message_id: world.messages.ghost });
      assert.deepEqual(message.flags?.sort(), ['historical', 'read', 'starred']);
    },
  },
  {
    name: 'messages in an archived channel can be marked as read',
    as: 'hamlet',
    given: ({ storage, users, messages }) =>
      storage.write((tx) => tx.readState.markUnread(users.hamlet, [messages.ruins])),
    call: flagging('add', 'read', 'ruins'),
    returns: answer('ruins'),
  },
  {
    name: 'the event of an unread message says that it mentions the reader',
    as: 'cordelia',
    given: async (world) => {
      const to = world.channels.public;
      const content = '@**Cordelia**';
      world.kept.id = (await world.as('hamlet').messages.send({ type: 'channel', to, topic: '', content })).id;
      await world.as('cordelia').messages.updateFlags({ messages: [world.kept.id as number], op: 'add', flag: 'read' });
    },
    call: ['messages.updateFlags', ({ kept }) => ({ messages: [kept.id], op: 'remove', flag: 'read' })],
    events: ({ kept, channels }) => ({
      cordelia: [
        {
          type: 'update_message_flags',
          message_details: {
            [kept.id as number]: { type: 'stream', stream_id: channels.public, topic: 'general chat', mentioned: true },
          },
        },
      ],
    }),
  },
  ...(
    [
      ['is unmuted', {}, true],
      ['has a muted topic', { topic: 1 }, false],
      ['has a muted channel', { isChannelMuted: true }, false],
      ['has a followed topic in a muted channel', { topic: 3, isChannelMuted: true }, true],
    ] as const
  ).map(
    ([what, { topic, isChannelMuted = false }, unmuted_stream_msg]: readonly [
      string,
      { topic?: 1 | 3; isChannelMuted?: boolean },
      boolean,
    ]): Case => ({
      name: `(H small) the event of an unread message says whether it ${what}`,
      as: 'cordelia',
      given: async ({ as, channels, messages }) => {
        await as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'read' });
        const place = { stream_id: channels.public };
        if (topic) await as('cordelia').userTopics.set({ ...place, topic: 'ghosts', visibility_policy: topic });
        const muting = { ...place, property: 'is_muted', value: isChannelMuted } as const;
        await as('cordelia').subscriptions.updateProperties({ subscription_data: [muting] });
      },
      call: ['messages.updateFlags', ({ messages }) => ({ messages: [messages.ghost], op: 'remove', flag: 'read' })],
      events: ({ messages }) => ({
        cordelia: [{ message_details: { [messages.ghost]: { type: 'stream', unmuted_stream_msg } } }],
      }),
    }),
  ),
  {
    name: '(H small) the event of an unread direct message does not mention muting',
    as: 'cordelia',
    given: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({ messages: [messages.direct], op: 'add', flag: 'read' }),
    call: ['messages.updateFlags', ({ messages }) => ({ messages: [messages.direct], op: 'remove', flag: 'read' })],
    events: ({ messages }) => ({
      cordelia: [{ message_details: { [messages.direct]: { type: 'private', unmuted_stream_msg: ABSENT } } }],
    }),
  },
  {
    name: 'more than 5000 messages in one request are refused',
    as: 'cordelia',
    call: ['messages.updateFlags', { messages: Array.from({ length: 5_001 }, (_, at) => at), op: 'add', flag: 'read' }],
    refuses: { code: 'BAD_REQUEST', says: /5000/ },
  },
  ...([[-1], [1.5], ['1'], [null], [2 ** 53]] as const).map(
    (messages): Case => ({
      name: `the list of messages ${JSON.stringify(messages)} is refused`,
      as: 'cordelia',
      call: ['messages.updateFlags', { messages, op: 'add', flag: 'read' }],
      refuses: { code: 'BAD_REQUEST', says: /messages\[0\]/ },
    }),
  ),
  {
    name: 'the largest possible message ID matches no message',
    as: 'cordelia',
    call: ['messages.updateFlags', { messages: [Number.MAX_SAFE_INTEGER], op: 'add', flag: 'read' }],
    returns: { messages: [] },
  },
  ...['historical', 'has_alert_word', 'mentioned', 'nonsense'].map(
    (flag): Case => ({
      name: `the flag ${flag} cannot be changed by clients`,
      as: 'cordelia',
      call: flagging('add', flag, 'ghost'),
      refuses: { code: 'BAD_REQUEST', says: /flag/i },
    }),
  ),
  {
    name: 'an op other than add and remove is refused',
    as: 'cordelia',
    call: flagging('toggle', 'read', 'ghost'),
    refuses: { code: 'BAD_REQUEST', says: /op/ },
  },
  ...['messages', 'op', 'flag'].map(
    (missing): Case => ({
      name: `${missing} is required`,
      as: 'cordelia',
      call: ['messages.updateFlags', { messages: [1], op: 'add', flag: 'read', [missing]: undefined }],
      refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: missing } },
    }),
  ),
]);
