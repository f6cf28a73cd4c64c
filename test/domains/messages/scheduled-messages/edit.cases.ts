import assert from 'node:assert/strict';
import { systemGroupId } from '../../../../lib/rules/system-groups.ts';
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
    'another content is rendered anew',
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
    'another topic leaves the rest',
    toChannel,
    () => ({ topic: 'spirits' }),
    () => ({
      topic: 'spirits',
      content: 'Boo, **you**!',
      rendered_content: '<p>Boo, <strong>you</strong>!</p>',
    }),
  ),
  edited(
    'topic and content together',
    toChannel,
    () => ({ topic: 'spirits', content: 'Hush' }),
    () => ({
      topic: 'spirits',
      content: 'Hush',
    }),
  ),
  edited(
    'another time alone',
    toChannel,
    (world) => ({ scheduled_delivery_timestamp: soon(world, 9 * MINUTE) }),
    (world) => ({ scheduled_delivery_timestamp: soon(world, 9 * MINUTE), content: 'Boo, **you**!' }),
  ),
  edited(
    'another channel alone keeps type and topic',
    toChannel,
    ({ channels }) => ({ to: channels.default }),
    ({ channels }) => ({ type: 'stream', to: channels.default, topic: 'ghosts' }),
  ),
  edited(
    'other people alone keep the type',
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
    'the same values once more are told of all the same',
    toChannel,
    ({ channels }) => ({ type: 'channel', to: channels.public, topic: 'ghosts', content: 'Boo, **you**!' }),
    () => ({ topic: 'ghosts' }),
  ),
  edited(
    'the name of the empty topic means it',
    toChannel,
    () => ({ topic: 'general chat' }),
    () => ({ topic: '' }),
  ),
  edited(
    'one that failed is pending again with another time',
    failed,
    (world) => ({ scheduled_delivery_timestamp: soon(world) }),
    () => ({ failed: false }),
  ),
  refused('one that failed needs another time', failed, () => ({ content: 'Hush' }), {
    code: 'BAD_REQUEST',
    says: /new one/,
  }),
  refused('something must be given', toChannel, () => ({}), { code: 'BAD_REQUEST', says: /Nothing/ }),
  refused('a type needs recipients', toPeople, () => ({ type: 'direct' }), { code: 'BAD_REQUEST', says: /recipients/ }),
  refused('a new type channel needs a topic', toPeople, ({ channels }) => ({ type: 'channel', to: channels.public }), {
    code: 'BAD_REQUEST',
    says: /topic/,
  }),
  refused(
    'a type channel needs a topic also where it was one before',
    toChannel,
    ({ channels }) => ({ type: 'channel', to: channels.public }),
    { code: 'BAD_REQUEST', says: /topic/ },
  ),
  refused('the time must be in the future', toChannel, (world) => ({ scheduled_delivery_timestamp: soon(world, 0) }), {
    code: 'BAD_REQUEST',
    says: /future/,
  }),
  refused('a channel message does not go to a list', toChannel, ({ users }) => ({ to: [users.cordelia] })),
  refused('a direct message does not go to a number', toPeople, ({ users }) => ({ to: users.cordelia })),
  refused('a channel that is not there', toChannel, () => ({ to: 99_999 }), {
    code: 'STREAM_DOES_NOT_EXIST',
    data: { stream_id: 99_999 },
  }),
  refused('a user ID that nobody has', toPeople, () => ({ to: [99_999] })),
  refused('no content is left', toChannel, () => ({ content: ' ' }), { code: 'BAD_REQUEST', says: /empty/ }),
  refused('a topic that cannot be shown', toChannel, () => ({ topic: '\u0007' })),
  refused(
    'where a topic is required, the empty one is none',
    async (world) => {
      await toChannel(world);
      await world.as('owner').organization.edit({ topics_policy: 'disable_empty_topic' });
    },
    () => ({ topic: '(no topic)' }),
    { code: 'BAD_REQUEST', says: /topic/ },
  ),
  edited(
    'whoever may not post any more can change the topic, which posts nothing',
    async (world) => {
      await toChannel(world);
      const can_send_message_group = { new: systemGroupId('role:owners') };
      await world.as('owner').channels.edit({ stream_id: world.channels.public, can_send_message_group });
    },
    () => ({ topic: 'x'.repeat(70) }),
    () => ({ topic: `${'x'.repeat(57)}...` }),
  ),
  refused(
    'whoever may not post any more cannot change the text either',
    async (world) => {
      await toChannel(world);
      const can_send_message_group = { new: systemGroupId('role:owners') };
      await world.as('owner').channels.edit({ stream_id: world.channels.public, can_send_message_group });
    },
    () => ({ content: 'Hush' }),
    { code: 'BAD_REQUEST', says: /not allowed/ },
  ),
  {
    name: "somebody else's is not there",
    as: 'cordelia',
    given: toChannel,
    call: ['scheduledMessages.edit', ({ kept }) => ({ scheduled_message_id: kept.id, content: 'Hush' })],
    refuses: GONE,
  },
  {
    name: 'an ID that was never given is not there',
    as: 'hamlet',
    call: ['scheduledMessages.edit', { scheduled_message_id: 99_999, content: 'Hush' }],
    refuses: GONE,
  },
  {
    name: 'one that was sent is not there any more',
    as: 'hamlet',
    given: async (world) => {
      await toChannel(world);
      await pass(world);
    },
    call: ['scheduledMessages.edit', ({ kept }) => ({ scheduled_message_id: kept.id, content: 'Hush' })],
    refuses: { ...GONE, says: /sent already/ },
  },
  {
    name: 'whether it will be read cannot be changed',
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
    name: 'the program that edited it last is the one that sends it',
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
