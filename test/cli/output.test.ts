import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatResult } from '../../cli/output/result.ts';
import { cut, sanitize, table, widthOf, wrap } from '../../cli/output/text.ts';
import { terminal } from './terminals.ts';

describe('output for a terminal', () => {
  it('text width is measured in terminal cells', () => {
    const cases: [string, number][] = [
      ['abc', 3],
      ['漢字', 4],
      ['한국', 4],
      ['ｆｕｌｌ', 8],
      ['é', 1],
      ['e\u0301', 1],
      ['🎉', 2],
      ['👩‍👩‍👧', 2],
      ['❤️', 2],
      ['🇩🇰', 2],
      ['1️⃣', 2],
      ['\u200b', 0],
      ['\u001b[31mred\u001b[0m', 3],
      ['', 0],
      ['…', 1],
      ['א', 1],
    ];
    for (const [text, cells] of cases) assert.equal(widthOf(text), cells, JSON.stringify(text));
  });

  it('cutting text does not split a wide character', () => {
    assert.equal(cut('漢字漢字', 5), '漢字…');
    assert.equal(cut('漢字漢字', 4), '漢…');
    assert.equal(cut('short', 5), 'short');
    assert.equal(cut('👩‍👩‍👧 family', 4), '👩‍👩‍👧 …');
  });

  it('wrapping breaks at spaces and keeps long words whole', () => {
    assert.deepEqual(wrap('one two three', 7), ['one two', 'three']);
    assert.deepEqual(wrap('a https://example.com/long b', 10), ['a', 'https://example.com/long', 'b']);
    assert.deepEqual(wrap('漢字 漢字 漢字', 9), ['漢字 漢字', '漢字']);
    assert.deepEqual(wrap('  indented  text goes on', 16), ['  indented  text', 'goes on']);
    assert.deepEqual(wrap('', 10), ['']);
    assert.deepEqual(wrap(' '.repeat(20), 10), ['']);
  });

  it('table columns are aligned with wide characters, without trailing spaces', () => {
    assert.equal(
      table(
        ['ID', 'NAME', 'NOTE'],
        [
          ['1', '漢字', 'a'],
          ['20', 'Ada', ''],
          ['3', '🎉', 'b'],
        ],
        terminal(),
      ),
      ['ID  NAME  NOTE', '1   漢字  a', '20  Ada', '3   🎉    b'].join('\n'),
    );
  });

  it('the widest table columns are narrowed on a terminal, and not otherwise', () => {
    const rows = [['1', 'x'.repeat(60)]];
    assert.equal(table(['ID', 'TEXT'], rows, terminal(24)).split('\n')[1], `1   ${'x'.repeat(19)}…`);
    assert.equal(table(['ID', 'TEXT'], rows, terminal()).split('\n')[1], `1   ${'x'.repeat(60)}`);
  });

  it('rows too wide for the terminal are shown as one cell per line, none cut', () => {
    const titles = ['', 'ID', 'E-MAIL', 'NAME', 'ROLE', 'ACTIVE'];
    const rows = [
      ['*', '1', 'ada.lovelace@example.com', 'Ada Lovelace', 'administrator', 'yes'],
      ['', '20', 'ben@example.com', '', 'member', 'yes'],
    ];
    for (const columns of [48, 60, 80]) {
      for (const line of table(titles, rows, terminal(columns)).split('\n')) assert.ok(widthOf(line) <= columns, line);
    }
    assert.equal(
      table(titles, rows, terminal(40)),
      [
        ...['*', 'ID:     1', 'E-MAIL: ada.lovelace@example.com', 'NAME:   Ada Lovelace', 'ROLE:   administrator'],
        ...['ACTIVE: yes', '', 'ID:     20', 'E-MAIL: ben@example.com', 'ROLE:   member', 'ACTIVE: yes'],
      ].join('\n'),
    );
  });

  it('control characters and direction overrides are replaced', () => {
    assert.equal(sanitize('a\u001b]0;title\u0007b\u202ec\u009bd'), 'a\ufffd]0;title\ufffdb\ufffdc\ufffdd');
    assert.equal(sanitize('one\r\ntwo\rthree\tfour'), 'one\ntwo\nthree    four');
  });

  it('lists are shown as tables, objects by field, and empty responses not at all', () => {
    assert.equal(formatResult({}, {}, terminal()), '');
    assert.equal(formatResult({ members: [] }, { members: ['id'] }, terminal()), '');
    assert.equal(formatResult({ id: 7 }, {}, terminal()), 'id: 7');
    assert.equal(
      formatResult({ removed: ['a', 'b'], not_removed: [] }, {}, terminal()),
      'removed:     a, b\nnot_removed:',
    );
    assert.equal(
      formatResult({ user: { user_id: 4, role: 100, is_bot: false, bot_type: null } }, {}, terminal()),
      'user_id:  4\nrole:     owner\nis_bot:   no\nbot_type:',
    );
    assert.equal(
      formatResult({ things: [{ id: 1, name: 'a\nb', nested: {} }] }, {}, terminal()),
      'ID  NAME\n1   a ⏎ b',
    );
  });
});
