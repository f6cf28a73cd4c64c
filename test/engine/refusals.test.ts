import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registered } from '../../lib/catalogue.ts';
import { withDefaults } from '../../lib/chat/chat-options.ts';
import { deactivateUser } from '../../lib/domains/users/accounts/deactivate.ts';
import { Engine } from '../../lib/engine/engine.ts';
import { sqlite } from '../../lib/index.ts';
import type { AfterRefusal } from '../../lib/operation/feature.ts';
import { testChat } from '../../lib/testing/testing.ts';

test('refusals are written to the audit log within 10 s, also after the clock was set back', async (t) => {
  const storage = sqlite(':memory:');
  const { people, channels, clock, close } = await testChat({ storage });
  t.after(close);
  const written = async () => (await storage.read((tx) => tx.audit.list({ since: 0, limit: 10 }))).length;
  const refuse = async () => {
    await assert.rejects(people.dora.users.deactivate({ user_id: people.ada.user_id }));
    await assert.rejects(people.dora.channels.archive({ stream_id: channels.general }));
    clock.advance({ seconds: 10 });
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  };
  const before = await written();
  await refuse();
  const first = await written();
  assert.ok(first > before);
  clock.advance({ days: -1 });
  await refuse();
  assert.equal(await written(), first + (first - before));
});

test('a refusal is recorded as such, also if an action after it makes a change', async (t) => {
  const storage = sqlite(':memory:');
  const { people, close } = await testChat({ storage });
  t.after(close);
  const { ada, dora } = people;
  let changes = 0;
  const change: AfterRefusal = ({ transact }) => transact('write', async () => void changes++);
  const engine = new Engine(withDefaults({ storage }), { ...registered, refused: { 'users.deactivate': change } });
  await assert.rejects(engine.call(deactivateUser, { userId: dora.user_id, client: 'test' }, { user_id: ada.user_id }));
  await engine.refusals.flush();
  const entries = await storage.read((tx) => tx.audit.list({ since: 0, limit: 10 }));
  const recorded = entries.filter(({ action }) => action === 'users.deactivate');
  assert.deepEqual([changes, recorded.map(({ code }) => code)], [1, ['BAD_REQUEST']]);
});
