import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChunkList } from '../../lib/base/chunk-list.ts';

const MEBIBYTE = 1024 * 1024;

test('pieces of a byte each take about as much memory as they have bytes', () => {
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

test('pieces of all sizes come out in the order in which they came, and once', () => {
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

test('what has been taken is not written over, and what comes in one piece is not copied', () => {
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
