import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReadBySender } from '../../../../lib/domains/messages/posting/post-message.ts';

test('programs through which people read count their own messages as read', () => {
  for (const client of ['website', 'ZulipMobile', 'ZulipFlutter', 'ZulipTerminal', 'ZulipElectron', 'My Desktop App']) {
    assert.equal(isReadBySender(client), true, client);
  }
});

test('scripts and bots do not count their own messages as read', () => {
  for (const client of ['ZulipPython', 'curl', 'Parlance', 'Unspecified', '']) {
    assert.equal(isReadBySender(client), false, client);
  }
});
