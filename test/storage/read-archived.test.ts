import assert from 'node:assert/strict';
import { createChannel, createUsers, organization, send, subscribe } from '../contract/fixtures.ts';
import { testOn } from '../support/engines.ts';
import { places, storageAt } from './migration-places.ts';

for (const { name, skip, make } of places) {
  const test = testOn({ skip });

  test(`D9: channels archived before an upgrade have no unread messages after it (${name})`, async (t) => {
    const place = await make();
    t.after(() => place.remove());
    const older = storageAt(place.address);
    await older.open();
    const { ids, Bob } = await older.write(async (tx) => {
      await tx.organization.create(organization());
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const ids: number[] = [];
      for (const room of ['Open', 'Old', 'Older']) {
        const channel = await createChannel(tx, room);
        await subscribe(tx, channel, Ada, Bob);
        const topic = await tx.conversations.ensureTopic(channel, 'x');
        ids.push(await send(tx, Ada, topic), await send(tx, Ada, topic));
        await tx.readState.markRead(Bob.id, [ids.at(-1) as number]);
        await tx.readState.markUnread(Bob.id, [ids.at(-1) as number]);
        if (room !== 'Open') await tx.channels.update(channel, { is_archived: true });
      }
      return { ids, Bob };
    });
    await older.close();
    await place.sql('INSERT INTO unfinished_fills (version, filled_to) VALUES (44, 0)');
    const newer = storageAt(place.address);
    await newer.open();
    t.after(() => newer.close());
    const flags = await newer.read((tx) => tx.readState.flagsOf(Bob.id, ids));
    const isRead = ids.map((id) => flags.get(id)?.includes('read') ?? false);
    assert.deepEqual(isRead, [false, false, true, true, true, true]);
  });
}
