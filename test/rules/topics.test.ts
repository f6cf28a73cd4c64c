import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codePoints } from '../../lib/base/schemas.ts';
import { shownTopic, storedTopic, truncate } from '../../lib/rules/topics.ts';
import { anyText } from '../support/any-text.ts';

const EMPTY = 'general chat';
const ORGANIZATION = { settings: {} };

test('a topic is trimmed', () => {
  assert.equal(storedTopic('  ghosts ', ORGANIZATION, {}), 'ghosts');
});

test('the value (no topic) and the display name of the empty topic are the empty topic', () => {
  for (const topic of ['', '  ', '(no topic)', ' (no topic) ', EMPTY])
    assert.equal(storedTopic(topic, ORGANIZATION, {}), '');
  assert.equal(storedTopic('(No Topic)', ORGANIZATION, {}), '(No Topic)');
  assert.equal(storedTopic(EMPTY, { settings: { empty_topic_display_name: 'misc' } }, {}), EMPTY);
});

test('a topic too long is refused, or cut to 60 characters', () => {
  assert.equal(storedTopic('x'.repeat(60), ORGANIZATION, {}), 'x'.repeat(60));
  assert.equal(storedTopic('🎭'.repeat(60), ORGANIZATION, {}), '🎭'.repeat(60));
  const refusal = { code: 'BAD_REQUEST', message: /limit: 60 characters/ };
  for (const terms of [{}, { truncate: false }])
    assert.throws(() => storedTopic('x'.repeat(61), ORGANIZATION, terms), refusal);
  const truncate = true;
  assert.equal(storedTopic('x'.repeat(61), ORGANIZATION, { truncate }), `${'x'.repeat(57)}...`);
  assert.equal(storedTopic('🎭'.repeat(61), ORGANIZATION, { truncate }), `${'🎭'.repeat(57)}...`);
});

test('a topic with characters that cannot be shown is refused with the position of the character', () => {
  assert.throws(() => storedTopic('gh\u0007ost', ORGANIZATION, {}), { code: 'BAD_REQUEST', message: /Character 3/ });
});

test('cutting never exceeds the limit, never splits a character and leaves short texts alone', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 40 }), fc.integer({ min: 3, max: 30 }), (text, max) => {
      const cut = truncate(text, max, '...');
      assert.ok(codePoints(cut) <= max);
      if (codePoints(text) <= max) assert.equal(cut, text);
      else {
        assert.ok(cut.endsWith('...'));
        assert.ok(text.startsWith(cut.slice(0, -3)));
        assert.equal(codePoints(cut), max);
      }
    }),
  );
});

test('clients without empty_topic_name get the display name of the empty topic', () => {
  assert.equal(shownTopic('', ORGANIZATION), EMPTY);
  assert.equal(shownTopic('ghosts', ORGANIZATION), 'ghosts');
});
