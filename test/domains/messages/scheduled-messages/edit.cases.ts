import assert from 'node:assert/strict';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { MINUTE, pass, schedule, soon } from './scheduling.ts';

const toChannel = async (world: World) => {
  world.kept.id = await schedule(world, 'hamlet', { content: 'Boo, **you**!' });
};
const toPeople = async (world: World) => {
  world.kept.id = await schedule(world, 'hamlet', { type: 'direct', to: [world.users.cordelia] });
};
const failed = async (world: World) => {
  await toChannel(world);
  await world.as('owner').channels.edit({ stream_id: world.channels.public, is_archived: true });
  await pass(world);
  await world.as('owner').channels.edit({ stream_id: world.channels.public, is_archived: false });
};

type Given = (world: World) => object;

const edited = (name: string, given: Case['given'], params: Given, shown: Given): Case => ({
  name,
  as: 'hamlet',
  ...(given ? { given } : {}),
  call: ['scheduledMessages.edit', (world) => ({ scheduled_message_id: world.kept.id, ...params(world) })],
  events: (world) => ({
    hamlet: [
      {
        type: 'scheduled_messages',
        op: 'update',
        scheduled_message: { scheduled_message_id: world.kept.id, failed: false, ...shown(world) },
      },
    ],
    cordelia: [],
  }),
});

const refused = (
  name: string,
  given: Case['given'],
  params: Given,
  refuses: NonNullable<Case['refuses']> = { code: 'BAD_REQUEST' },
): Case => ({
  name,
  as: 'hamlet',
  ...(given ? { given } : {}),
  call: ['scheduledMessages.edit', (world) => ({ scheduled_message_id: world.kept.id, ...params(world) })],
  refuses,
});

const GONE = { code: 'BAD_REQUEST', status: 404 };

export const editScheduledMessageCases = cases('scheduledMessages.edit', [
  edited(
    'new content is rendered',
    toChannel,
    () => ({ content: '*Hush*' }),
    ({ channels }) => ({
      type: 'stream',
      to: channels.public,
      topic: 'ghosts',
      content: '*Hush*',
      rendered_content: '<p><em>Hush</em></p>',
    }),
  ),
  edited(
    'a new topic leaves the other fields unchanged',
    toChannel,
    () => ({ topic: 'spirits' }),
    () => ({
      topic: 'spirits',
      content: 'Boo, **you**!',
      rendered_content: '<p>Boo, <strong>you</strong>!</p>',
    }),
  ),
  edited(
    'topic and content change together',
    toChannel,
    () => ({ topic: 'spirits', content: 'Hush' }),
    () => ({
      topic: 'spirits',
      content: 'Hush',
    }),
  ),
  edited(
    'the time changes alone',
    toChannel,
    (world) => ({ scheduled_delivery_timestamp: soon(world, 9 * MINUTE) }),
    (world) => ({ scheduled_delivery_timestamp: soon(world, 9 * MINUTE), content: 'Boo, **you**!' }),
  ),
  edited(
    'a new channel keeps the type and the topic',
    toChannel,
    ({ channels }) => ({ to: channels.default }),
    ({ channels }) => ({ type: 'stream', to: channels.default, topic: 'ghosts' }),
  ),
  edited(
    'new recipients keep the type',
    toPeople,
    ({ users }) => ({ to: [users.moderator, users.hamlet] }),
    ({ users }) => ({ type: 'private', to: [users.moderator] }),
  ),
  edited(
    'a channel message becomes a direct one, without a topic',
    toChannel,
    ({ users }) => ({ type: 'direct', to: [users.cordelia], topic: 'ignored' }),
    ({ users }) => ({ type: 'private', to: [users.cordelia], topic: (topic: unknown) => topic === undefined }),
  ),
  edited(
    'a direct message becomes one to a channel',
    toPeople,
    ({ channels }) => ({ type: 'stream', to: channels.public, topic: 'x' }),
    ({ channels }) => ({ type: 'stream', to: channels.public, topic: 'x' }),
  ),
  edited(
    'a topic for a direct message is ignored',
    toPeople,
    () => ({ topic: '\u0007' }),
    ({ users }) => ({ type: 'private', to: [users.cordelia], content: 'Boo!' }),
  ),
  edited(
    'an edit with the same values also sends the event',
    toChannel,
    ({ channels }) => ({ type: 'channel', to: channels.public, topic: 'ghosts', content: 'Boo, **you**!' }),
    () => ({ topic: 'ghosts' }),
  ),
  edited(
    'the display name of the empty topic means the empty topic',
    toChannel,
    () => ({ topic: 'general chat' }),
    () => ({ topic: '' }),
  ),
  edited(
    'a failed message with a new time is pending again',
    failed,
    (world) => ({ scheduled_delivery_timestamp: soon(world) }),
    () => ({ failed: false }),
  ),
  refused('a failed message without a new time is refused', failed, () => ({ content: 'Hush' }), {
    code: 'BAD_REQUEST',
    says: /Set a new scheduled_delivery_timestamp/,
  }),
  refused('a request without changes is refused', toChannel, () => ({}), { code: 'BAD_REQUEST', says: /Nothing/ }),
  refused('a new type without recipients is refused', toPeople, () => ({ type: 'direct' }), {
    code: 'BAD_REQUEST',
    says: /also set "to"/,
  }),
  refused(
    'a change to the type channel without a topic is refused',
    toPeople,
    ({ channels }) => ({ type: 'channel', to: channels.public }),
    {
      code: 'BAD_REQUEST',
      says: /topic/,
    },
  ),
  refused(
    'the type channel without a topic is refused for a channel message too',
    toChannel,
    ({ channels }) => ({ type: 'channel', to: channels.public }),
    { code: 'BAD_REQUEST', says: /topic/ },
  ),
  refused('a time in the past is refused', toChannel, (world) => ({ scheduled_delivery_timestamp: soon(world, 0) }), {
    code: 'BAD_REQUEST',
    says: /future/,
  }),
  refused('a list of recipients for a channel message is refused', toChannel, ({ users }) => ({
    to: [users.cordelia],
  })),
  refused('a number as recipient of a direct message is refused', toPeople, ({ users }) => ({ to: users.cordelia })),
  refused('a missing channel is refused', toChannel, () => ({ to: 99_999 }), {
    code: 'STREAM_DOES_NOT_EXIST',
    data: { stream_id: 99_999 },
  }),
  refused('an unknown user ID is refused', toPeople, () => ({ to: [99_999] })),
  refused('blank content is refused', toChannel, () => ({ content: ' ' }), { code: 'BAD_REQUEST', says: /empty/ }),
  refused('a topic with a control character is refused', toChannel, () => ({ topic: '\u0007' })),
  refused(
    'the empty topic is refused where a topic is required',
    async (world) => {
      await toChannel(world);
      await world.as('owner').organization.edit({ topics_policy: 'disable_empty_topic' });
    },
    () => ({ topic: '(no topic)' }),
    { code: 'BAD_REQUEST', says: /topic/ },
  ),
  edited(
    'a user who may no longer post can change the topic',
    async (world) => {
      await toChannel(world);
      const can_send_message_group = { new: systemGroupId('role:owners') };
      await world.as('owner').channels.edit({ stream_id: world.channels.public, can_send_message_group });
    },
    () => ({ topic: 'x'.repeat(70), truncate: true }),
    () => ({ topic: `${'x'.repeat(57)}...` }),
  ),
  refused(
    'a user who may no longer post cannot change the content',
    async (world) => {
      await toChannel(world);
      const can_send_message_group = { new: systemGroupId('role:owners') };
      await world.as('owner').channels.edit({ stream_id: world.channels.public, can_send_message_group });
    },
    () => ({ content: 'Hush' }),
    { code: 'BAD_REQUEST', says: /not allowed/ },
  ),
  {
    name: 'a scheduled message of another user is refused as missing',
    as: 'cordelia',
    given: toChannel,
    call: ['scheduledMessages.edit', ({ kept }) => ({ scheduled_message_id: kept.id, content: 'Hush' })],
    refuses: GONE,
  },
  {
    name: 'an unknown ID is refused as missing',
    as: 'hamlet',
    call: ['scheduledMessages.edit', { scheduled_message_id: 99_999, content: 'Hush' }],
    refuses: GONE,
  },
  ...[
    { to: 4711 },
    { type: 'direct', to: [4711] },
    { type: 'channel', to: 4711 },
    { scheduled_delivery_timestamp: 1 },
    {},
  ].map(
    (given): Case => ({
      name: `H12: an unknown ID is refused as missing before ${JSON.stringify(given)}`,
      as: 'hamlet',
      call: ['scheduledMessages.edit', { scheduled_message_id: 99_999, ...given }],
      refuses: GONE,
    }),
  ),
  {
    name: 'a sent message is refused as missing',
    as: 'hamlet',
    given: async (world) => {
      await toChannel(world);
      await pass(world);
    },
    call: ['scheduledMessages.edit', ({ kept }) => ({ scheduled_message_id: kept.id, content: 'Hush' })],
    refuses: { ...GONE, says: /already have been sent/ },
  },
  {
    name: 'read_by_sender is ignored and reported as unsupported',
    as: 'hamlet',
    only: 'HTTP',
    given: toChannel,
    call: [
      'scheduledMessages.edit',
      ({ kept }) => ({ scheduled_message_id: kept.id, content: 'Hush', read_by_sender: true }),
    ],
    returns: { ignored_parameters_unsupported: ['read_by_sender'] },
  },
  {
    name: 'the client of the last edit becomes the sending client',
    as: 'hamlet',
    given: toChannel,
    call: ['scheduledMessages.edit', ({ kept }) => ({ scheduled_message_id: kept.id, content: 'Hush' })],
    state: async ({ chat, users, kept, storage }) => {
      const other = chat.as(users.hamlet, { client: 'Other' });
      await other.scheduledMessages.edit({ scheduled_message_id: kept.id as number, topic: 'spirits' });
      const found = await storage.read((tx) => tx.scheduledMessages.byId(kept.id as number));
      assert.equal(found?.client, 'Other');
    },
  },
]);
