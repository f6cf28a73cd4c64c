import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChat, sqlite } from '../../../../lib/index.ts';

test('each call that creates accounts makes guests of customers, unless it names a role', async (t) => {
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  await chat.createOrganization({
    name: 'The shop',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
    audience: 'customers',
  });
  const { users } = chat.system();
  await users.create({ email: 'create@example.com', full_name: 'Create' });
  await users.ensure({ email: 'ensure@example.com', full_name: 'Ensure' });
  await users.createMany({
    people: [
      { email: 'many@example.com', full_name: 'Many' },
      { email: 'staff@example.com', full_name: 'Staff', role: 400 },
    ],
  });
  await chat.sync({ users: [{ external_id: 'u1', email: 'sync@example.com', name: 'Sync' }] });
  const { members } = await users.list();
  const roles = Object.fromEntries(members.filter((user) => !user.is_bot).map((user) => [user.full_name, user.role]));
  assert.deepEqual(roles, { Ada: 100, Create: 600, Ensure: 600, Many: 600, Staff: 400, Sync: 600 });
});
