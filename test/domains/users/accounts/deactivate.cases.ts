import assert from 'node:assert/strict';
import { transportOf } from '../../../../lib/internal.ts';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { memberships } from '../../../world/group-events.ts';
import type { World } from '../../../world/world.ts';

const ending = (user: UserName) => ['users.deactivate', ({ users }: World) => ({ user_id: users[user] })] as const;

const refused = (name: string, as: UserName, user: UserName, code: string): Case => ({
  name,
  as,
  call: ending(user),
  refuses: { code },
});

export const deactivateUserCases = cases('users.deactivate', [
  {
    name: 'an account and its bots are deactivated; their API keys stop working and their queues end',
    as: 'administrator',
    given: async (world) => {
      await world.as('bot').register({});
    },
    call: ending('hamlet'),
    state: async (world) => {
      for (const user of ['hamlet', 'bot', 'webhook'] as const) {
        assert.equal((await world.as('owner').users.get({ user_id: world.users[user] })).user.is_active, false);
        const key = await world.chat.apiKeyOf(world.users[user]);
        await assert.rejects(transportOf(world.chat).authenticate(world.emails[user], key), { code: 'UNAUTHORIZED' });
      }
      await assert.rejects(world.as('bot').users.me(), { code: 'UNAUTHORIZED' });
    },
  },
  {
    name: 'all users get the event, and the account leaves subscriber and group member lists',
    as: 'administrator',
    call: ending('cordelia'),
    events: ({ users, channels, groups }) => ({
      hamlet: [
        { type: 'subscription', op: 'peer_remove', stream_ids: [channels.public], user_ids: [users.cordelia] },
        { type: 'realm_user', op: 'update', person: { user_id: users.cordelia, is_active: false } },
        ...memberships('remove_members', groups.cooks, groups.hamletcharacters),
      ],
      guest: [
        { type: 'subscription', op: 'peer_remove', stream_ids: [channels.protected] },
        { type: 'realm_user', op: 'update', person: { user_id: users.cordelia, is_active: false } },
        ...memberships('remove_members', groups.cooks, groups.hamletcharacters),
      ],
      newcomer: [
        { type: 'subscription', op: 'peer_remove', stream_ids: [channels.public] },
        { type: 'realm_user' },
        ...memberships('remove_members', groups.cooks, groups.hamletcharacters),
      ],
    }),
  },
  {
    name: 'a client without include_deactivated_groups gets no event of a deactivated group with the account',
    as: 'administrator',
    given: ({ storage, groups, users }) =>
      storage.write((tx) => tx.groups.addMembers(groups.disbanded, [users.newcomer])),
    call: ending('newcomer'),
    events: ({ users }) => ({
      hamlet: [
        { type: 'subscription', op: 'peer_remove' },
        { type: 'realm_user', op: 'update', person: { user_id: users.newcomer, is_active: false } },
        ...memberships('remove_members'),
        // The client does not get the group event. A heartbeat has its ID.
        { type: 'heartbeat' },
      ],
    }),
  },
  {
    name: 'H: a deactivated account cannot be deactivated again',
    as: 'owner',
    call: ending('deactivated'),
    refuses: { code: 'BAD_REQUEST', says: /already deactivated/ },
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'G5: the pending invitations of the user are revoked, and stay so after a reactivation',
    as: 'owner',
    given: async ({ as }) => {
      await as('hamlet').invites.send({ invitee_emails: 'a@x.org, b@x.org', stream_ids: [] });
      await as('cordelia').invites.send({ invitee_emails: 'c@x.org', stream_ids: [] });
    },
    call: ending('hamlet'),
    state: async ({ as, users }) => {
      const pending = async () => (await as('owner').invites.list()).invites.map(({ email }) => email);
      assert.deepEqual(await pending(), ['c@x.org']);
      await as('owner').users.reactivate({ user_id: users.hamlet });
      assert.deepEqual(await pending(), ['c@x.org']);
    },
  },
  { name: 'an owner deactivates an owner', as: 'owner', call: ending('secondOwner') },
  refused('an administrator does not deactivate an owner', 'administrator', 'owner', 'UNAUTHORIZED_PRINCIPAL'),
  {
    name: 'the only owner cannot be deactivated',
    as: 'owner',
    given: ({ as, users }) => as('owner').users.deactivate({ user_id: users.secondOwner }),
    call: ending('owner'),
    refuses: { code: 'BAD_REQUEST', says: /only owner/, data: { entity: 'organization owner', is_last_owner: true } },
  },
  refused('a bot is refused as the account', 'owner', 'bot', 'BAD_REQUEST'),
  refused('a member is refused', 'hamlet', 'cordelia', 'BAD_REQUEST'),
  {
    name: 'an unknown ID is refused',
    as: 'owner',
    call: ['users.deactivate', { user_id: 9999 }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a system bot is refused as missing',
    as: 'owner',
    call: ['users.deactivate', { user_id: 1 }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a restricted guest no longer sees a deactivated user they only shared a channel with',
    as: 'owner',
    given: ({ settings }) => settings({ can_access_all_users_group: 6 }),
    call: ending('cordelia'),
    events: ({ users, groups }) => ({
      guest: [
        { type: 'subscription', op: 'peer_remove' },
        { type: 'realm_user', op: 'remove', person: { user_id: users.cordelia } },
        ...memberships('remove_members', groups.cooks, groups.hamletcharacters),
      ],
      hamlet: [
        { type: 'subscription', op: 'peer_remove' },
        { type: 'realm_user', op: 'update', person: { user_id: users.cordelia, is_active: false } },
        ...memberships('remove_members', groups.cooks, groups.hamletcharacters),
      ],
    }),
  },
  {
    name: 'a restricted guest still sees a deactivated user they exchanged direct messages with',
    as: 'owner',
    given: async ({ as, users, settings }) => {
      await settings({ can_access_all_users_group: 6 });
      await as('guest').messages.send({ type: 'direct', to: [users.cordelia], content: 'Hello' });
    },
    call: ending('cordelia'),
    events: ({ users, groups }) => ({
      guest: [
        { type: 'subscription', op: 'peer_remove' },
        { type: 'realm_user', op: 'update', person: { user_id: users.cordelia, is_active: false } },
        ...memberships('remove_members', groups.cooks, groups.hamletcharacters),
      ],
    }),
  },
]);
