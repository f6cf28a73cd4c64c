import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testChat } from '../../lib/testing/testing.ts';

test('without a public host, an account with a hidden address is found by both of its placeholder addresses', async (t) => {
  const { people, close } = await testChat({ baseUrl: 'http://localhost:9991' });
  t.after(close);
  const { ada, dora } = people;
  const { user_id } = await dora.users.me();
  await dora.settings.edit({ email_address_visibility: 4 });
  const { user } = await ada.users.get({ user_id });
  assert.equal(user.email, `user${user_id}@users.invalid`);
  for (const email of [user.email, `user${user_id}@localhost`]) {
    assert.equal((await ada.users.getByEmail({ email })).user.user_id, user_id);
    await ada.users.editByEmail({ email, role: 300 });
  }
  await assert.rejects(ada.users.getByEmail({ email: `user${user_id}@localhost.example.com` }), /no user/);
});

test('the real address of an account takes precedence over the same placeholder address of another', async (t) => {
  const { people, close } = await testChat({ baseUrl: 'http://localhost:9991' });
  t.after(close);
  const { ada, dora } = people;
  const other = await dora.users.me();
  const email = `user${other.user_id}@localhost`;
  const { user_id } = await ada.users.create({ email, full_name: 'Osric' });
  assert.equal((await ada.users.getByEmail({ email })).user.user_id, user_id);
});
