import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Message, Place } from '../../../lib/client/store/types.ts';
import { isSameRow, rowsOf, unreadLineOf } from '../../../lib/panel/messages/rows.ts';
import { arranged as arrangedResults } from '../../../lib/panel/messages/surroundings.ts';

const LUNCH: Place = { channelId: 4, topic: 'lunch' };
const NOON = Date.UTC(2026, 2, 3, 12) / 1000;

const message = (id: number, given: Partial<Message> = {}): Message => ({
  ...{ id, place: LUNCH, sender_id: 9, sender_full_name: 'Ada', avatar_url: null, timestamp: NOON + id },
  ...{ content: '<p>Hi</p>', is_me_message: false, reactions: [], flags: new Set(['read']) },
  ...{ submessages: [], isStale: false },
  ...given,
});

const OPTIONS = {
  unreadLine: undefined,
  hasPlaces: false,
  muted: new Set<number>(),
  dayKey: (at: number) => new Date(at).toISOString().slice(0, 10),
};

/** `day`, `unread`, `place`. `1` is message 1 with its sender, and `+2` continues the previous message. */
const kinds = (messages: readonly Message[], options: Partial<Parameters<typeof rowsOf>[1]> = {}) =>
  rowsOf(messages, { ...OPTIONS, ...options }).map((row) =>
    row.kind === 'message' ? `${row.hasSender ? '' : '+'}${row.message.id}` : row.kind,
  );

describe('rows of messages', () => {
  it('show the sender once for messages of one sender within five minutes', () => {
    const messages = [message(1), message(2), message(3, { sender_id: 10 }), message(400), message(900)];
    assert.deepEqual(kinds(messages), ['day', '1', '+2', '3', '400', '900']);
    assert.deepEqual(kinds([message(1), message(299)]), ['day', '1', '+299']);
    assert.deepEqual(kinds([message(1), message(301)]), ['day', '1', '301']);
    assert.deepEqual(kinds([message(1, { is_me_message: true }), message(2)]), ['day', '1', '2']);
  });

  it('show the sender again after a day, a new channel or topic, and the unread line', () => {
    const tomorrow = message(2, { timestamp: NOON + 86_400 });
    assert.deepEqual(kinds([message(1), tomorrow]), ['day', '1', 'day', '2']);
    assert.deepEqual(kinds([message(1), message(2)], { unreadLine: 2 }), ['day', '1', 'unread', '2']);
    const elsewhere = message(2, { place: { channelId: 4, topic: 'dinner' } });
    assert.deepEqual(kinds([message(1), elsewhere], { hasPlaces: true }), ['day', 'place', '1', 'place', '2']);
    const other = message(2, { place: { channelId: 4, topic: 'LUNCH' } });
    assert.deepEqual(kinds([message(1), other], { hasPlaces: true }), ['day', 'place', '1', '+2']);
  });

  it('are hidden while their sender is muted, and rendered again when that changes', () => {
    const hidden = (muted: number[]) =>
      rowsOf([message(1), message(2, { sender_id: 10 })], { ...OPTIONS, muted: new Set(muted) });
    const [, first, second] = hidden([9]);
    assert.deepEqual(
      [first, second].map((row) => row?.kind === 'message' && row.isHidden),
      [true, false],
    );
    const [, shown, same] = hidden([]);
    assert.ok(first && shown && second && same);
    assert.deepEqual([isSameRow(first, shown), isSameRow(second, same)], [false, false]);
  });

  it('have unique keys that stay when older messages load', () => {
    const later = rowsOf([message(2), message(3)], OPTIONS).map(({ key }) => key);
    const all = rowsOf([message(1), message(2), message(3)], OPTIONS).map(({ key }) => key);
    assert.deepEqual(later.slice(1), ['2', '3']);
    assert.deepEqual(all.slice(2), ['2', '3']);
    assert.equal(new Set(all).size, all.length);
  });
});

describe('the line of new messages', () => {
  const unread = (id: number) => message(id, { flags: new Set() });
  const reading = { isReading: true, isNew: false };
  const away = { isReading: false, isNew: false };

  it('is at the first unread message when the reader opens the list, and stays while they read', () => {
    assert.equal(unreadLineOf(undefined, [message(1), unread(2), unread(3)], { isReading: true, isNew: true }), 2);
    assert.equal(unreadLineOf(2, [message(1), message(2), unread(3)], reading), 2);
    assert.equal(unreadLineOf(undefined, [message(1), unread(2)], reading), undefined);
  });

  it('moves to messages that arrive while the reader is away', () => {
    assert.equal(unreadLineOf(undefined, [message(1), unread(2)], away), 2);
    assert.equal(unreadLineOf(2, [message(1), message(2), unread(3)], away), 3);
    assert.equal(unreadLineOf(2, [message(1), unread(2), unread(3)], away), 2);
    assert.equal(unreadLineOf(3, [unread(1), unread(3)], away), 1);
  });
});

describe('results of a search', () => {
  const result = (id: number) => message(id, { content: '<p>found</p>' });
  const all = Array.from({ length: 20 }, (_, index) => message(index + 1));

  it('have their place above each of them, also next to another result', () => {
    const { messages, ...arranged } = arrangedResults([result(5), result(6)], () => []);
    assert.deepEqual(kinds(messages, { hasPlaces: true, ...arranged }), ['day', 'place', '5', 'place', '6']);
  });

  it('have two messages before and after them when they are open, each message once', () => {
    const { messages, ...arranged } = arrangedResults([result(5), result(8)], () => all);
    assert.deepEqual(kinds(messages, { hasPlaces: true, ...arranged }), [
      ...['day', 'place', '3', '+4', '+5', '+6', '+7'],
      ...['place', '8', '+9', '+10'],
    ]);
    assert.deepEqual([...arranged.around], [3, 4, 6, 7, 9, 10]);
    const places = rowsOf(messages, { ...OPTIONS, ...arranged }).filter((row) => row.kind === 'place');
    assert.deepEqual(
      places.map((row) => row.kind === 'place' && row.messageId),
      [5, 8],
    );
  });

  it('are rendered again when they become the surroundings of another one', () => {
    const row = (id: number, around: number[]) =>
      rowsOf([message(id)], { ...OPTIONS, heads: new Map(), around: new Set(around) })[1];
    const [before, after] = [row(1, []), row(1, [1])];
    assert.ok(before && after && !isSameRow(before, after));
  });
});
