import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codePoints } from '../../lib/base/schemas.ts';
import { unprintableAt } from '../../lib/rules/names.ts';
import { anyText } from '../support/any-text.ts';

test('lengths are counted in code points', () => {
  fc.assert(fc.property(anyText(), (text) => assert.equal(codePoints(text), [...text].length)));
  assert.equal(codePoints('🎭ä'), 2);
});

test('control characters, lone surrogates and the 66 non-characters cannot be shown', () => {
  assert.equal(unprintableAt('Hamlet, 王子 🎭'), undefined);
  assert.equal(unprintableAt('ab\ncd'), 3);
  assert.equal(unprintableAt('a\u007f'), 2);
  assert.equal(unprintableAt('🎭\u0085'), 2);
  assert.equal(unprintableAt('a\ud800'), 2);
  assert.equal(unprintableAt('\ufdd0'), 1);
  let nonCharacters = 0;
  for (let code = 0xa0; code <= 0x10ffff; code++) {
    if (code < 0xd800 || code > 0xdfff) nonCharacters += unprintableAt(String.fromCodePoint(code)) === 1 ? 1 : 0;
  }
  assert.equal(nonCharacters, 66);
});
