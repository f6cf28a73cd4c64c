import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { CHANNELS, type UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const ORDER = { external_id: 'order-17', name: 'Order 17' };
/** Hamlet, and Cordelia through a subgroup. */
const STAFF = 'kitchen';

const ensure = ({ chat, users }: World, members: readonly UserName[] = ['guest'], staff: string | undefined = STAFF) =>
  chat.rooms.ensure({ ...ORDER, members: members.map((name) => users[name]), ...(staff ? { staff } : {}) });

async function peopleIn({ chat, users }: World, stream_id: number): Promise<string[]> {
  const { subscribers } = await chat.system().channels.subscribers({ stream_id });
  const names = Object.entries(users).filter(([, id]) => subscribers.includes(id));
  return names.map(([name]) => name).sort();
}

const channelOf = async ({ chat }: World, stream_id: number) =>
  (await chat.system().channels.get({ stream_id })).stream;

const withExternalId = ({ storage }: World, id: number, external_id: string) =>
  storage.write((tx) => tx.channels.update(id, { external_id }));

export const ensureRoomCases = cases('rooms.ensure', [
  {
    name: 'a room is a private channel of its members and staff, with shared history and only the empty topic',
    as: 'owner',
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [users.guest], staff: STAFF })],
    returns: { is_new: true },
    events: () => ({
      guest: [
        { type: 'stream', op: 'create' },
        { type: 'subscription', op: 'add' },
      ],
      hamlet: [
        { type: 'stream', op: 'create' },
        { type: 'subscription', op: 'add' },
      ],
      newcomer: [],
    }),
    async state(world, { stream_id }) {
      assert.deepEqual(await peopleIn(world, stream_id), ['cordelia', 'guest', 'hamlet']);
      const channel = await channelOf(world, stream_id);
      const { invite_only, is_web_public, history_public_to_subscribers, topics_policy, creator_id } = channel;
      assert.deepEqual(
        { invite_only, is_web_public, history_public_to_subscribers, topics_policy, creator_id },
        {
          invite_only: true,
          is_web_public: false,
          history_public_to_subscribers: true,
          topics_policy: 'empty_topic_only',
          creator_id: null,
        },
      );
      assert.equal(channel.can_administer_channel_group, world.groups.kitchen);
      assert.equal(channel.first_message_id, null, 'there is no notice');
      assert.equal(await world.chat.idOf('channel', ORDER.external_id), stream_id);
    },
  },
  {
    name: 'a repeated call changes nothing',
    as: 'owner',
    given: async (world) => {
      world.kept.room = (await ensure(world)).stream_id;
    },
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [{ user_id: users.guest }], staff: STAFF })],
    returns: ({ kept }) => ({ is_new: false, stream_id: kept.room as number }),
    events: () => ({ guest: [], hamlet: [], administrator: [] }),
  },
  {
    name: 'users who are no longer listed leave without an event of the new name, and new ones join',
    as: 'owner',
    given: async (world) => {
      world.kept.room = (await ensure(world, ['guest', 'newcomer'])).stream_id;
    },
    call: ['rooms.ensure', ({ emails }) => ({ ...ORDER, name: 'Order 17 (paid)', members: [emails.moderator] })],
    returns: { is_new: false },
    events: () => ({
      guest: [
        { type: 'subscription', op: 'remove' },
        { type: 'stream', op: 'delete' },
      ],
      hamlet: [
        { type: 'stream', op: 'update', property: 'can_add_subscribers_group', value: 1 },
        { type: 'stream', op: 'update', property: 'can_administer_channel_group', value: 1 },
        { type: 'subscription', op: 'remove' },
        { type: 'stream', op: 'delete' },
      ],
      moderator: [
        { type: 'stream', op: 'create' },
        { type: 'subscription', op: 'add' },
      ],
    }),
    async state(world, { stream_id }) {
      assert.deepEqual(await peopleIn(world, stream_id), ['moderator']);
      const channel = await channelOf(world, stream_id);
      assert.equal(channel.name, 'Order 17 (paid)');
      assert.equal(channel.can_administer_channel_group, 1, 'no group is staff');
    },
  },
  {
    name: 'somebody whom staff added by hand is not in the list, and leaves',
    as: 'owner',
    given: async (world) => {
      world.kept.room = (await ensure(world)).stream_id;
      await world.as('hamlet').subscriptions.add({
        subscriptions: [{ name: ORDER.name }],
        principals: [world.users.newcomer],
        send_new_subscription_messages: false,
      });
      assert.ok((await peopleIn(world, world.kept.room)).includes('newcomer'));
    },
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [users.guest], staff: STAFF })],
    events: () => ({
      newcomer: [
        { type: 'subscription', op: 'remove' },
        { type: 'stream', op: 'delete' },
      ],
    }),
    state: async (world, { stream_id }) =>
      assert.deepEqual(await peopleIn(world, stream_id), ['cordelia', 'guest', 'hamlet']),
  },
  {
    name: 'an account that was deactivated in a room and is no longer listed does not return to it',
    as: 'owner',
    given: async (world) => {
      await ensure(world, ['guest', 'newcomer']);
      await world.as('owner').users.deactivate({ user_id: world.users.newcomer });
    },
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [users.guest], staff: STAFF })],
    async state(world, { stream_id }) {
      await world.as('owner').users.reactivate({ user_id: world.users.newcomer });
      assert.deepEqual(await peopleIn(world, stream_id), ['cordelia', 'guest', 'hamlet']);
    },
  },
  {
    name: 'a guest in the staff group neither joins nor administers',
    as: 'owner',
    given: ({ as, groups, users }) =>
      as('owner').userGroups.updateMembers({ user_group_id: groups.cooks, add: [users.guest] }),
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [users.newcomer], staff: STAFF })],
    state: async (world, { stream_id }) => {
      assert.deepEqual(await peopleIn(world, stream_id), ['cordelia', 'hamlet', 'newcomer']);
      await assert.rejects(world.as('guest').channels.get({ stream_id }), { code: 'BAD_REQUEST' });
    },
  },
  {
    name: 'a new member of the staff group reads a room before the next call',
    as: 'owner',
    given: async (world) => {
      world.kept.room = (await ensure(world)).stream_id;
      const to = { type: 'channel', to: world.kept.room, topic: '', content: 'Where is it?' } as const;
      world.kept.message = (await world.as('guest').messages.send(to)).id;
      await world.as('owner').userGroups.updateMembers({
        user_group_id: world.groups.kitchen,
        add: [world.users.newcomer],
      });
      await world.as('newcomer').messages.get({ message_id: world.kept.message });
    },
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [users.guest], staff: STAFF })],
    state: async (world, { stream_id }) =>
      assert.deepEqual(await peopleIn(world, stream_id), ['cordelia', 'guest', 'hamlet', 'newcomer']),
  },
  {
    name: 'a closed room is opened again',
    as: 'owner',
    given: async (world) => {
      await ensure(world);
      await world.chat.rooms.close({ external_id: ORDER.external_id });
    },
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [users.guest], staff: STAFF })],
    returns: { is_new: false },
    events: () => ({
      guest: [
        { type: 'stream', op: 'create' },
        { type: 'subscription', op: 'add' },
      ],
      newcomer: [],
    }),
    state: async (world, { stream_id }) => assert.equal((await channelOf(world, stream_id)).is_archived, false),
  },
  {
    name: 'the locks of chat.sync do not bind the program',
    as: 'owner',
    given: async ({ chat }) => {
      await chat.sync(
        { users: [{ external_id: 'u7', name: 'Ulf Seven' }] },
        { lock: ['name', 'channels', 'is_active'] },
      );
    },
    call: ['rooms.ensure', () => ({ ...ORDER, members: [{ external_id: 'u7' }] })],
    returns: { is_new: true },
  },
  {
    name: 'a public channel with the external ID stays as it is, and the call is refused',
    as: 'owner',
    given: (world) => withExternalId(world, world.channels.public, ORDER.external_id),
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [users.guest], staff: STAFF })],
    refuses: {
      code: 'EXTERNAL_ID_IN_USE',
      data: { list: 'channels', external_id: ORDER.external_id },
      says: /is not a room, because it is public/,
    },
  },
  {
    name: 'a private channel with topics is not taken over as a room',
    as: 'owner',
    given: (world) => withExternalId(world, world.channels.shared, ORDER.external_id),
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [users.owner] })],
    refuses: { code: 'EXTERNAL_ID_IN_USE', data: { list: 'channels', external_id: ORDER.external_id } },
  },
  {
    name: 'a room that staff made public is refused until it is private again',
    as: 'owner',
    given: async (world) => {
      const { stream_id } = await ensure(world);
      await world.as('hamlet').channels.edit({ stream_id, is_private: false });
    },
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [users.guest], staff: STAFF })],
    refuses: { code: 'EXTERNAL_ID_IN_USE', data: { list: 'channels', external_id: ORDER.external_id } },
  },
  {
    name: 'a new room cannot have the name of another channel, in any case of letters',
    as: 'owner',
    call: ['rooms.ensure', () => ({ ...ORDER, name: CHANNELS.protected.toUpperCase(), members: [] })],
    refuses: { code: 'CHANNEL_ALREADY_EXISTS', data: { channel_name: CHANNELS.protected.toUpperCase() } },
  },
  {
    name: 'an existing room cannot take the name of another channel',
    as: 'owner',
    given: (world) => ensure(world),
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, name: CHANNELS.public, members: [users.newcomer] })],
    refuses: { code: 'CHANNEL_ALREADY_EXISTS', data: { channel_name: CHANNELS.public } },
  },
  {
    name: 'an unknown member is refused',
    as: 'owner',
    call: ['rooms.ensure', () => ({ ...ORDER, members: [{ external_id: 'u8' }] })],
    refuses: { code: 'BAD_REQUEST', says: /^There is no user with the external ID "u8"\.$/ },
  },
  {
    name: 'an unknown group is refused',
    as: 'owner',
    call: ['rooms.ensure', () => ({ ...ORDER, members: [], staff: 'suport' })],
    refuses: { code: 'BAD_REQUEST', says: /no user group with the external ID or name "suport"/ },
  },
  {
    name: 'a group that includes guests cannot be staff',
    as: 'owner',
    call: ['rooms.ensure', () => ({ ...ORDER, members: [], staff: 'role:everyone' })],
    refuses: { code: 'BAD_REQUEST', says: /staff cannot be set to role:everyone/ },
  },
  {
    name: 'an administrator is refused: administrators do not read private channels',
    as: 'administrator',
    call: ['rooms.ensure', ({ users }) => ({ ...ORDER, members: [users.administrator] })],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL', says: /owner/ },
  },
]);
