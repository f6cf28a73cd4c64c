import assert from 'node:assert/strict';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { schedule, soon } from './scheduling.ts';

const toChannel = (world: World, given: object = {}) => ({
  type: 'channel',
  to: world.channels.public,
  topic: 'ghosts',
  content: 'Boo, **you**!',
  scheduled_delivery_timestamp: soon(world),
  ...given,
});
const toPeople = (world: World, given: object = {}) => ({
  type: 'direct',
  to: [world.users.cordelia],
  content: 'Psst',
  scheduled_delivery_timestamp: soon(world),
  ...given,
});
const NOTHING_BUT_ID = { scheduled_message_id: (id: unknown) => Number.isInteger(id) };

const created = (
  name: string,
  params: (world: World) => object,
  shown: (world: World) => object,
  rest: Partial<Case> = {},
): Case => ({
  name,
  as: 'hamlet',
  call: ['scheduledMessages.create', (world) => ({ ...params(world) })],
  returns: NOTHING_BUT_ID,
  events: (world) => ({
    hamlet: [{ type: 'scheduled_messages', op: 'add', scheduled_messages: [{ failed: false, ...shown(world) }] }],
    cordelia: [],
  }),
  ...rest,
});

const refused = (
  name: string,
  params: (world: World) => object,
  refuses: NonNullable<Case['refuses']> = { code: 'BAD_REQUEST' },
  rest: Partial<Case> = {},
): Case => ({
  name,
  as: 'hamlet',
  call: ['scheduledMessages.create', (world) => ({ ...params(world) })],
  refuses,
  ...rest,
});

const without = (name: string) => (world: World) => {
  const { [name]: _, ...rest } = toChannel(world) as Record<string, unknown>;
  return rest;
};

const missing = (name: string) =>
  refused(`${name} is required`, without(name), { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: name } });

export const createScheduledMessageCases = cases('scheduledMessages.create', [
  created('a channel message is scheduled and rendered, and only the sender gets the event', toChannel, (world) => ({
    type: 'stream',
    to: world.channels.public,
    topic: 'ghosts',
    content: 'Boo, **you**!',
    rendered_content: '<p>Boo, <strong>you</strong>!</p>',
    scheduled_delivery_timestamp: soon(world),
  })),
  created(
    'the type stream means the same as channel',
    (world) => toChannel(world, { type: 'stream' }),
    () => ({
      type: 'stream',
    }),
  ),
  created('a direct message lists its recipients without the sender', toPeople, ({ users }) => ({
    type: 'private',
    to: [users.cordelia],
    content: 'Psst',
    topic: (topic: unknown) => topic === undefined,
  })),
  created(
    'the type private means direct; repeated recipients are listed once, without the sender',
    (world) =>
      toPeople(world, { type: 'private', to: [world.users.cordelia, world.users.hamlet, world.users.cordelia] }),
    ({ users }) => ({ type: 'private', to: [users.cordelia] }),
  ),
  created(
    'a direct message to oneself lists the sender',
    (world) => toPeople(world, { to: [world.users.hamlet] }),
    ({ users }) => ({ to: [users.hamlet] }),
  ),
  created(
    'the topic of a direct message is ignored',
    (world) => toPeople(world, { topic: '\u0007' }),
    ({ users }) => ({ to: [users.cordelia] }),
  ),
  ...['(no topic)', ' general chat ', ''].map((topic) =>
    created(
      `the topic "${topic}" is the empty one`,
      (world) => toChannel(world, { topic }),
      () => ({ topic: '' }),
    ),
  ),
  created(
    'a long topic is cut with truncate',
    (world) => toChannel(world, { topic: 'x'.repeat(61), truncate: true }),
    () => ({ topic: `${'x'.repeat(57)}...` }),
  ),
  created(
    'long content is cut with truncate, and white space around it is removed',
    (world) => toChannel(world, { content: `\n\n${'x'.repeat(10_001)} \n`, truncate: true }),
    () => ({ content: (content: string) => content.length === 10_000 && content.endsWith('[message truncated]') }),
  ),
  {
    name: 'scheduling creates no topic and sends no event to other users',
    as: 'hamlet',
    call: ['scheduledMessages.create', (world) => toChannel(world, { topic: 'not begun' })],
    events: () => ({ cordelia: [] }),
    state: async ({ storage, channels }) =>
      storage.read(async (tx) => assert.equal(await tx.conversations.topic(channels.public, 'not begun'), undefined)),
  },
  {
    name: 'a guest can schedule a message',
    as: 'guest',
    call: ['scheduledMessages.create', (world) => toChannel(world, { to: world.channels.default })],
  },
  {
    name: 'a bot can schedule a message',
    as: 'bot',
    call: ['scheduledMessages.create', toChannel],
  },
  {
    name: 'a time a second ago and the present time are refused',
    as: 'hamlet',
    call: ['scheduledMessages.create', (world) => toChannel(world, { scheduled_delivery_timestamp: soon(world, 0) })],
    refuses: { code: 'BAD_REQUEST', says: /future/ },
  },
  created(
    'a time in the next second is accepted',
    (world) => toChannel(world, { scheduled_delivery_timestamp: soon(world, 1) }),
    (world) => ({ scheduled_delivery_timestamp: soon(world, 1) }),
  ),
  created(
    'a time in the last second of the year 9999 is accepted',
    (world) => toChannel(world, { scheduled_delivery_timestamp: 253_402_300_799 }),
    () => ({ scheduled_delivery_timestamp: 253_402_300_799 }),
  ),
  refused(
    'a time in the year 10000 is refused',
    (world) => toChannel(world, { scheduled_delivery_timestamp: 253_402_300_800 }),
    {
      code: 'BAD_REQUEST',
      says: /10000/,
    },
  ),
  refused('a time before 1970 is refused', (world) => toChannel(world, { scheduled_delivery_timestamp: -5 })),
  refused('a time with half a second is refused', (world) =>
    toChannel(world, { scheduled_delivery_timestamp: 4102444800.5 }),
  ),
  missing('type'),
  missing('to'),
  missing('content'),
  missing('scheduled_delivery_timestamp'),
  refused('a channel message without a topic is refused', without('topic'), { code: 'BAD_REQUEST', says: /topic/ }),
  refused('an unknown type is refused', (world) => toChannel(world, { type: 'group' })),
  refused('a channel name instead of an ID is refused', (world) => toChannel(world, { to: 'Denmark' })),
  refused('a list for a channel message is refused', (world) => toChannel(world, { to: [world.channels.public] })),
  refused('a direct message without a list of recipients is refused', (world) =>
    toPeople(world, { to: world.users.cordelia }),
  ),
  refused('an address instead of a user ID is refused', (world) => toPeople(world, { to: [world.emails.cordelia] })),
  refused('a direct message without recipients is refused', (world) => toPeople(world, { to: [] }), {
    code: 'BAD_REQUEST',
    says: /recipient/,
  }),
  refused('an unknown user ID is refused', (world) => toPeople(world, { to: [99_999] })),
  refused('a deactivated recipient is refused', (world) => toPeople(world, { to: [world.users.deactivated] })),
  refused('more than a thousand recipients are refused', (world) =>
    toPeople(world, { to: Array(1_001).fill(world.users.cordelia) }),
  ),
  refused('a topic with a control character is refused', (world) => toChannel(world, { topic: 'a\u0007b' }), {
    code: 'BAD_REQUEST',
    says: /Character 2/,
  }),
  refused('an empty message is refused', (world) => toChannel(world, { content: ' \n ' }), {
    code: 'BAD_REQUEST',
    says: /empty/,
  }),
  refused('a message with a NUL character is refused', (world) => toChannel(world, { content: 'a\0b' })),
  refused('a missing channel is refused', (world) => toChannel(world, { to: 99_999 }), {
    code: 'STREAM_DOES_NOT_EXIST',
    data: { stream_id: 99_999 },
  }),
  refused(
    'a private channel the caller cannot see is refused as missing',
    (world) => toChannel(world, { to: world.channels.protected }),
    { code: 'STREAM_DOES_NOT_EXIST', data: ({ channels }) => ({ stream_id: channels.protected }) },
  ),
  refused('an archived channel is refused', (world) => toChannel(world, { to: world.channels.archived }), {
    code: 'BAD_REQUEST',
    says: /archived/,
  }),
  refused(
    'a channel the caller may not post in is refused',
    toChannel,
    { code: 'BAD_REQUEST', says: /not allowed/ },
    {
      given: ({ as, channels }) =>
        as('owner').channels.edit({
          stream_id: channels.public,
          can_send_message_group: { new: systemGroupId('role:owners') },
        }),
    },
  ),
  ...['', '(no topic)', 'general chat'].map((topic) =>
    refused(
      `the topic "${topic}" is refused where a topic is required`,
      (world) => toChannel(world, { topic }),
      { code: 'BAD_REQUEST', says: /topic/ },
      { given: ({ as }) => as('owner').organization.edit({ topics_policy: 'disable_empty_topic' }) },
    ),
  ),
  refused(
    'a direct message is refused when direct messages are turned off',
    toPeople,
    { code: 'BAD_REQUEST' },
    {
      given: (world) => world.settings({ direct_message_permission_group: systemGroupId('role:nobody') }),
    },
  ),
  refused(
    'a mention of a group without the permission is refused',
    (world) => toChannel(world, { content: '@*role:members*' }),
    {
      code: 'BAD_REQUEST',
      says: /mention/,
    },
  ),
  {
    name: 'more than 1,000 scheduled messages of one user are refused',
    as: 'hamlet',
    given: ({ storage, users }) =>
      storage.write(async (tx) => {
        for (let n = 0; n < 1_000; n++) {
          await tx.scheduledMessages.create({
            sender_id: users.hamlet,
            channel_id: null,
            recipient_ids: [users.hamlet],
            topic: '',
            client: 'x',
            content: 'x',
            rendered_content: '',
            read_by_sender: false,
            scheduled_delivery_timestamp: 4e9,
          });
        }
      }),
    call: ['scheduledMessages.create', toChannel],
    refuses: { code: 'BAD_REQUEST', says: /1000/ },
  },
  {
    name: 'scheduled messages of one user are limited by the size of their HTML',
    as: 'hamlet',
    given: async (world) => {
      const content = '$$x^2$$ '.repeat(150);
      let refusal: unknown;
      for (let n = 0; n < 100 && !refusal; n++) {
        await schedule(world, 'hamlet', { content }).catch((error: unknown) => {
          refusal = error;
        });
      }
      assert.ok(refusal, 'the total size of HTML is limited');
    },
    call: ['scheduledMessages.create', (world) => toChannel(world, { content: '$$x^2$$ '.repeat(150) })],
    refuses: { code: 'BAD_REQUEST', says: /4000000/ },
  },
  {
    name: 'scheduled messages of other users do not count for the limit',
    as: 'cordelia',
    given: (world) => schedule(world, 'hamlet'),
    call: ['scheduledMessages.create', toChannel],
  },
  {
    name: 'a channel ID in quotation marks is refused over HTTP',
    only: 'HTTP',
    as: 'hamlet',
    call: ['scheduledMessages.create', (world) => toChannel(world, { to: `"${world.channels.public}"` })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);
