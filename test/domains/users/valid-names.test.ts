import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullName, users } from '../../../lib/domains/users/names.ts';

const NAMES: readonly (readonly [given: string, name: string])[] = [
  ['Ben Ngo', 'Ben Ngo'],
  ['b', 'b.'],
  ['', 'Unnamed'],
  ['*', 'Unnamed'],
  ['`', 'Unnamed'],
  ['*ben@corp*', 'ben corp'],
  ['CORP\\ben', 'CORP ben'],
  ['ben|12', 'ben 12'],
  ['|12', '12'],
  ['|', '|.'],
  ['😀', '😀.'],
  ['👩\u200d🚀', '👩🚀'],
  ['علی\u200cرضا', 'علی\u200cرضا'],
  ['ක්\u200dරිස්ටි', 'ක්\u200dරිස්ටි'],
  ['Ben\u200c Ng\u200do', 'Ben Ngo'],
  ['Ann\u3164', 'Ann'],
  ['\u2800\u2800', 'Unnamed'],
  ['Zoe\u0308', 'Zo\u00eb'],
  ['Ben\u0000\n\tNgo\ud800', 'Ben Ngo'],
  ['x'.repeat(300), 'x'.repeat(100)],
  [`${'x'.repeat(98)}|123`, `${'x'.repeat(98)} 1`],
  ['😀'.repeat(300), '😀'.repeat(100)],
];

test('any text becomes a name that is accepted', () => {
  for (const [given, name] of NAMES) {
    assert.equal(users.toValidName(given), name);
    assert.equal(fullName(name), name);
    assert.equal(users.toValidName(name), name);
  }
});

test('every character becomes part of an accepted name, or is left out', () => {
  for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 61) {
    const character = String.fromCodePoint(code);
    for (const given of [character, `a${character}b`, `a${character}1`]) {
      const name = users.toValidName(given);
      assert.equal(fullName(name), name, `U+${code.toString(16)}`);
    }
  }
});
