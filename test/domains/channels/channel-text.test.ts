import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelDescription, channelName } from '../../../lib/domains/channels/channel-settings.ts';

test('a channel name is trimmed and has 1 to 60 characters that can be shown', () => {
  assert.equal(channelName('  Denmark '), 'Denmark');
  assert.equal(channelName('🎭'.repeat(60)), '🎭'.repeat(60));
  for (const name of ['', '  ', 'x'.repeat(61), '🎭'.repeat(61), 'a\u0000b', 'a\u009fb'])
    assert.throws(() => channelName(name), { code: 'BAD_REQUEST' });
});

test('a channel description is one line', () => {
  assert.equal(channelDescription('one\ntwo\r\nthree\rfour ', []).description, 'one two three four');
});
