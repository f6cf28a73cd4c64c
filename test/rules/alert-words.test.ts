import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertWordKey, alertWordOpening, hasAlertWord, openingsIn } from '../../lib/rules/alert-words.ts';

test('an alert word is found after a longer word that begins or ends with it', () => {
  for (const text of ['skullduggery and a skull', 'numskull, skull!', 'skulls skulls (skull)'])
    assert.equal(hasAlertWord(text, 'skull'), true, text);
  for (const text of ['skullduggery', 'numskull skulls', 'skull-skull', ''])
    assert.equal(hasAlertWord(text, 'skull'), false, text);
});

test('the openings of a text contain the opening of each alert word in it', () => {
  const word = alertWordKey('To be');
  assert.equal(alertWordOpening(word), 'to');
  assert.ok(openingsIn('tobe or *to be').has(alertWordOpening(word)));
  assert.ok(!openingsIn('tobe or onto').has(alertWordOpening(word)));
});

test('an alert word is found between spaces, certain punctuation and the ends of the text', () => {
  const every = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
  const finding = (text: (sign: string) => string) =>
    every.filter((sign) => hasAlertWord(text(sign), 'skull')).join('');
  assert.equal(
    finding((sign) => `${sign}skull`),
    ` "'(*,.;>[\``,
  );
  assert.equal(
    finding((sign) => `skull${sign}`),
    ` !"')*,.:;?]\``,
  );
  for (const sign of every) {
    const text = `x${sign}skull${sign}x`;
    if (hasAlertWord(text, 'skull')) assert.ok(openingsIn(text).has('skull'), sign);
  }
  assert.equal(hasAlertWord('skull', ''), false);
  assert.equal(hasAlertWord('a\nskull\nb', 'skull'), true);
});

test('openings are at most as long as alert words can be', () => {
  for (const [length, isThere] of [
    [200, true],
    [201, false],
  ] as const)
    assert.equal(openingsIn(`a ${'x'.repeat(length)} b`).has('x'.repeat(length)), isThere);
  assert.ok(!openingsIn('a  b').has(' '));
});
