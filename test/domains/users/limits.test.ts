import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testChat } from '../../../lib/testing/testing.ts';

test('more than 500 bots of an owner and 10,000 profile characters of an account are refused', async (t) => {
  const { people, close } = await testChat();
  t.after(close);
  const { ada, dora } = people;
  const create = (at: number) => dora.bots.create({ full_name: `Bot ${at}`, short_name: `bot${at}` });
  for (let at = 0; at < 500; at++) await create(at);
  await assert.rejects(create(500), /at most 500 bots/);
  const given = await ada.bots.create({ full_name: 'Given', short_name: 'given' });
  const me = await dora.users.me();
  await assert.rejects(ada.bots.edit({ bot_id: given.user_id, bot_owner_id: me.user_id }), /at most 500 bots/);

  const ids = [];
  for (const name of ['one', 'two']) ids.push((await ada.profileFields.create({ name, field_type: 2 })).id);
  // An emoji of five characters gives about ninety characters of HTML.
  const value = ':cat:'.repeat(90);
  const fill = (some: readonly number[]) => dora.profileFields.set({ data: some.map((id) => ({ id, value })) });
  await fill(ids.slice(0, 1));
  await assert.rejects(fill(ids), /10000 characters/);
  assert.deepEqual(Object.keys((await dora.users.me()).profile_data ?? {}), [`${ids[0]}`]);
});
