import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Storage, Transaction } from '../../lib/storage/interface/storage.ts';
import { createChannel, createUsers, newUser, organization } from '../contract/fixtures.ts';
import { withoutPostgres } from '../support/engines.ts';
import { migratedPlace } from '../support/postgres.ts';

/** Writes with the versions it assumes, as operations do. */
async function addUserTopic(tx: Transaction, seen: number[], userId: number, channelId: number) {
  const versions = await tx.organization.versions();
  seen.push(versions?.users_version ?? assert.fail());
  await tx.userTopics.set([userId], { channel_id: channelId, topic: 'x', visibility_policy: 3, last_updated: 1 });
}

describe('versions that a write assumes', { skip: withoutPostgres }, () => {
  for (const kind of ['mark', 'append'] as const) {
    const write = <T>(storage: Storage, work: (tx: Transaction) => Promise<T>) => storage.write(work, kind);

    test(`a write of the kind ${kind} runs again if another process has raised the assumed versions`, async (t) => {
      const place = await migratedPlace();
      t.after(() => place.drop());
      const [storage, other] = [place.storage(), place.storage()];
      await storage.open();
      await other.open();
      t.after(() => Promise.all([storage.close(), other.close()]));
      const { Ada, channels } = await storage.write(async (tx) => {
        await tx.organization.create(organization());
        const channels = [];
        for (const name of ['one', 'two', 'three']) channels.push(await createChannel(tx, name));
        return { ...(await createUsers(tx, 'Ada')), channels };
      });
      const [one, two, three] = channels as [number, number, number];
      const known: number[] = [];
      await write(storage, (tx) => addUserTopic(tx, known, Ada.id, one));
      await write(storage, (tx) => addUserTopic(tx, known, Ada.id, two));
      const [before] = known as [number];
      assert.deepEqual(known, [before, before], 'nothing has changed yet');

      await other.write((tx) => tx.users.create(newUser('Bob')));
      const seen: number[] = [];
      await write(storage, (tx) => addUserTopic(tx, seen, Ada.id, three));
      assert.deepEqual(
        seen,
        [before, before + 1],
        'it continues with the assumed versions, and then with the stored ones',
      );
      const topics = await storage.read((tx) => tx.userTopics.ofUser(Ada.id));
      assert.deepEqual(
        topics.map((topic) => topic.channel_id),
        channels,
      );
    });

    test(`a write of the kind ${kind} that throws because of outdated assumed versions runs again and succeeds`, async (t) => {
      const place = await migratedPlace();
      t.after(() => place.drop());
      const [storage, other] = [place.storage(), place.storage()];
      await storage.open();
      await other.open();
      t.after(() => Promise.all([storage.close(), other.close()]));
      await storage.write((tx) => tx.organization.create(organization()));
      const expected = await write(storage, (tx) => tx.organization.versions());
      await other.write((tx) => tx.users.create(newUser('Bob')));
      const found = await write(storage, async (tx) => {
        const versions = await tx.organization.versions();
        if (versions?.users_version === expected?.users_version) throw new Error('There is no Bob.');
        return versions?.users_version;
      });
      assert.equal(found, (expected?.users_version ?? 0) + 1);
    });
  }
});
