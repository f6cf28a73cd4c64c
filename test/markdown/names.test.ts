import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { lexerName } from '../../lib/markdown/code-block.ts';
import { EMOJI } from '../../lib/markdown/data/emoji.ts';
import { canonicalName, emojiByName, emojiNameOf, namesOfCode } from '../../lib/markdown/inline/emoji.ts';
import { alertText } from '../../lib/markdown/plain-text.ts';
import { hasAlertWord } from '../../lib/rules/alert-words.ts';

const TABLE = EMOJI.trim()
  .split('\n')
  .map((line) => line.split(' '));

describe('names of emoji', () => {
  it('emoji names and aliases lead to codes', () => {
    assert.equal(emojiByName('smile'), '1f642');
    assert.equal(emojiByName('+1'), '1f44d');
    assert.equal(emojiByName('thumbs_up'), '1f44d');
    assert.equal(emojiByName('no such name'), undefined);
    assert.equal(emojiByName('constructor'), undefined);
  });

  it('emoji codes lead to names, the canonical one first', () => {
    assert.equal(canonicalName('1f44d'), '+1');
    assert.ok(namesOfCode('1f44d').includes('thumbs_up'));
    assert.deepEqual(namesOfCode('ffff'), []);
  });

  it('emoji names are found for characters, with or without variation selector, and for aliases', () => {
    assert.equal(emojiNameOf('👍'), '+1');
    assert.equal(emojiNameOf('thumbs_up'), '+1');
    assert.equal(emojiNameOf('❤️'), 'heart');
    assert.equal(emojiNameOf('❤'), 'heart');
    assert.equal(emojiNameOf('👍👍'), undefined);
    assert.equal(emojiNameOf(''), undefined);
  });

  it('emoji names are unique and consist of letters, digits, "_", "+" and "-"', () => {
    const names = TABLE.flatMap(([, ...names]) => names);
    assert.ok(names.length > 2500);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^[\p{L}\p{N}_+-]+$/u);
  });

  it('emoji codes are hexadecimal and have no variation selector', () => {
    for (const [code = ''] of TABLE) {
      assert.match(code, /^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/);
      assert.ok(!code.includes('fe0f'), code);
    }
  });
});

describe('names of programming languages', () => {
  it('names of programming languages are those of Pygments', () => {
    assert.equal(lexerName('js'), 'JavaScript');
    assert.equal(lexerName('py'), 'Python');
    assert.equal(lexerName('C++'), 'C++');
    assert.equal(lexerName('sh'), 'Bash');
    assert.equal(lexerName('klingon'), undefined);
  });
});

describe('alert words', () => {
  it('alert words match between spaces and punctuation, not inside words', () => {
    const text = alertText('The Deploy, said "release"; (rollback) now!');
    for (const word of ['deploy', 'release', 'rollback', 'now', 'the deploy'])
      assert.equal(hasAlertWord(text, word), true, word);
    for (const word of ['dep', 'oll', 'ploy', '']) assert.equal(hasAlertWord(text, word), false, word);
  });

  it('alert words are searched at every position', () => {
    assert.equal(hasAlertWord('redo undo do', 'do'), true);
    assert.equal(hasAlertWord('redo undo', 'do'), false);
  });

  it('alert words are found in quotes, but not in fenced code and formulas', () => {
    const text = alertText('```py\ndeploy\n```\n```math\nrelease\n```\n```quote\nrollback\n```\nlast');
    assert.equal(hasAlertWord(text, 'deploy'), false);
    assert.equal(hasAlertWord(text, 'release'), false);
    assert.equal(hasAlertWord(text, 'rollback'), true);
    assert.equal(hasAlertWord(text, 'last'), true);
  });
});
