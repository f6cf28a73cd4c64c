import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChunkList } from '../../lib/base/bytes.ts';

const MEBIBYTE = 1024 * 1024;

test('a ChunkList of one-byte chunks takes about as much memory as its bytes', () => {
  const list = new ChunkList();
  const bytes = Buffer.from('abcdefg'.repeat(MEBIBYTE / 7 + 1)).subarray(0, MEBIBYTE);
  for (let at = 0; at < bytes.length; at++) list.add(Buffer.from([bytes[at] as number]));
  assert.equal(list.size, MEBIBYTE);
  const pieces = list.take();
  assert.ok(pieces.length < 40, `${pieces.length} pieces`);
  const held = [...new Set(pieces.map(({ buffer }) => buffer))].reduce((sum, one) => sum + one.byteLength, 0);
  assert.ok(held < 1.2 * MEBIBYTE, `${held} bytes`);
  assert.ok(Buffer.concat(pieces).equals(bytes));
});

test('a ChunkList returns chunks of all sizes once and in order', () => {
  const list = new ChunkList();
  let next = 0;
  for (let round = 0; round < 50; round++) {
    const given: Buffer[] = [];
    for (const size of [1, 3, 5_000, 255, 1, 4_095, 4_096, 70_000, 2, 0, 1]) {
      const piece = Buffer.alloc(size, next++ % 251);
      given.push(Buffer.from(piece));
      list.add(piece);
    }
    assert.ok(Buffer.concat(list.take()).equals(Buffer.concat(given)), `round ${round}`);
    assert.deepEqual([list.size, list.take()], [0, []]);
  }
});

test('a ChunkList neither overwrites taken chunks nor copies a single chunk', () => {
  const list = new ChunkList();
  for (const letter of 'abc') list.add(Buffer.from(letter));
  const taken = list.take();
  for (const letter of 'defgh') list.add(Buffer.from(letter));
  assert.equal(Buffer.concat(taken).toString(), 'abc');
  assert.equal(Buffer.concat(list.take()).toString(), 'defgh');
  const whole = Buffer.from('whole');
  list.add(whole);
  assert.equal(list.take()[0], whole);
});
