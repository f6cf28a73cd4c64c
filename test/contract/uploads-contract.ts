import assert from 'node:assert/strict';
import type { User } from '../../lib/model/users.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import type { NewUpload } from '../../lib/storage/interface/uploads.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createUsers, openFounded, send } from './fixtures.ts';

const keyOf = (letter: string) => `1/a/${letter.repeat(24)}`;

const pending = (owner: User, letter: string, fields: Partial<NewUpload> = {}): NewUpload => ({
  owner_id: owner.id,
  file_key: keyOf(letter),
  file_name: `${letter}.txt`,
  name: `${letter} ä.txt`,
  content_type: 'text/plain',
  created_ms: 100,
  collect_ms: 1_000,
  ...fields,
});

const FACTS = { width: null, height: null, frames: null, collect_ms: 2_000 };

async function complete(tx: Transaction, owner: User, letter: string, size: number): Promise<number> {
  const id = await tx.uploads.create(pending(owner, letter));
  assert.equal(await tx.uploads.complete(id, { ...FACTS, size }), true);
  return id;
}

const idsOf = (uploads: readonly { id: number }[]) => uploads.map(({ id }) => id);

const claim = (tx: Transaction, message_id: number, ...ids: number[]) =>
  tx.uploads.claim(ids.map((upload_id) => ({ message_id, upload_id })));

export function uploadsContract(engine: Engine): void {
  const test = testOn(engine);

  test('an upload is listed and counts for the quota when it is complete, and completes once', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const id = await tx.uploads.create(pending(Ada, 'a'));
      assert.deepEqual(await tx.uploads.byKeys([keyOf('a'), keyOf('b')]), []);
      assert.deepEqual(await tx.uploads.ofOwner(Ada.id, id + 1, 9), []);
      assert.equal((await tx.uploads.byKey(keyOf('a')))?.is_complete, false);
      assert.equal(await tx.uploads.spaceUsed(), 0);
      const facts = { size: 3_000_000_000, width: 4, height: 5, frames: 1, collect_ms: 7 };
      assert.equal(await tx.uploads.complete(id, facts), true);
      assert.equal(await tx.uploads.complete(id, { ...facts, size: 1 }), false);
      assert.equal(await tx.uploads.complete(id + 1, facts), false);
      const stored = { ...pending(Ada, 'a'), ...facts, id, is_complete: true };
      assert.deepEqual(await tx.uploads.byId(id), stored);
      assert.deepEqual(await tx.uploads.byKeys([keyOf('a')]), [stored]);
      const later = await complete(tx, Ada, 'b', 5);
      await complete(tx, Bob, 'c', 6);
      assert.deepEqual(idsOf(await tx.uploads.ofOwner(Ada.id, later + 9, 9)), [later, id]);
      assert.deepEqual(idsOf(await tx.uploads.ofOwner(Ada.id, later, 9)), [id]);
      assert.deepEqual(idsOf(await tx.uploads.ofOwner(Ada.id, later + 9, 1)), [later]);
      assert.equal(await tx.uploads.spaceUsed(), 3_000_000_011);
      const unfinished = await tx.uploads.create(pending(Ada, 'd'));
      const discarded = await tx.uploads.create(pending(Ada, 'e'));
      for (const one of [discarded, discarded, id]) await tx.uploads.discard(one);
      assert.equal(await tx.uploads.byId(discarded), undefined);
      assert.deepEqual(await tx.uploads.byId(id), stored);
      await tx.uploads.remove([id, unfinished]);
      assert.equal(await tx.uploads.spaceUsed(), 11);
      assert.equal(await tx.uploads.byId(id), undefined);
    });
  });

  test('an upload that a message links to is not collected until no message does', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const talk = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const [one, two] = [await complete(tx, Ada, 'a', 1), await complete(tx, Ada, 'b', 2)];
      const [first, second] = [await send(tx, Ada, talk), await send(tx, Ada, talk)];
      assert.equal(await tx.uploads.nextCollection(), 2_000);
      await claim(tx, first, one, two);
      await claim(tx, first, one);
      await claim(tx, second, two);
      assert.equal(await tx.uploads.nextCollection(), undefined);
      assert.deepEqual(idsOf(await tx.uploads.claimedBy([first, second])), [one, two]);
      assert.deepEqual(
        (await tx.uploads.newestClaims([one, two], 1)).map(({ upload_id, message_id }) => [upload_id, message_id]),
        [
          [one, first],
          [two, second],
        ],
      );
      assert.deepEqual((await tx.uploads.wanted([one, two])).length, 2);
      await tx.uploads.release([first], 5_000, [one]);
      assert.deepEqual(idsOf(await tx.uploads.claimedBy([first])), [one]);
      assert.equal(await tx.uploads.nextCollection(), undefined);
      await tx.uploads.release([first, second], 6_000);
      assert.deepEqual(idsOf(await tx.uploads.toCollect(6_000, 9)), [one, two]);
      assert.deepEqual(idsOf(await tx.uploads.toCollect(6_000, 1)), [one]);
      assert.deepEqual(await tx.uploads.toCollect(5_999, 9), []);
      await tx.uploads.postpone([one], 9_000);
      assert.deepEqual(idsOf(await tx.uploads.toCollect(6_000, 9)), [two]);
    });
  });

  test('a user can read an upload through the newest message they received that links to it', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cid } = await createUsers(tx, 'Ada', 'Bob', 'Cid');
      const talk = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const id = await complete(tx, Ada, 'a', 1);
      const sent: number[] = [];
      for (let at = 0; at < 3; at++) {
        sent.push(await send(tx, Ada, talk));
        await claim(tx, sent[at] as number, id);
      }
      const newest = { upload_id: id, id: sent[2], channel_id: null };
      assert.deepEqual(await tx.uploads.claimingMessages([id], Bob.id, 100), [newest]);
      assert.deepEqual(await tx.uploads.claimingMessages([id], Bob.id, 1), [newest]);
      assert.deepEqual(await tx.uploads.claimingMessages([id], Cid.id, 100), []);
      assert.deepEqual(await tx.uploads.claimingMessages([], Bob.id, 100), []);
      assert.equal(await tx.uploads.isWebPublic(id), false);
    });
  });
}
