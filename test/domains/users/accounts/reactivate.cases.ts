import assert from 'node:assert/strict';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { memberships } from '../../../world/group-events.ts';
import type { World } from '../../../world/world.ts';

const reviving = (user: UserName) => ['users.reactivate', ({ users }: World) => ({ user_id: users[user] })] as const;

export const reactivateUserCases = cases('users.reactivate', [
  {
    name: 'a deactivated account becomes active again with its subscriptions',
    as: 'administrator',
    call: reviving('deactivated'),
    events: ({ users, channels }) => ({
      hamlet: [
        { type: 'realm_user', op: 'update', person: { user_id: users.deactivated, is_active: true } },
        { type: 'subscription', op: 'peer_add', stream_ids: [channels.public], user_ids: [users.deactivated] },
        ...memberships('add_members'),
      ],
      guest: [{ type: 'realm_user', op: 'update' }, ...memberships('add_members')],
    }),
    state: async (world) => {
      const { subscriptions } = await world.as('deactivated').subscriptions.list();
      assert.deepEqual(
        subscriptions.map((one) => one.name),
        ['Denmark'],
      );
    },
  },
  {
    name: 'G5: invitations of a user that an older version deactivated stay revoked',
    as: 'owner',
    given: async ({ as, storage, users }) => {
      await as('cordelia').invites.send({ invitee_emails: 'a@x.org', stream_ids: [] });
      await as('owner').organization.edit({ create_multiuse_invite_group: { new: 6 } });
      await as('cordelia').invites.createMultiuse();
      await storage.write((tx) => tx.users.update(users.cordelia, { is_active: false }));
    },
    call: ['users.reactivate', ({ users }) => ({ user_id: users.cordelia })],
    state: async ({ as }) => assert.deepEqual((await as('owner').invites.list()).invites, []),
  },
  {
    name: 'the owner of a reactivated bot gets the event',
    as: 'administrator',
    given: ({ as, users }) => as('administrator').bots.deactivate({ bot_id: users.bot }),
    call: reviving('bot'),
    events: ({ users }) => ({
      hamlet: [
        { type: 'realm_user', op: 'update', person: { user_id: users.bot, is_active: true } },
        { type: 'realm_bot', op: 'update', bot: { user_id: users.bot, is_active: true } },
        ...memberships('add_members'),
      ],
    }),
  },
  {
    name: 'a bot whose owner is deactivated gets the caller as its owner',
    as: 'administrator',
    given: ({ as, users }) => as('owner').users.deactivate({ user_id: users.hamlet }),
    call: reviving('bot'),
    state: async ({ as, users }) => {
      const { bots } = await as('administrator').bots.list();
      const bot = bots.find(({ user_id }) => user_id === users.bot);
      assert.deepEqual([bot?.is_active, bot?.owner_id], [true, users.administrator]);
      const { user } = await as('owner').users.get({ user_id: users.bot });
      assert.equal(user.bot_owner_id, users.administrator);
    },
  },
  {
    name: 'a rehired account owns its bots again and is in its groups; its bots stay deactivated',
    as: 'administrator',
    given: ({ as, users }) => as('owner').users.deactivate({ user_id: users.hamlet }),
    call: reviving('hamlet'),
    state: async ({ as, users }) => {
      await as('hamlet').bots.edit({ bot_id: users.bot, is_active: true });
      const { bots } = await as('hamlet').bots.list();
      const bot = bots.find(({ user_id }) => user_id === users.bot);
      assert.deepEqual([bot?.is_active, bot?.owner_id], [true, users.hamlet]);
      const { user_groups } = await as('owner').userGroups.list();
      assert.ok(user_groups.some(({ members, is_system_group }) => !is_system_group && members.includes(users.hamlet)));
    },
  },
  {
    name: 'an active account is refused',
    as: 'owner',
    call: reviving('hamlet'),
    refuses: { code: 'BAD_REQUEST', says: /already active/ },
  },
  {
    name: 'an administrator does not reactivate an owner',
    as: 'administrator',
    given: ({ as, users }) => as('owner').users.deactivate({ user_id: users.secondOwner }),
    call: reviving('secondOwner'),
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  {
    name: 'a member is refused',
    as: 'hamlet',
    call: reviving('deactivated'),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'the owner of a bot reactivates it',
    as: 'hamlet',
    given: ({ as, users }) => as('hamlet').bots.deactivate({ bot_id: users.bot }),
    call: reviving('bot'),
    events: ({ users }) => ({
      hamlet: [
        { type: 'realm_user', op: 'update', person: { user_id: users.bot, is_active: true } },
        { type: 'realm_bot', op: 'update', bot: { user_id: users.bot, is_active: true } },
        ...memberships('add_members'),
      ],
    }),
  },
  {
    name: 'the owner of a bot who may not create bots cannot reactivate it',
    as: 'hamlet',
    given: async (world) => {
      await world.as('hamlet').bots.deactivate({ bot_id: world.users.bot });
      await world.settings({ can_create_bots_group: systemGroupId('role:administrators') });
    },
    call: reviving('bot'),
    refuses: { code: 'BAD_REQUEST', says: /create bots/ },
  },
  {
    name: 'a user who does not own the bot cannot reactivate it',
    as: 'cordelia',
    given: ({ as, users }) => as('hamlet').bots.deactivate({ bot_id: users.bot }),
    call: reviving('bot'),
    refuses: { code: 'BAD_REQUEST', says: /not allowed to administer/ },
  },
  {
    name: 'an unknown ID is refused',
    as: 'owner',
    call: ['users.reactivate', { user_id: 9999 }],
    refuses: { code: 'BAD_REQUEST' },
  },
]);
