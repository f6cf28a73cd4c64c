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
