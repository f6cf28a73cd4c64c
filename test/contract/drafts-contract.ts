import assert from 'node:assert/strict';
import type { Draft } from '../../lib/storage/interface/personal.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createUsers, openFounded } from './fixtures.ts';

type NewDraft = Omit<Draft, 'id'>;

const draft = (content: string, fields: Partial<NewDraft> = {}): NewDraft => ({
  type: '',
  to: [],
  topic: '',
  content,
  timestamp: 100,
  ...fields,
});

/** Drafts, snippets and navigation views, separate for each user. */
export function draftsContract(engine: Engine): void {
  const test = testOn(engine);

  test('drafts are listed by time of their last edit, newest first, and have ascending IDs', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const given = [
        draft('"quoted" \\ and\n🎉', { type: 'private', to: [7, 9], timestamp: 300 }),
        draft('b', { type: 'stream', to: [3], topic: 'Ä' }),
        draft('c', { timestamp: 200 }),
        draft('d'),
      ];
      const ids = await tx.drafts.add(Ada.id, given);
      assert.deepEqual(
        ids,
        [...ids].sort((one, other) => one - other),
      );
      const kept = given.map((one, at) => ({ id: ids[at], ...one }));
      assert.deepEqual(await tx.drafts.of(Ada.id), [kept[0], kept[2], kept[3], kept[1]]);
      assert.deepEqual(await tx.drafts.get(Ada.id, ids[1] as number), kept[1]);
      assert.deepEqual(await tx.drafts.of(Bob.id), []);
      assert.deepEqual(await tx.drafts.add(Bob.id, []), []);
    });
  });

  test('a draft can be read, changed and removed by its owner only', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const [id = 0] = await tx.drafts.add(Ada.id, [draft('mine')]);
      assert.equal(await tx.drafts.get(Bob.id, id), undefined);
      assert.equal(await tx.drafts.update(Bob.id, { id, ...draft('theirs') }), false);
      assert.equal(await tx.drafts.remove(Bob.id, id), false);
      await tx.drafts.removeAll(Bob.id);
      assert.deepEqual(await tx.drafts.of(Ada.id), [{ id, ...draft('mine') }]);
      assert.equal(await tx.drafts.update(Ada.id, { id, ...draft('changed', { to: [1], type: 'stream' }) }), true);
      assert.equal((await tx.drafts.get(Ada.id, id))?.content, 'changed');
      assert.equal(await tx.drafts.remove(Ada.id, id), true);
      assert.equal(await tx.drafts.remove(Ada.id, id), false);
      const [next = 0] = await tx.drafts.add(Ada.id, [draft('again')]);
      assert.ok(next > id, 'no ID is used twice');
    });
  });

  test("the size of a user's drafts counts characters of content and addresses", async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      assert.deepEqual(await tx.drafts.size(Ada.id), { count: 0, characters: 0 });
      await tx.drafts.add(Ada.id, [draft('🎉🎉'), draft('abc', { type: 'private', to: [7, 12] })]);
      assert.deepEqual(await tx.drafts.size(Ada.id), { count: 2, characters: 4 + 9 });
      assert.deepEqual(await tx.drafts.size(Bob.id), { count: 0, characters: 0 });
      await tx.drafts.removeAll(Ada.id);
      assert.deepEqual(await tx.drafts.of(Ada.id), []);
    });
  });

  test('saved snippets are listed by ID, and only their owner can read, change or remove them', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const id = await tx.savedSnippets.add(Ada.id, { title: 'Ä', content: '🎉b', date_created: 5 });
      const other = await tx.savedSnippets.add(Ada.id, { title: 'Ä', content: 'c', date_created: 4 });
      const both = [
        { id, title: 'Ä', content: '🎉b', date_created: 5 },
        { id: other, title: 'Ä', content: 'c', date_created: 4 },
      ];
      assert.deepEqual(await tx.savedSnippets.of(Ada.id), both);
      assert.deepEqual(await tx.savedSnippets.size(Ada.id), { count: 2, characters: 3 });
      assert.deepEqual(await tx.savedSnippets.size(Bob.id), { count: 0, characters: 0 });
      assert.equal(await tx.savedSnippets.get(Bob.id, id), undefined);
      assert.equal(await tx.savedSnippets.update(Bob.id, id, { title: 'B' }), undefined);
      assert.equal(await tx.savedSnippets.remove(Bob.id, id), false);
      assert.deepEqual(await tx.savedSnippets.update(Ada.id, id, {}), both[0]);
      assert.deepEqual(await tx.savedSnippets.update(Ada.id, id, { title: 'B' }), { ...both[0], title: 'B' });
      assert.equal(await tx.savedSnippets.remove(Ada.id, other), true);
      const next = await tx.savedSnippets.add(Ada.id, { title: 'C', content: 'd', date_created: 6 });
      assert.ok(next > other, 'no ID is used twice');
    });
  });

  test('navigation views are sorted and replaced by fragment, separately for each user', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const inbox = { fragment: 'inbox', is_pinned: true, name: null };
      const mine = { fragment: 'Inbox', is_pinned: false, name: 'Mine' };
      await tx.navigationViews.set(Ada.id, inbox);
      await tx.navigationViews.set(Ada.id, mine);
      await tx.navigationViews.set(Bob.id, { ...inbox, is_pinned: false });
      assert.deepEqual(await tx.navigationViews.of(Ada.id), [mine, inbox]);
      await tx.navigationViews.set(Ada.id, { ...mine, name: 'Ours', is_pinned: true });
      assert.deepEqual(await tx.navigationViews.of(Ada.id), [{ ...mine, name: 'Ours', is_pinned: true }, inbox]);
      assert.equal(await tx.navigationViews.remove(Bob.id, 'Inbox'), false);
      assert.equal(await tx.navigationViews.remove(Ada.id, 'inbox'), true);
      assert.deepEqual(await tx.navigationViews.of(Bob.id), [{ ...inbox, is_pinned: false }]);
    });
  });
}
