import assert from 'node:assert/strict';
import { type Engine, testOn } from '../support/engines.ts';
import { openFounded } from './fixtures.ts';

const PREVIEW = { title: 'Soup “1”', description: '', image: 'https://a.example/p.png' };

/** Fetched pages of links, by the digest of their address. */
export function linkPreviewsContract(engine: Engine): void {
  const test = testOn(engine);

  test('a page is claimed by one account until the claim ends, and then by another', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async ({ linkPreviews }) => {
      assert.equal(await linkPreviews.nextExpiry(), undefined);
      assert.deepEqual(await linkPreviews.claim([], { account_id: 1, now: 100, untilMs: 200 }), []);
      assert.deepEqual((await linkPreviews.claim(['b', 'a'], { account_id: 1, now: 100, untilMs: 200 })).sort(), [
        'a',
        'b',
      ]);
      assert.deepEqual(await linkPreviews.claim(['a', 'c'], { account_id: 2, now: 199, untilMs: 300 }), ['c']);
      assert.deepEqual(await linkPreviews.byKeys(['a'], 199), [{ key: 'a', is_fetched: false, preview: null }]);
      assert.deepEqual(await linkPreviews.byKeys(['a'], 200), []);
      assert.deepEqual(await linkPreviews.claimedSince(1, 100), { own: 2, all: 3 });
      assert.deepEqual(await linkPreviews.claim(['a'], { account_id: 2, now: 200, untilMs: 300 }), ['a']);
      assert.deepEqual(await linkPreviews.claimedSince(1, 100), { own: 1, all: 3 });
      assert.deepEqual(await linkPreviews.claimedSince(2, 200), { own: 1, all: 1 });
    });
  });

  test('a fetched page is known until it expires, with or without a preview', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async ({ linkPreviews }) => {
      await linkPreviews.claim(['a', 'b'], { account_id: 1, now: 100, untilMs: 200 });
      await linkPreviews.store({ key: 'a', preview: PREVIEW, now: 150, expires_ms: 1_000 });
      await linkPreviews.store({ key: 'b', preview: null, now: 150, expires_ms: 500 });
      assert.equal(await linkPreviews.nextExpiry(), 500);
      const known = await linkPreviews.byKeys(['b', 'a', 'c'], 499);
      assert.deepEqual(
        known.sort((one, other) => (one.key < other.key ? -1 : 1)),
        [
          { key: 'a', is_fetched: true, preview: PREVIEW },
          { key: 'b', is_fetched: true, preview: null },
        ],
      );
      assert.deepEqual(await linkPreviews.claim(['a'], { account_id: 1, now: 999, untilMs: 2_000 }), []);
      assert.equal(await linkPreviews.removeExpired(499, 10), 0);
      assert.equal(await linkPreviews.removeExpired(1_000, 1), 1);
      assert.equal(await linkPreviews.nextExpiry(), 1_000);
      assert.deepEqual(await linkPreviews.claim(['a'], { account_id: 1, now: 1_000, untilMs: 2_000 }), ['a']);
      assert.deepEqual(await linkPreviews.byKeys(['a'], 1_000), [{ key: 'a', is_fetched: false, preview: null }]);
    });
  });
}
