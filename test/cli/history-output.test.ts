import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { changeOfTopic, type Message } from '../../cli/output/conversation.ts';
import { history, markedChanges, type Version, wordDiff } from '../../cli/output/history.ts';
import { moment } from '../../cli/output/text.ts';
import { terminal } from './terminals.ts';

const diff = (before: string, after: string) => markedChanges(wordDiff(before, after), terminal());

describe('the diff of two texts', () => {
  it('is by words, and joins adjacent changes', () => {
    assert.deepEqual(diff('Soup *today*.', 'Soup *tomorrow*.'), ['Soup *[-today-]{+tomorrow+}*.']);
    assert.deepEqual(diff('a big red car', 'a small blue car'), ['a [-big red-]{+small blue+} car']);
    assert.deepEqual(diff('one two three', 'uno three'), ['[-one-]{+uno+} [-two -]three']);
    assert.deepEqual(diff('привет мир', 'привет всем'), ['привет [-мир-]{+всем+}']);
    assert.deepEqual(diff('I like 👩‍👩‍👧', 'I like 👍🏽'), ['I like [-👩‍👩‍👧-]{+👍🏽+}']);
  });

  it('shows added and removed line breaks', () => {
    assert.deepEqual(diff('one two', 'one\ntwo'), ['one[- -]{+⏎+}', 'two']);
    assert.deepEqual(diff('one', 'one\n\ntwo'), ['one', '{+⏎+}', '{+two+}']);
  });

  it('omits long unchanged parts and gives their number of lines', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = [...before];
    after[10] = 'line ten';
    assert.deepEqual(diff(before.join('\n'), after.join('\n')), [
      '⋮ 8 unchanged lines',
      'line 8',
      'line 9',
      'line [-10-]{+ten+}',
      'line 11',
      'line 12',
      '⋮ 7 unchanged lines',
    ]);
    assert.deepEqual(diff('a\n1\n2\n3', 'b\n1\n2\n3'), ['[-a-]{+b+}', '1', '2', '3']);
    assert.deepEqual(diff('a\n1\n2\n3\n4', 'b\n1\n2\n3\n4'), ['[-a-]{+b+}', '1', '2', '⋮ 2 unchanged lines']);
  });

  it('uses colors on a terminal with colors', () => {
    const changes = wordDiff('a b', 'a c\nd');
    assert.deepEqual(markedChanges(changes, terminal(undefined, { colours: true })), [
      'a \u001b[31m\u001b[9mb\u001b[29m\u001b[39m\u001b[32m\u001b[4mc\u001b[24m\u001b[39m',
      '\u001b[32m\u001b[4md\u001b[24m\u001b[39m',
    ]);
  });

  it('replaces control characters', () => {
    assert.deepEqual(diff('a \u001b[31mx', 'a \u001b[32mx'), ['a \ufffd[[-31mx-]{+32mx+}']);
  });

  it('contains both texts completely, for any texts and any limit', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'word', ' ', '  ', '\n', '*', '漢', 'é', '👍🏽', '\r\n'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 1, 5, 1_000), (before, after, reach) => {
        const changes = wordDiff(before, after, reach);
        const without = (kind: string) =>
          changes
            .filter((each) => each.kind !== kind)
            .map((each) => each.text)
            .join('');
        assert.equal(without('inserted'), before);
        assert.equal(without('deleted'), after);
      }),
    );
  });

  it('replaces the whole text if too much changed', () => {
    const words = (from: number) => Array.from({ length: 2_000 }, (_, index) => `w${from + index}`).join(' ');
    assert.deepEqual(
      wordDiff(words(0), words(5_000)).map(({ kind }) => kind),
      ['deleted', 'inserted'],
    );
  });
});

describe('a topic change in the history', () => {
  it('is a resolution if only the check mark changes', () => {
    assert.equal(changeOfTopic('lunch', '✔ lunch'), 'marked the topic as resolved');
    assert.equal(changeOfTopic('✔ lunch', 'lunch'), 'marked the topic as unresolved');
    assert.equal(changeOfTopic('lunch', '✔ dinner'), 'changed the topic from "lunch" to "✔ dinner"');
  });
});

describe('a message history', () => {
  const message: Message = {
    id: 7,
    type: 'stream',
    sender_id: 4,
    sender_full_name: 'Ada',
    timestamp: 60,
    content: 'two',
    subject: 'b',
    display_recipient: 'kitchen',
    stream_id: 2,
  };
  const known = { message, person: (id: number) => `P${id}`, channel: (id: number) => `C${id}` };
  const told = (versions: Partial<Version>[], about: Message | undefined = message) =>
    history(
      versions.map((version) => ({ topic: 'b', content: 'two', timestamp: 60, user_id: 4, ...version })),
      { ...known, message: about },
      terminal(),
    ).replaceAll(moment(60), 'THEN');

  it('names sender, editors, moves and their places', () => {
    assert.equal(
      told(
        [
          { topic: 'a', content: 'one' },
          { topic: 'b', prev_topic: 'a', stream: 2, prev_stream: 1, content: 'one', user_id: 5 },
          { prev_content: 'one', content: 'two', user_id: null },
          { topic: 'c', prev_topic: 'b', prev_content: 'two', content: 'two.' },
        ],
        { ...message, last_edit_timestamp: 61 },
      ),
      [
        'THEN  P4 sent it to "C1 > a"',
        '    one',
        '',
        'THEN  P5 moved it from "C1 > a" to "C2 > b"',
        '',
        'THEN  Unknown user edited it',
        '    [-one-]{+two+}',
        '',
        'THEN  P4 edited it and changed the topic from "b" to "c"',
        '    two{+.+}',
      ].join('\n'),
    );
  });

  it('does not show the current text as the original if edits are hidden', () => {
    assert.equal(
      told([{}], { ...message, last_edit_timestamp: 61 }),
      'THEN  P4 sent it to "kitchen > b"\n\nThis organization does not show edits of the text.',
    );
  });

  it('names the other users of a direct message', () => {
    const people = [
      { id: 4, full_name: 'Ada' },
      { id: 5, full_name: 'Ben' },
    ];
    assert.match(told([{}], { ...message, display_recipient: people }), /sent it to Ben\n/);
    assert.match(told([{}], { ...message, display_recipient: people.slice(0, 1) }), /sent it to themselves\n/);
  });

  it('is shown without the message if it cannot be read any more', () => {
    assert.equal(
      history(
        [{ topic: 'b', content: 'two', timestamp: 60, user_id: 4 }],
        { ...known, message: undefined },
        terminal(),
      ),
      `${moment(60)}  P4 sent it\n    two`,
    );
  });

  it('has coarser diffs for a text with many edits, so that the work is bounded', () => {
    // Every second word changes: 300 deletions and 300 insertions.
    const text = (at: number) => Array.from({ length: 300 }, (_, index) => `w${at}x${index} same`).join(' ');
    const versions = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        content: text(index),
        ...(index === 0 ? {} : { prev_content: text(index - 1) }),
      }));
    assert.equal(told(versions(2)).split('[-').length - 1, 300);
    assert.equal(told(versions(101)).split('[-').length - 1, 100);
  });
});
