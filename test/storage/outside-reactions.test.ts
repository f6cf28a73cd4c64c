import assert from 'node:assert/strict';
import { createChannel, createUsers, organization, send, subscribe } from '../contract/fixtures.ts';
import { testOn } from '../support/engines.ts';
import { places, storageAt } from './migration-places.ts';

for (const { name, skip, make } of places) {
  const test = testOn({ skip });

  test(`users who reacted to a message that they did not receive get its updates after an upgrade (${name})`, async (t) => {
    const place = await make();
    t.after(() => place.remove());
    const older = storageAt(place.address);
    await older.open();
    const { ids, Bob } = await older.write(async (tx) => {
      await tx.organization.create(organization());
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'Room');
      await subscribe(tx, channel, Ada);
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const ids = [
        await send(tx, Ada, topic),
        await send(tx, Ada, await tx.conversations.ensureDirect([Ada.id, Bob.id])),
      ];
      const tada = { reaction_type: 'unicode_emoji', emoji_code: '1f389', emoji_name: 'tada' } as const;
      for (const message_id of ids) {
        for (const user_id of [Ada.id, Bob.id]) await tx.reactions.add({ message_id, user_id, ...tada });
      }
      assert.deepEqual(await tx.flags.holders(ids), []);
      return { ids, Bob };
    });
    await older.close();
    await place.sql('INSERT INTO unfinished_fills (version, filled_to) VALUES (10, 0)');
    const newer = storageAt(place.address);
    await newer.open();
    t.after(() => newer.close());
    const holders = await newer.read(async (tx) => [
      await tx.flags.holders([ids[0] as number]),
      await tx.flags.holders(ids),
    ]);
    assert.deepEqual(holders, [[Bob.id], [Bob.id]]);
  });
}
