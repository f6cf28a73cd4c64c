import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';

export const auditLogCases = cases('organization.auditLog', [
  {
    name: 'an owner reads who changed what, newest first, without the texts of the request',
    as: 'owner',
    given: async ({ as, users }) => {
      await as('administrator').users.edit({ user_id: users.hamlet, full_name: 'Prince' });
      await as('owner').users.edit({ user_id: users.hamlet, role: 300 });
    },
    call: ['organization.auditLog', { limit: 2 }],
    state: async ({ users }, { entries, found_oldest }) => {
      const [second, first] = entries as { action: string; user_id: number; details: object; status: number }[];
      assert.deepEqual([first?.action, first?.user_id], ['users.edit', users.administrator]);
      assert.deepEqual(first?.details, { user_id: users.hamlet, full_name: 'given' });
      assert.deepEqual(second?.details, { user_id: users.hamlet, role: 300 });
      assert.deepEqual([second?.status, typeof found_oldest], [200, 'boolean']);
    },
  },
  {
    name: 'filters and before_id leave out other entries',
    as: 'owner',
    given: async ({ as, users, channels }) => {
      await as('administrator').users.edit({ user_id: users.hamlet, role: 300 });
      await as('owner').channels.edit({ stream_id: channels.quiet, description: 'Quiet.' });
      await as('administrator').users.edit({ user_id: users.hamlet, role: 400 });
    },
    call: ['organization.auditLog', ({ users }) => ({ user_id: users.administrator, action: 'users.edit', limit: 1 })],
    state: async ({ as, users, channels }, { entries, found_oldest }) => {
      assert.deepEqual([entries.length, entries[0].details.role, found_oldest], [1, 400, false]);
      const list = as('owner').organization.auditLog;
      const rest = await list({ user_id: users.administrator, action: 'users.edit', before_id: entries[0].id });
      assert.deepEqual([rest.entries.length, rest.entries[0]?.details.role, rest.found_oldest], [1, 300, true]);
      const inChannel = await list({ stream_id: channels.quiet });
      assert.deepEqual(
        inChannel.entries.map(({ action }) => action),
        ['channels.edit'],
      );
      assert.equal((await list({ since: entries[0].timestamp + 10 })).entries.length, 0);
    },
  },
  {
    name: 'an administrator is refused',
    as: 'administrator',
    call: ['organization.auditLog'],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL', says: /owner/ },
  },
]);
