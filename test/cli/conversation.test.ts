import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conversation, type Message, reactionLine } from '../../cli/output/conversation.ts';
import { terminal } from './terminals.ts';

/** Local noon, so that the day is the same in any time zone. */
const NOON = Math.floor(new Date(2030, 0, 31, 12, 0).getTime() / 1000);
const MINUTE = 60;

function message(given: Partial<Message>): Message {
  return {
    id: 7,
    type: 'stream',
    sender_id: 4,
    sender_full_name: 'Ada',
    timestamp: NOON,
    content: 'Hello',
    subject: 'lunch',
    display_recipient: 'general',
    flags: ['read'],
    ...given,
  };
}

const shown = (messages: Partial<Message>[], columns?: number) =>
  conversation(messages.map(message), terminal(columns)).split('\n');

describe('the output of messages', () => {
  it('names the sender of consecutive messages once', () => {
    assert.deepEqual(
      shown([
        { id: 1 },
        { id: 2, timestamp: NOON + 10 * MINUTE },
        { id: 3, timestamp: NOON + 11 * MINUTE, sender_id: 5, sender_full_name: 'Ben' },
        { id: 4, timestamp: NOON + 12 * MINUTE },
        { id: 5, timestamp: NOON + 23 * MINUTE },
      ]),
      [
        'general > lunch',
        '— Thu 2030-01-31 —',
        '  Ada  12:00  #1',
        '    Hello',
        '  12:10  #2',
        '    Hello',
        '  Ben  12:11  #3',
        '    Hello',
        '  Ada  12:12  #4',
        '    Hello',
        '  Ada  12:23  #5',
        '    Hello',
      ],
    );
  });

  it('separates days, and has one heading for messages of one topic', () => {
    assert.deepEqual(shown([{ id: 1 }, { id: 2, timestamp: NOON + 24 * 60 * MINUTE }]), [
      'general > lunch',
      '— Thu 2030-01-31 —',
      '  Ada  12:00  #1',
      '    Hello',
      '',
      '— Fri 2030-02-01 —',
      '  Ada  12:00  #2',
      '    Hello',
    ]);
  });

  it('has a heading at each change of topic, and again on each day', () => {
    const person = (id: number, full_name: string) => ({ id, full_name });
    assert.deepEqual(
      shown([
        { id: 1 },
        { id: 2, subject: '' },
        { id: 3, subject: '', timestamp: NOON + 24 * 60 * MINUTE },
        { id: 4, display_recipient: [person(4, 'Ada'), person(5, 'B\nen')], timestamp: NOON + 24 * 60 * MINUTE },
      ]),
      [
        '— Thu 2030-01-31 —',
        'general > lunch',
        '  Ada  12:00  #1',
        '    Hello',
        '',
        'general > (no topic)',
        '  Ada  12:00  #2',
        '    Hello',
        '',
        '— Fri 2030-02-01 —',
        'general > (no topic)',
        '  Ada  12:00  #3',
        '    Hello',
        '',
        'direct: Ada, B ⏎ en',
        '  Ada  12:00  #4',
        '    Hello',
      ],
    );
  });

  it('marks unread, edited, moved, starred and mentioning messages', () => {
    const [, , ...lines] = shown([
      { id: 1, flags: [] },
      { id: 2, last_edit_timestamp: NOON, last_moved_timestamp: NOON, flags: ['read', 'starred'] },
      { id: 3, flags: ['mentioned', 'historical'] },
    ]);
    assert.deepEqual(
      lines.filter((line) => line.includes('#')),
      ['• Ada  12:00  #1', '  12:00  #2  edited, moved, starred', '• 12:00  #3  mentions you'],
    );
  });

  it('does not mark messages without flags as unread', () => {
    const { flags: _flags, ...bare } = message({});
    assert.equal(conversation([bare], terminal()).split('\n')[2], '  Ada  12:00  #7');
  });

  it('shows a /me message with its sender, and names the sender again after it', () => {
    assert.deepEqual(shown([{ id: 1, is_me_message: true, content: '/me waves' }, { id: 2 }]).slice(2), [
      '  12:00  #1',
      '    * Ada waves',
      '  Ada  12:00  #2',
      '    Hello',
    ]);
  });

  it('counts reactions by emoji, as characters if possible', () => {
    const unicode = (emoji_name: string, emoji_code: string) => ({
      emoji_name,
      emoji_code,
      reaction_type: 'unicode_emoji',
    });
    const custom = { emoji_name: 'parrot', emoji_code: '3', reaction_type: 'realm_emoji' };
    assert.equal(
      reactionLine([unicode('+1', '1f44d'), custom, unicode('+1', '1f44d'), unicode('heart', '2764')]),
      '👍 2  :parrot: 1  ❤️ 1',
    );
    assert.equal(reactionLine([unicode('flag', '1f1e9-1f1f0')]), '🇩🇰 1');
    assert.equal(reactionLine([unicode('no\u001bne', 'ffffff'), unicode('odd', '../etc')]), ':no\ufffdne: 1  :odd: 1');
    assert.equal(reactionLine([unicode('escape', '001b')]), '\ufffd 1');
  });

  it('wraps text within the indentation, and replaces control characters', () => {
    assert.deepEqual(
      shown([{ content: 'one two three\u001b[2J\n\nfour', sender_full_name: 'A\u009bda' }], 12).slice(2),
      ['  A\ufffdda  12:00  #7', '    one two', '    three\ufffd[2J', '', '    four'],
    );
  });
});
