import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isExpired,
  isSigned,
  type MailPlace,
  mailboxOf,
  readMailAddress,
  replyExpiry,
} from '../../lib/rules/mail-addresses.ts';

const SIGNING = { secret: 'secret of the organization', keyGeneration: 1 };
const NOW = Date.UTC(2026, 10, 20, 9, 30);
const DAY_MS = 24 * 3_600_000;
const REPLY: MailPlace = {
  kind: 'reply',
  userId: 12,
  messageId: 123_456_789,
  conversationId: 4_711,
  expiresOn: replyExpiry(NOW),
};
const CHANNEL: MailPlace = { kind: 'channel', userId: 12, channelId: 3, senderId: 0 };

test('an address has its place and options back, whatever the case and the order', () => {
  for (const place of [REPLY, CHANNEL]) {
    const mailbox = mailboxOf(place, SIGNING);
    const read = readMailAddress(
      `${mailbox.toUpperCase()}+Prefer-HTML+show-sender+x@Reply.Example.com`,
      'reply.example.com',
    );
    assert.deepEqual(read?.place, place);
    assert.deepEqual([...(read?.options ?? [])], ['show-sender', 'prefer-html']);
    assert.ok(read && isSigned(read, SIGNING));
  }
});

test('an address with large numbers fits into the 64 characters that mail servers must accept', () => {
  const large = { userId: 10_000_000, messageId: 10_000_000_000, conversationId: 100_000_000 };
  const mailbox = mailboxOf({ kind: 'reply', ...large, expiresOn: replyExpiry(NOW) }, SIGNING);
  assert.ok(mailbox.length <= 64, mailbox);
});

test('an address of another place, account, organization or API key is not signed', () => {
  const mailbox = mailboxOf(REPLY, SIGNING);
  const signed = (address: string, signing = SIGNING) => {
    const read = readMailAddress(`${address}@x.org`, 'x.org');
    return read !== undefined && isSigned(read, signing);
  };
  assert.ok(signed(mailbox));
  assert.equal(signed(mailbox, { ...SIGNING, secret: 'another' }), false);
  assert.equal(signed(mailbox, { ...SIGNING, keyGeneration: 2 }), false);
  assert.equal(signed(mailbox.replace(/^rc-/, 'rd-')), false);
  assert.equal(signed(mailbox.replace(/^r/, 'c')), false);
  for (let at = 0; at < mailbox.length; at++) {
    const changed = `${mailbox.slice(0, at)}${mailbox[at] === '1' ? '2' : '1'}${mailbox.slice(at + 1)}`;
    assert.equal(signed(changed), false, changed);
  }
});

test('texts that are no addresses of the chat are none', () => {
  const { length } = mailboxOf(REPLY, SIGNING);
  const texts = [
    '',
    '@x.org',
    'ada@x.org',
    `${'r'.repeat(length)}@x.org`,
    `${mailboxOf(REPLY, SIGNING)}@x.org.evil.com`,
    `${'z-'.repeat(100_000)}@x.org`,
  ];
  for (const text of texts) assert.equal(readMailAddress(text, 'x.org'), undefined, text.slice(0, 80));
});

test('a reply works for 30 days', () => {
  assert.equal(isExpired(REPLY, NOW + 30 * DAY_MS), false);
  assert.equal(isExpired(REPLY, NOW + 31 * DAY_MS), true);
  assert.equal(isExpired(CHANNEL, NOW + 1_000 * DAY_MS), false);
});
