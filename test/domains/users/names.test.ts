import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fullName, isEmailAddress } from '../../../lib/domains/users/names.ts';

const refused = (work: () => unknown) => assert.throws(work, { code: 'BAD_REQUEST' });

test("a person's name has 2 to 100 characters and none of the forbidden ones", () => {
  assert.equal(fullName(' Cordelia, Lear’s daughter '), 'Cordelia, Lear’s daughter');
  assert.equal(fullName('Hamlet | Denmark'), 'Hamlet | Denmark');
  for (const name of ['H', 'x'.repeat(101), 'a*b', 'a`b', 'a\\b', 'a>b', 'a"b', 'a@b', 'a\tb', 'Hamlet|7']) {
    refused(() => fullName(name));
  }
});

test('H8: a name with invisible characters, or with characters that change the display of others, is refused', () => {
  for (const sign of ['\u202E', '\u200B', '\u2066', '\uFEFF', '\u00AD', '\uE000', '\u0378'])
    refused(() => fullName(`Ham${sign}let`));
  assert.equal(fullName('Ольга 山田'), 'Ольга 山田');
});

test('a joiner is accepted in a name where its script needs one, and refused elsewhere', () => {
  for (const name of ['علی\u200cرضا', 'Ali علی\u200cرضا', 'ක්\u200dරිස්ටි', 'क्\u200cष', 'مَ\u200cمَ', 'x ක්\u200dරි ක්\u200dරි'])
    assert.equal(fullName(name), name);
  for (const name of [
    'Ham\u200clet',
    'Ham\u200dlet',
    'علی\u200dرضا',
    'علی\u200c\u200cرضا',
    'دار\u200cا',
    'علی\u200c',
    '\u200cعلی',
    '👩\u200d🚀',
  ])
    refused(() => fullName(name));
});

test('a name has one spelling, and no letters or signs without ink', () => {
  assert.equal(fullName('Zoe\u0308'), 'Zo\u00eb');
  assert.equal(fullName('Ann ❤\ufe0f'), 'Ann ❤\ufe0f');
  for (const name of ['Ann\u3164', 'Ann\u2800Lee', '\uffa0\uffa0', 'An\u034fn', '\ufe0f\ufe0f'])
    refused(() => fullName(name));
});

describe('e-mail addresses', () => {
  for (const address of [
    'a@b',
    'hamlet@example.com',
    'Ham.let+dk@sub.example.co',
    "o'hara@localhost",
    'ä@example.com',
    'a@otherusers.invalid',
    'å.straße.王子@bücher.example',
  ]) {
    test(`${address} is accepted`, () => assert.ok(isEmailAddress(address)));
  }
  for (const address of [
    '',
    'hamlet',
    '@example.com',
    'hamlet@',
    'a b@example.com',
    'a@b@c',
    'a@-b.com',
    'a@b-.com',
    'a@b..com',
    'a@b.com.',
    'a,b@example.com',
    '<a@example.com>',
    'a@example.com\n',
    `${'x'.repeat(250)}@example.com`,
    'a@users.invalid',
    'a@Users.INVALID',
    'a@sub.users.invalid',
    'a@users\u3002invalid',
    '\u212Aate@example.com',
    '\u212Bsa@example.com',
    'a\u030A@example.com',
    'kate@\u212Aelvin.example',
    '\uFF4Bate@example.com',
  ]) {
    test(`${JSON.stringify(address.slice(0, 30))} is refused`, () => assert.ok(!isEmailAddress(address)));
  }
});
