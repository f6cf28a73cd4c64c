import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { RESTRICTED } from '../../../world/fixture.ts';
import { assertMatches, isSince } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const muteHamlet = ({ as, users }: World) => as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet });
const hamlet = ({ users }: World) => ({ muted_user_id: users.hamlet });

export const addMutedUserCases = cases('mutedUsers.add', [
  {
    name: 'muting a user marks their messages as read, and only the muting user gets the events',
    as: 'cordelia',
    call: ['mutedUsers.add', hamlet],
    events: ({ users, messages, clock }) => ({
      cordelia: [
        { type: 'muted_users', muted_users: [{ id: users.hamlet, timestamp: isSince(clock) }] },
        {
          type: 'update_message_flags',
          op: 'add',
          operation: 'add',
          flag: 'read',
          all: false,
          messages: [messages.ghost, messages.direct, messages.group],
        },
      ],
      hamlet: [],
    }),
    state: async ({ as, users, clock }) => {
      const { muted_users, unread_msgs } = await as('cordelia').register({
        fetch_event_types: ['muted_users', 'message', 'update_message_flags'],
      });
      assertMatches(muted_users, [{ id: users.hamlet, timestamp: isSince(clock) }]);
      assert.equal((unread_msgs as { pms: unknown[] }).pms.length, 0);
    },
  },
  {
    name: 'a bot and a deactivated user can be muted',
    as: 'cordelia',
    given: ({ as, users }) => as('cordelia').mutedUsers.add({ muted_user_id: users.bot }),
    call: ['mutedUsers.add', ({ users }) => ({ muted_user_id: users.deactivated })],
  },
  {
    name: 'a user cannot mute themselves',
    as: 'cordelia',
    call: ['mutedUsers.add', ({ users }) => ({ muted_user_id: users.cordelia })],
    refuses: { code: 'BAD_REQUEST', says: /yourself/ },
  },
  {
    name: 'a user who is already muted is refused',
    as: 'cordelia',
    given: muteHamlet,
    call: ['mutedUsers.add', hamlet],
    refuses: { code: 'BAD_REQUEST', says: /already/ },
  },
  {
    name: 'an unknown user cannot be muted',
    as: 'cordelia',
    call: ['mutedUsers.add', { muted_user_id: 9_999 }],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID 9999/ },
  },
  {
    name: 'a hidden user is refused as unknown to a restricted guest',
    as: 'guest',
    given: ({ settings }) => settings(RESTRICTED),
    call: ['mutedUsers.add', ({ users }) => ({ muted_user_id: users.moderator })],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID/ },
  },
  {
    name: 'more than 1,000 muted users of one user are refused',
    as: 'cordelia',
    given: ({ storage, users }) =>
      storage.write(async (tx) => {
        const hamlet = await tx.users.byId(users.hamlet);
        for (let at = 0; at < 1_000; at++) {
          const { id: _, version: __, ...fields } = hamlet as NonNullable<typeof hamlet>;
          const { id } = await tx.users.create({ ...fields, delivery_email: `extra-${at}@example.com` });
          await tx.mutedUsers.add(users.cordelia, { id, timestamp: 1 });
        }
      }),
    call: ['mutedUsers.add', hamlet],
    refuses: { code: 'BAD_REQUEST', says: /1000/ },
  },
]);

export const removeMutedUserCases = cases('mutedUsers.remove', [
  {
    name: 'a user is unmuted, and their messages stay read',
    as: 'cordelia',
    given: muteHamlet,
    call: ['mutedUsers.remove', hamlet],
    events: () => ({ cordelia: [{ type: 'muted_users', muted_users: [] }], hamlet: [] }),
  },
  {
    name: 'a restricted guest can unmute a user who is now hidden',
    as: 'guest',
    given: async ({ as, users, settings }) => {
      await as('guest').mutedUsers.add({ muted_user_id: users.moderator });
      await settings(RESTRICTED);
    },
    call: ['mutedUsers.remove', ({ users }) => ({ muted_user_id: users.moderator })],
  },
  {
    name: 'a user who is not muted cannot be unmuted',
    as: 'cordelia',
    call: ['mutedUsers.remove', hamlet],
    refuses: { code: 'BAD_REQUEST', says: /not muted/ },
  },
  {
    name: 'an unknown user cannot be unmuted',
    as: 'cordelia',
    call: ['mutedUsers.remove', { muted_user_id: 9_999 }],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID 9999/ },
  },
  {
    name: 'a hidden user who is not muted is refused as unknown',
    as: 'guest',
    given: ({ settings }) => settings(RESTRICTED),
    call: ['mutedUsers.remove', ({ users }) => ({ muted_user_id: users.moderator })],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID/ },
  },
]);
