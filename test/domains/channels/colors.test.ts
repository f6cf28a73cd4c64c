import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLOR_PATTERN, channelColor, fullColor } from '../../../lib/domains/channels/colors.ts';

test('every channel has a colour as clients take it', () => {
  for (let id = 0; id < 60; id++) assert.match(channelColor(id), /^#[0-9a-f]{6}$/);
});

test('a short colour is written out, in lower case', () => {
  assert.equal(fullColor('#AbC'), '#aabbcc');
  assert.equal(fullColor('#A6C7E5'), '#a6c7e5');
});

test('a text in another form is not a colour', () => {
  for (const text of ['abc', '#ab', '#abcd', '#abcdefa', '#ggg', '#abc\n']) assert.ok(!COLOR_PATTERN.test(text), text);
});
