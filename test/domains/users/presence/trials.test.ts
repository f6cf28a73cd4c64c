import assert from 'node:assert/strict';
import { inWorlds } from '../../messages/in-worlds.ts';

inWorlds('a dry run of a presence report, and why, store no presence', async (world) => {
  await world.as('hamlet').presence.report({ status: 'active' });
  await world.chat.runDue();
  const before = await world.as('owner').presence.list();
  world.clock.advance({ seconds: 120 });
  for (const ping_only of [true, false]) {
    await world.as('hamlet').dryRun.presence.report({ status: 'active', ping_only });
    await world.chat.why(world.users.hamlet, 'presence.report', { status: 'active', ping_only });
  }
  const after = await world.as('owner').presence.list();
  assert.deepEqual(after.presences, before.presences);
});
