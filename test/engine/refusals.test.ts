import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlite } from '../../lib/index.ts';
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
