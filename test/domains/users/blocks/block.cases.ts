import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS, RESTRICTED, type UserName } from '../../../world/fixture.ts';
import { assertMatches, isSince } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const blockHamlet = ({ as, users }: World) => as('cordelia').users.block({ user_id: users.hamlet });
const hamlet = ({ users }: World) => ({ user_id: users.hamlet });
const room = ({ chat, users }: World) =>
  chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members: [users.guest], staff: 'kitchen' });

const mutedBy = async ({ as }: World, user: UserName) =>
  (await as(user).register({ fetch_event_types: ['muted_users'] })).muted_users;

const unblockable = (name: string, as: UserName, user: UserName, given?: Case['given']): Case => ({
  name,
  as,
  ...(given ? { given } : {}),
  call: ['users.block', ({ users }) => ({ user_id: users[user] })],
  refuses: { code: 'BAD_REQUEST', says: /cannot block moderators, administrators, owners, and the staff/ },
});

const unknown = (operation: 'users.block' | 'users.unblock'): Case[] => [
  {
    name: 'an unknown user is refused',
    as: 'cordelia',
    call: [operation, { user_id: 9_999 }],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID 9999/ },
  },
  {
    name: 'a hidden user is refused as unknown to a restricted guest',
    as: 'guest',
    given: ({ settings }) => settings(RESTRICTED),
    call: [operation, ({ users }) => ({ user_id: users.moderator })],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID/ },
  },
];

export const blockUserCases = cases('users.block', [
  {
    name: 'blocking a user marks their messages as read, and only the blocker gets the events',
    as: 'cordelia',
    call: ['users.block', hamlet],
    events: ({ users, messages, clock }) => ({
      cordelia: [
        { type: 'muted_users', muted_users: [{ id: users.hamlet, timestamp: isSince(clock), is_blocked: true }] },
        { type: 'update_message_flags', messages: [messages.ghost, messages.direct, messages.group] },
      ],
      hamlet: [],
      owner: [],
    }),
    state: async (world) => {
      const block = { id: world.users.hamlet, timestamp: isSince(world.clock) };
      assertMatches(await mutedBy(world, 'cordelia'), [{ ...block, is_blocked: true }]);
      assertMatches(await world.as('cordelia').users.listBlocked(), { blocked_users: [block] });
      assert.deepEqual(await mutedBy(world, 'hamlet'), []);
    },
  },
  {
    name: 'blocking a muted user changes only the list',
    as: 'cordelia',
    given: ({ as, users }) => as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet }),
    call: ['users.block', hamlet],
    events: ({ users }) => ({
      cordelia: [{ type: 'muted_users', muted_users: [{ id: users.hamlet, is_blocked: true }] }],
    }),
  },
  {
    name: 'blocking a blocked user changes nothing',
    as: 'cordelia',
    given: blockHamlet,
    call: ['users.block', hamlet],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'a restricted guest can block a member whom they see',
    as: 'guest',
    given: ({ settings }) => settings(RESTRICTED),
    call: ['users.block', hamlet],
  },
  {
    name: 'the bot of a member can be blocked',
    as: 'cordelia',
    call: ['users.block', ({ users }) => ({ user_id: users.bot })],
  },
  {
    name: 'a member of the staff group can be blocked by users who have no room of it',
    as: 'newcomer',
    given: room,
    call: ['users.block', hamlet],
  },
  {
    name: 'a user cannot block themselves',
    as: 'cordelia',
    call: ['users.block', ({ users }) => ({ user_id: users.cordelia })],
    refuses: { code: 'BAD_REQUEST', says: /yourself/ },
  },
  unblockable('a moderator cannot be blocked', 'cordelia', 'moderator'),
  unblockable('an owner cannot be blocked by an owner', 'owner', 'secondOwner'),
  unblockable('the staff of a room cannot be blocked by a member of the room', 'guest', 'hamlet', room),
  unblockable('a bot of the staff of a room cannot be blocked by a member of the room', 'guest', 'bot', room),
  unblockable('the bot of an administrator cannot be blocked', 'cordelia', 'bot', ({ as, users }) =>
    as('owner').bots.edit({ bot_id: users.bot, bot_owner_id: users.administrator }),
  ),
  {
    name: 'more than 1,000 muted and blocked users of one user are refused',
    as: 'cordelia',
    given: ({ storage, users }) =>
      storage.write(async (tx) => {
        const account = await tx.users.byId(users.hamlet);
        for (let at = 0; at < 1_000; at++) {
          const { id: _, version: __, ...fields } = account as NonNullable<typeof account>;
          const { id } = await tx.users.create({ ...fields, delivery_email: `extra-${at}@example.com` });
          await tx.mutedUsers.add(users.cordelia, { id, timestamp: 1, is_blocked: at % 2 === 0 });
        }
      }),
    call: ['users.block', hamlet],
    refuses: { code: 'BAD_REQUEST', says: /1000/ },
  },
  ...unknown('users.block'),
]);

export const unblockUserCases = cases('users.unblock', [
  {
    name: 'an unblocked user is not muted either, and their messages stay read',
    as: 'cordelia',
    given: async (world) => {
      await world.as('cordelia').mutedUsers.add({ muted_user_id: world.users.hamlet });
      await blockHamlet(world);
    },
    call: ['users.unblock', hamlet],
    events: () => ({ cordelia: [{ type: 'muted_users', muted_users: [] }], hamlet: [] }),
    state: async ({ as, users }) => {
      await as('hamlet').messages.send({ type: 'direct', to: [users.cordelia], content: 'Hello again' });
    },
  },
  {
    name: 'unblocking a user who is only muted changes nothing',
    as: 'cordelia',
    given: ({ as, users }) => as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet }),
    call: ['users.unblock', hamlet],
    events: () => ({ cordelia: [] }),
    state: async (world) => assertMatches(await mutedBy(world, 'cordelia'), [{ id: world.users.hamlet }]),
  },
  {
    name: 'a restricted guest can unblock a user who is now hidden',
    as: 'guest',
    given: async ({ as, users, settings }) => {
      await as('guest').users.block({ user_id: users.newcomer });
      await as('newcomer').subscriptions.remove({ subscriptions: [CHANNELS.default] });
      await settings(RESTRICTED);
    },
    call: ['users.unblock', ({ users }) => ({ user_id: users.newcomer })],
    events: () => ({ guest: [{ type: 'muted_users', muted_users: [] }] }),
  },
  ...unknown('users.unblock'),
]);

export const listBlockedUsersCases = cases('users.listBlocked', [
  {
    name: 'the list has blocked users, and no muted ones',
    as: 'cordelia',
    given: async (world) => {
      await world.as('cordelia').mutedUsers.add({ muted_user_id: world.users.newcomer });
      await blockHamlet(world);
    },
    call: ['users.listBlocked'],
    returns: ({ users, clock }) => ({ blocked_users: [{ id: users.hamlet, timestamp: isSince(clock) }] }),
  },
]);

export const unmuteBlockedCases = cases('mutedUsers.remove', [
  {
    name: 'a blocked user cannot be unmuted',
    as: 'cordelia',
    given: blockHamlet,
    call: ['mutedUsers.remove', ({ users }) => ({ muted_user_id: users.hamlet })],
    refuses: { code: 'BAD_REQUEST', says: /Unblock them instead/ },
  },
]);

const REFUSED = { code: 'DIRECT_MESSAGE_REFUSED', says: /does not accept direct messages from you/ };
const to = (...names: UserName[]): NonNullable<Case['call'][1]> => {
  return ({ users }) => ({ type: 'direct', to: names.map((name) => users[name]), content: 'Hello?' });
};

export const sendBlockedCases = cases('messages.send', [
  {
    name: 'a direct message to a user who blocks the sender is refused, and no user gets an event',
    as: 'hamlet',
    given: blockHamlet,
    call: ['messages.send', to('cordelia')],
    refuses: REFUSED,
    events: () => ({ cordelia: [], hamlet: [] }),
  },
  {
    name: 'a direct message of a bot to a user who blocks its owner is refused',
    as: 'bot',
    given: blockHamlet,
    call: ['messages.send', to('cordelia')],
    refuses: REFUSED,
  },
  {
    name: 'a blocked restricted guest cannot send direct messages to the blocker',
    as: 'guest',
    given: async ({ as, users, settings }) => {
      await settings(RESTRICTED);
      await as('hamlet').users.block({ user_id: users.guest });
    },
    call: ['messages.send', to('hamlet')],
    refuses: REFUSED,
  },
  {
    name: 'a new group conversation with a user who blocks the sender is refused',
    as: 'hamlet',
    given: blockHamlet,
    call: ['messages.send', to('cordelia', 'newcomer')],
    refuses: REFUSED,
  },
  {
    name: 'a message of a blocked user to an existing group arrives as read at the blocker',
    as: 'hamlet',
    given: blockHamlet,
    call: ['messages.send', to('cordelia', 'moderator')],
    events: () => ({
      cordelia: [{ type: 'message', flags: ['read'] }],
      moderator: [{ type: 'message', flags: [] }],
    }),
  },
  {
    name: 'a mention by a blocked user arrives as read at the blocker',
    as: 'hamlet',
    given: blockHamlet,
    call: [
      'messages.send',
      ({ channels }) => ({ type: 'channel', to: channels.public, topic: 'ghosts', content: '@**Cordelia**' }),
    ],
    events: () => ({ cordelia: [{ type: 'message', flags: ['read', 'mentioned'] }] }),
  },
  {
    name: 'a direct message to a blocked user is refused',
    as: 'cordelia',
    given: blockHamlet,
    call: ['messages.send', to('hamlet')],
    refuses: { code: 'BAD_REQUEST', says: /You have blocked this user/ },
  },
  {
    name: 'a muted user can send direct messages',
    as: 'hamlet',
    given: ({ as, users }) => as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet }),
    call: ['messages.send', to('cordelia')],
    events: () => ({ cordelia: [{ type: 'message', flags: ['read'] }] }),
  },
  {
    name: 'a blocked user who became a moderator can send direct messages, which are unread',
    as: 'hamlet',
    given: async (world) => {
      await blockHamlet(world);
      await world.as('owner').users.edit({ user_id: world.users.hamlet, role: 300 });
      assert.deepEqual(await mutedBy(world, 'cordelia'), []);
    },
    call: ['messages.send', to('cordelia')],
    events: () => ({ cordelia: [{ type: 'message', flags: [] }] }),
  },
  {
    name: 'a blocked user who joined the staff of a room of the blocker can send direct messages',
    as: 'hamlet',
    given: async (world) => {
      await world.as('guest').users.block({ user_id: world.users.hamlet });
      await room(world);
      assert.deepEqual(await mutedBy(world, 'guest'), []);
    },
    call: ['messages.send', to('guest')],
    events: () => ({ guest: [{ type: 'message', flags: [] }] }),
  },
]);

const MAY_WRITE_AGAIN = { events: () => ({ guest: [{ type: 'message', flags: [] }] }) } satisfies Partial<Case>;
const guestBlocks = async ({ as, users }: World, user: UserName) => as('guest').users.block({ user_id: users[user] });

export const sendAsStaffCases = cases('messages.send', [
  {
    name: 'a blocked user who joins the staff group of a room later can send direct messages',
    as: 'newcomer',
    given: async (world) => {
      await room(world);
      await guestBlocks(world, 'newcomer');
      const user_group_id = world.groups.kitchen;
      await world.as('owner').userGroups.updateMembers({ user_group_id, add: [world.users.newcomer] });
      assert.deepEqual(await mutedBy(world, 'guest'), []);
    },
    call: ['messages.send', to('guest')],
    ...MAY_WRITE_AGAIN,
  },
  {
    name: 'a blocked user whose group joins the staff group of a room can send direct messages',
    as: 'newcomer',
    given: async (world) => {
      await room(world);
      await guestBlocks(world, 'newcomer');
      const { as, users, groups } = world;
      const stewards = { name: 'stewards', description: '', members: [users.newcomer] };
      const { group_id } = await as('owner').userGroups.create(stewards);
      await as('owner').userGroups.updateSubgroups({ user_group_id: groups.kitchen, add: [group_id] });
      assert.deepEqual(await mutedBy(world, 'guest'), []);
    },
    call: ['messages.send', to('guest')],
    ...MAY_WRITE_AGAIN,
  },
  {
    name: 'a blocked user whom an edit makes staff of a room can send direct messages',
    as: 'newcomer',
    given: async (world) => {
      const { stream_id } = await room(world);
      await guestBlocks(world, 'newcomer');
      const staff = { direct_members: [world.users.newcomer], direct_subgroups: [world.groups.kitchen] };
      await world.as('owner').channels.edit({ stream_id, can_administer_channel_group: { new: staff } });
      assert.deepEqual(await mutedBy(world, 'guest'), []);
    },
    call: ['messages.send', to('guest')],
    ...MAY_WRITE_AGAIN,
  },
  {
    name: 'a blocked user can send direct messages when the blocker is subscribed to a room of theirs',
    as: 'hamlet',
    given: async (world) => {
      await world.chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members: [], staff: 'kitchen' });
      await guestBlocks(world, 'hamlet');
      const principals = [world.users.guest];
      await world.as('hamlet').subscriptions.add({ subscriptions: [{ name: 'Order 17' }], principals });
      assert.deepEqual(await mutedBy(world, 'guest'), []);
    },
    call: ['messages.send', to('guest')],
    ...MAY_WRITE_AGAIN,
  },
  {
    name: 'a blocked bot whose owner becomes a moderator can send direct messages',
    as: 'bot',
    given: async (world) => {
      await guestBlocks(world, 'bot');
      await world.as('owner').users.edit({ user_id: world.users.hamlet, role: 300 });
      assert.deepEqual(await mutedBy(world, 'guest'), []);
    },
    call: ['messages.send', to('guest')],
    ...MAY_WRITE_AGAIN,
  },
  {
    name: 'a blocked bot that gets a moderator as its owner can send direct messages',
    as: 'bot',
    given: async (world) => {
      const { as, users } = world;
      await guestBlocks(world, 'bot');
      await as('owner').bots.edit({ bot_id: users.bot, bot_owner_id: users.moderator });
      assert.deepEqual(await mutedBy(world, 'guest'), []);
    },
    call: ['messages.send', to('guest')],
    ...MAY_WRITE_AGAIN,
  },
  {
    name: 'a blocked user who joins another group stays blocked',
    as: 'newcomer',
    given: async (world) => {
      await room(world);
      await guestBlocks(world, 'newcomer');
      const { as, users, groups } = world;
      await as('owner').userGroups.updateMembers({ user_group_id: groups.hamletcharacters, add: [users.newcomer] });
    },
    call: ['messages.send', to('guest')],
    refuses: REFUSED,
  },
]);

/** Hamlet changes something in his conversation with Cordelia, who blocks him. */
const stillThere = async ({ as, messages }: World) => {
  const { message } = await as('cordelia').messages.get({ message_id: messages.direct, apply_markdown: false });
  assert.deepEqual([message.edit_history, message.reactions, message.submessages], [undefined, [], []]);
};
const refusedOld = (what: string, call: Case['call']): Case => ({
  name: `a blocked user cannot ${what} in the conversation with the blocker`,
  as: 'hamlet',
  given: blockHamlet,
  call,
  refuses: REFUSED,
  events: () => ({ cordelia: [], hamlet: [] }),
  state: stillThere,
});

export const editBlockedCases = cases('messages.edit', [
  {
    ...refusedOld('edit a message', [
      'messages.edit',
      ({ kept }) => ({ message_id: Number(kept.psst), content: 'Read this!' }),
    ]),
    given: async (world) => {
      const { as, users, kept } = world;
      kept.psst = (await as('hamlet').messages.send({ type: 'direct', to: [users.cordelia], content: 'Psst' })).id;
      await blockHamlet(world);
    },
    state: async ({ as, kept }) => {
      const { message } = await as('cordelia').messages.get({ message_id: Number(kept.psst), apply_markdown: false });
      assert.equal(message.content, 'Psst');
    },
  },
]);

export const reactBlockedCases = cases('messages.addReaction', [
  refusedOld('react', [
    'messages.addReaction',
    ({ messages }) => ({ message_id: messages.direct, emoji_name: 'tada' }),
  ]),
  {
    name: 'a blocked user can react in a group with the blocker',
    as: 'hamlet',
    given: blockHamlet,
    call: ['messages.addReaction', ({ messages }) => ({ message_id: messages.group, emoji_name: 'tada' })],
    events: () => ({ moderator: [{ type: 'reaction', op: 'add' }] }),
  },
]);

export const unreactBlockedCases = cases('messages.removeReaction', [
  {
    name: 'a blocked user can remove their reaction in the conversation with the blocker',
    as: 'hamlet',
    given: async (world) => {
      const { as, messages } = world;
      await as('hamlet').messages.addReaction({ message_id: messages.direct, emoji_name: 'tada' });
      await blockHamlet(world);
    },
    call: ['messages.removeReaction', ({ messages }) => ({ message_id: messages.direct, emoji_name: 'tada' })],
    state: stillThere,
  },
]);

export const voteBlockedCases = cases('messages.addSubmessage', [
  refusedOld('change a widget', [
    'messages.addSubmessage',
    ({ messages }) => ({ message_id: messages.direct, content: '{}' }),
  ]),
]);

export const scheduleBlockedCases = cases('scheduledMessages.create', [
  {
    name: 'a scheduled direct message to a user who blocks the sender is refused',
    as: 'hamlet',
    given: blockHamlet,
    call: [
      'scheduledMessages.create',
      ({ users, clock }) => ({
        ...{ type: 'direct', to: [users.cordelia], content: 'Hello?' },
        scheduled_delivery_timestamp: Math.floor(clock.now() / 1000) + 3_600,
      }),
    ],
    refuses: REFUSED,
  },
]);

export const typingBlockedCases = cases('typing.send', [
  {
    name: 'a blocker gets no typing event of a blocked user, who is told nothing',
    as: 'hamlet',
    given: blockHamlet,
    call: ['typing.send', ({ users }) => ({ op: 'start', to: [users.cordelia] })],
    events: () => ({ cordelia: [], hamlet: [{ type: 'typing', op: 'start' }] }),
  },
]);
