import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emojiData } from '../../../lib/markdown/inline/emoji.ts';
import { emojiAt, FIRST_OF_GROUPS, withTone } from '../../../lib/panel/composer/emoji-groups.ts';

describe('groups of emoji', () => {
  it('all begin in the table of the server, in this order', () => {
    const codes = [...`${emojiData().json}`.matchAll(/"([\da-f-]+)":\[/g)].map(([, code]) => code as string);
    assert.deepEqual(
      codes.filter((code) => FIRST_OF_GROUPS.has(code)),
      [...FIRST_OF_GROUPS.keys()],
    );
    assert.equal(codes[0], [...FIRST_OF_GROUPS.keys()][0]);
    // The last of each group.
    const lastOf = (first: string) => codes[codes.indexOf(first) - 1];
    assert.deepEqual([lastOf('1f435'), lastOf('1f347')], ['1f463', '1f344']);
  });

  it('are rows of eight for the arrow keys', () => {
    // Rows: 0 to 7, 8 to 9, 10 to 12.
    const moves = [
      ['ArrowDown', 1, 9],
      ['ArrowDown', 5, 9],
      ['ArrowDown', 8, 10],
      ['ArrowDown', 12, 12],
      ['ArrowUp', 12, 9],
      ['ArrowUp', 9, 1],
      ['ArrowUp', 3, -1],
      ['Next', 9, 10],
      ['Next', 12, 12],
      ['Previous', 10, 9],
      ['Home', 7, 0],
      ['End', 7, 12],
      ['x', 7, undefined],
    ] as const;
    for (const [key, at, to] of moves) assert.equal(emojiAt(key, at, [10, 3], 8), to, `${key} at ${at}`);
  });

  it('have skin tones for hands and single persons only', () => {
    assert.equal(withTone('👋', 3), '👋🏽');
    assert.equal(withTone('☝️', 1), '☝🏻');
    assert.equal(withTone('🧑‍🚀', 5), '🧑🏿‍🚀');
    for (const character of ['😀', '🐵', '👨‍👩‍👧', '👩‍❤️‍👨']) assert.equal(withTone(character, 3), undefined, character);
    assert.equal(withTone('👋', 0), undefined);
  });
});
