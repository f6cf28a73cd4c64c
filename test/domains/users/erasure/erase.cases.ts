import assert from 'node:assert/strict';
import { transportOf } from '../../../../lib/internal.ts';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const erasing = (user: UserName, more = {}) =>
  ['users.erase', ({ users }: World) => ({ user_id: users[user], ...more })] as const;

const refused = (name: string, as: UserName, user: UserName, code: string): Case => ({
  name,
  as,
  call: erasing(user),
  refuses: { code },
});

export const eraseUserCases = cases('users.erase', [
  {
    name: 'all users get the new name and address, and the account and its bots are deactivated',
    as: 'administrator',
    call: erasing('hamlet', { messages: 'delete' }),
    returns: ({ users }) => ({ bot_ids: [users.bot, users.webhook] }),
    state: async (world) => {
      const { as, users, chat, emails } = world;
      const key = await chat.apiKeyOf(users.hamlet);
      for (const address of [emails.hamlet, `erased-${users.hamlet}@users.invalid`])
        await assert.rejects(transportOf(chat).authenticate(address, key), { code: 'UNAUTHORIZED' });
      const { user } = await as('owner').users.get({ user_id: users.hamlet });
      const name = `Deleted user ${users.hamlet}`;
      assert.deepEqual([user.full_name, user.is_active, user.timezone], [name, false, '']);
      assert.equal(user.delivery_email, `erased-${users.hamlet}@users.invalid`);
      assert.equal((await as('owner').users.get({ user_id: users.bot })).user.is_active, false);
    },
  },
  {
    name: 'an erased account cannot be reactivated, and can be erased again',
    as: 'owner',
    given: ({ as, users }) => as('owner').users.erase({ user_id: users.cordelia }),
    call: erasing('cordelia', { messages: 'delete' }),
    state: async ({ as, users }) => {
      const reactivation = as('owner').users.reactivate({ user_id: users.cordelia });
      await assert.rejects(reactivation, { code: 'BAD_REQUEST', message: /was erased/ });
    },
  },
  { name: 'an owner erases an owner', as: 'owner', call: erasing('secondOwner') },
  { name: 'a deactivated account is erased', as: 'administrator', call: erasing('deactivated') },
  { name: 'a bot is erased', as: 'administrator', call: erasing('bot') },
  refused('an administrator does not erase an owner', 'administrator', 'owner', 'UNAUTHORIZED_PRINCIPAL'),
  refused('a moderator is refused', 'moderator', 'cordelia', 'UNAUTHORIZED_PRINCIPAL'),
  refused('a member cannot erase their own account', 'hamlet', 'hamlet', 'UNAUTHORIZED_PRINCIPAL'),
  refused('a guest is refused', 'guest', 'guest', 'UNAUTHORIZED_PRINCIPAL'),
  {
    name: 'the only owner cannot be erased, and keeps everything',
    as: 'owner',
    given: ({ as, users }) => as('owner').users.deactivate({ user_id: users.secondOwner }),
    call: erasing('owner'),
    refuses: { code: 'BAD_REQUEST', says: /only owner/, data: { entity: 'organization owner', is_last_owner: true } },
  },
  {
    name: 'an unknown ID is refused',
    as: 'owner',
    call: ['users.erase', { user_id: 9999 }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a system bot is refused as missing',
    as: 'owner',
    call: ['users.erase', { user_id: 1 }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a way that does not exist is refused',
    as: 'owner',
    call: erasing('cordelia', { messages: 'burn' }),
    refuses: { code: 'BAD_REQUEST', says: /keep, anonymize, delete/ },
  },
  {
    name: 'the audit log has the ID of the account and none of its texts',
    as: 'administrator',
    call: erasing('cordelia', { messages: 'delete' }),
    state: async ({ storage, users, emails }) => {
      const found = await storage.read((tx) => tx.audit.list({ since: 0, action: 'users.erase', limit: 10 }));
      assert.deepEqual(
        found.map(({ user_id, details }) => [user_id, details]),
        [
          [
            users.administrator,
            { message_count: 3, file_count: 0, export_count: 0, user_id: users.cordelia, messages: 'given' },
          ],
        ],
      );
      assert.ok(!JSON.stringify(found).includes(emails.cordelia));
    },
  },
]);
