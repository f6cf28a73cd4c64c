import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLOR_PATTERN, channelColor, fullColor } from '../../../lib/domains/channels/subscribing.ts';

test('every default channel color is #rrggbb', () => {
  for (let id = 0; id < 60; id++) assert.match(channelColor(id), /^#[0-9a-f]{6}$/);
});

test('a short color is expanded, and both forms become lower case', () => {
  assert.equal(fullColor('#AbC'), '#aabbcc');
  assert.equal(fullColor('#A6C7E5'), '#a6c7e5');
});

test('text in another form is not a color', () => {
  for (const text of ['abc', '#ab', '#abcd', '#abcdefa', '#ggg', '#abc\n']) assert.ok(!COLOR_PATTERN.test(text), text);
});
