import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqliteEngine } from '../../../world/copies.ts';
import { stateDigest } from '../../../world/digest.ts';

test('H10: a refused dry run of a bot sends no notice to its owner', async () => {
  const world = await sqliteEngine.world();
  try {
    const before = await stateDigest(world.storage);
    const message = { type: 'channel', to: 'Elsewhere', topic: 'a', content: 'b' } as const;
    const trial = world.chat.as(world.users.bot).dryRun.messages.send(message);
    await assert.rejects(trial, { code: 'STREAM_DOES_NOT_EXIST' });
    assert.deepEqual(await stateDigest(world.storage), before);
  } finally {
    await world.close();
  }
});
