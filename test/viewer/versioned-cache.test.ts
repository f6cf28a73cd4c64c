import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VersionedCache } from '../../lib/viewer/versioned-caches.ts';

describe('VersionedCache', () => {
  test('an entry of a versioned cache is returned for its own version only', () => {
    const cache = new VersionedCache<string, number>(10);
    cache.keep(1, 'a', 7);
    assert.deepEqual([cache.get(0, 'a'), cache.get(1, 'a'), cache.get(2, 'a')], [undefined, 7, undefined]);
  });

  test('a newer version empties a versioned cache', () => {
    const cache = new VersionedCache<string, number>(10);
    cache.keep(1, 'a', 7);
    cache.keep(2, 'b', 8);
    assert.deepEqual([cache.get(2, 'a'), cache.get(2, 'b')], [undefined, 8]);
  });

  test('an entry of an older version is not cached', () => {
    const cache = new VersionedCache<string, number>(10);
    cache.keep(2, 'a', 7);
    cache.keep(1, 'a', 8);
    assert.equal(
      cache.entry(1, 'b', () => 9),
      undefined,
    );
    assert.deepEqual([cache.get(2, 'a'), cache.get(1, 'a')], [7, undefined]);
  });

  test('a full versioned cache is emptied, and replacing an entry does not count', () => {
    const cache = new VersionedCache<string, number>(2);
    cache.keep(1, 'a', 1);
    cache.keep(1, 'b', 2);
    cache.keep(1, 'b', 3);
    assert.deepEqual([cache.get(1, 'a'), cache.get(1, 'b')], [1, 3]);
    cache.keep(1, 'c', 4);
    assert.deepEqual([cache.get(1, 'a'), cache.get(1, 'b'), cache.get(1, 'c')], [undefined, undefined, 4]);
  });

  test('each element added to an entry counts against the size of a versioned cache', () => {
    const cache = new VersionedCache<string, Set<number>>(2);
    for (const thing of [1, 2]) cache.entry(1, 'a', () => new Set())?.add(thing);
    assert.equal(cache.get(1, 'a')?.size, 2);
    cache.entry(1, 'a', () => new Set())?.add(3);
    assert.deepEqual([...(cache.get(1, 'a') ?? [])], [3]);
  });
});
