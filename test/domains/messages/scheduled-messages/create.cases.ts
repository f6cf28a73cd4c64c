import assert from 'node:assert/strict';
import { systemGroupId } from '../../../../lib/rules/system-groups.ts';
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
  refused(`${name} is needed`, without(name), { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: name } });

export const createScheduledMessageCases = cases('scheduledMessages.create', [
  created('a message to a channel is kept, rendered, and told to the sender alone', toChannel, (world) => ({
    type: 'stream',
    to: world.channels.public,
    topic: 'ghosts',
    content: 'Boo, **you**!',
    rendered_content: '<p>Boo, <strong>you</strong>!</p>',
    scheduled_delivery_timestamp: soon(world),
  })),
  created(
    'stream is another word for channel',
    (world) => toChannel(world, { type: 'stream' }),
    () => ({
      type: 'stream',
    }),
  ),
  created('a message to people lists them without the sender', toPeople, ({ users }) => ({
    type: 'private',
    to: [users.cordelia],
    content: 'Psst',
    topic: (topic: unknown) => topic === undefined,
  })),
  created(
    'private is another word for direct; people named twice are listed once, and the sender not at all',
    (world) =>
      toPeople(world, { type: 'private', to: [world.users.cordelia, world.users.hamlet, world.users.cordelia] }),
    ({ users }) => ({ type: 'private', to: [users.cordelia] }),
  ),
  created(
    'a message to oneself lists oneself',
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
    'a long topic is cut',
    (world) => toChannel(world, { topic: 'x'.repeat(61) }),
    () => ({ topic: `${'x'.repeat(57)}...` }),
  ),
  created(
    'a long content is cut, and white space around it dropped',
    (world) => toChannel(world, { content: `\n\n${'x'.repeat(10_001)} \n` }),
    () => ({ content: (content: string) => content.length === 10_000 && content.endsWith('[message truncated]') }),
  ),
  {
    name: 'scheduling makes no topic, and nobody else hears of the message',
    as: 'hamlet',
    call: ['scheduledMessages.create', (world) => toChannel(world, { topic: 'not begun' })],
    events: () => ({ cordelia: [] }),
    state: async ({ storage, channels }) =>
      storage.read(async (tx) => assert.equal(await tx.conversations.topic(channels.public, 'not begun'), undefined)),
  },
  {
    name: 'guests may schedule',
    as: 'guest',
    call: ['scheduledMessages.create', (world) => toChannel(world, { to: world.channels.default })],
  },
  {
    name: 'bots may schedule',
    as: 'bot',
    call: ['scheduledMessages.create', toChannel],
  },
  {
    name: 'a second before now is too early, and so is now',
    as: 'hamlet',
    call: ['scheduledMessages.create', (world) => toChannel(world, { scheduled_delivery_timestamp: soon(world, 0) })],
    refuses: { code: 'BAD_REQUEST', says: /future/ },
  },
  created(
    'the next second is in the future',
    (world) => toChannel(world, { scheduled_delivery_timestamp: soon(world, 1) }),
    (world) => ({ scheduled_delivery_timestamp: soon(world, 1) }),
  ),
  created(
    'the last second of the year 9999 is in the future too',
    (world) => toChannel(world, { scheduled_delivery_timestamp: 253_402_300_799 }),
    () => ({ scheduled_delivery_timestamp: 253_402_300_799 }),
  ),
  refused('the year 10000 is no time', (world) => toChannel(world, { scheduled_delivery_timestamp: 253_402_300_800 }), {
    code: 'BAD_REQUEST',
    says: /10000/,
  }),
  refused('a time before 1970 is in the past', (world) => toChannel(world, { scheduled_delivery_timestamp: -5 })),
  refused('half a second is no time', (world) => toChannel(world, { scheduled_delivery_timestamp: 4102444800.5 })),
  missing('type'),
  missing('to'),
  missing('content'),
  missing('scheduled_delivery_timestamp'),
  refused('a channel message needs a topic', without('topic'), { code: 'BAD_REQUEST', says: /topic/ }),
  refused('there is no other type', (world) => toChannel(world, { type: 'group' })),
  refused('a channel is given by its ID, not its name', (world) => toChannel(world, { to: 'Denmark' })),
  refused('a channel is not given as a list', (world) => toChannel(world, { to: [world.channels.public] })),
  refused('people are given as a list', (world) => toPeople(world, { to: world.users.cordelia })),
  refused('people are given by ID, not by address', (world) => toPeople(world, { to: [world.emails.cordelia] })),
  refused('there must be recipients', (world) => toPeople(world, { to: [] }), {
    code: 'BAD_REQUEST',
    says: /recipient/,
  }),
  refused('an ID that nobody has is refused', (world) => toPeople(world, { to: [99_999] })),
  refused('somebody deactivated receives nothing', (world) => toPeople(world, { to: [world.users.deactivated] })),
  refused('a thousand recipients at most', (world) => toPeople(world, { to: Array(1_001).fill(world.users.cordelia) })),
  refused('a topic with a character that cannot be shown', (world) => toChannel(world, { topic: 'a\u0007b' }), {
    code: 'BAD_REQUEST',
    says: /Character 2/,
  }),
  refused('an empty message', (world) => toChannel(world, { content: ' \n ' }), { code: 'BAD_REQUEST', says: /empty/ }),
  refused('a NUL character', (world) => toChannel(world, { content: 'a\0b' })),
  refused('a channel that is not there', (world) => toChannel(world, { to: 99_999 }), {
    code: 'STREAM_DOES_NOT_EXIST',
    data: { stream_id: 99_999 },
  }),
  refused(
    'a private channel that one may not know of is refused as if it were not there',
    (world) => toChannel(world, { to: world.channels.protected }),
    { code: 'STREAM_DOES_NOT_EXIST', data: ({ channels }) => ({ stream_id: channels.protected }) },
  ),
  refused(
    'nothing is scheduled for an archived channel',
    (world) => toChannel(world, { to: world.channels.archived }),
    { code: 'BAD_REQUEST', says: /archived/ },
  ),
  refused(
    'posting must be allowed',
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
      `where a topic is required, "${topic}" is none`,
      (world) => toChannel(world, { topic }),
      { code: 'BAD_REQUEST', says: /topic/ },
      { given: ({ as }) => as('owner').organization.edit({ topics_policy: 'disable_empty_topic' }) },
    ),
  ),
  refused(
    'direct messages must be allowed',
    toPeople,
    { code: 'BAD_REQUEST' },
    {
      given: (world) => world.settings({ direct_message_permission_group: systemGroupId('role:nobody') }),
    },
  ),
  refused('a group that may not be mentioned', (world) => toChannel(world, { content: '@*role:members*' }), {
    code: 'BAD_REQUEST',
    says: /mention/,
  }),
  {
    name: 'a thousand is as many as one person can have',
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
    name: 'what somebody has scheduled is bounded with its HTML, of which formulas make much',
    as: 'hamlet',
    given: async (world) => {
      const content = '$$x^2$$ '.repeat(150);
      let refusal: unknown;
      for (let n = 0; n < 100 && !refusal; n++) {
        await schedule(world, 'hamlet', { content }).catch((error: unknown) => {
          refusal = error;
        });
      }
      assert.ok(refusal, 'a hundred of them are too much');
    },
    call: ['scheduledMessages.create', (world) => toChannel(world, { content: '$$x^2$$ '.repeat(150) })],
    refuses: { code: 'BAD_REQUEST', says: /4000000/ },
  },
  {
    name: 'what others have scheduled does not count',
    as: 'cordelia',
    given: (world) => schedule(world, 'hamlet'),
    call: ['scheduledMessages.create', toChannel],
  },
  {
    name: 'a list in quotation marks is no channel, and over HTTP neither is a list or a text with a number',
    only: 'HTTP',
    as: 'hamlet',
    call: ['scheduledMessages.create', (world) => toChannel(world, { to: `"${world.channels.public}"` })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);
