import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatted, linked, marked, type TextChange } from '../../../lib/panel/composer/formatting.ts';
import { charactersLeft, offersFiles } from '../../../lib/panel/composer/text.ts';
import { emojiCharacter } from '../../../lib/panel/content/media.ts';
import { anyText } from '../../support/any-text.ts';

/** A text with the selection between brackets. */
function changed(written: string, change: (text: string, start: number, end: number) => TextChange): string {
  const start = written.indexOf('<');
  const end = written.indexOf('>') - 1;
  const text = written.replace(/[<>]/g, '');
  const { from, to, insert, select } = change(text, start, end);
  const result = text.slice(0, from) + insert + text.slice(to);
  return `${result.slice(0, select[0])}<${result.slice(...select)}>${result.slice(select[1])}`;
}

describe('formatting', () => {
  for (const [written, bold] of [
    ['a <word> b', 'a **<word>** b'],
    ['a **<word>** b', 'a <word> b'],
    ['a <**word**> b', 'a <word> b'],
    ['a *<word>* b', 'a ***<word>*** b'],
    ['a ***<word>*** b', 'a *<word>* b'],
    ['<>', '**<>**'],
    ['**<>**', '<>'],
  ] as const)
    it(`makes ${written} bold`, () => {
      assert.equal(
        changed(written, (text, start, end) => marked(text, start, end, 'bold')),
        bold,
      );
    });

  for (const [written, italic] of [
    ['a <word> b', 'a *<word>* b'],
    ['a **<word>** b', 'a ***<word>*** b'],
    ['a ***<word>*** b', 'a **<word>** b'],
  ] as const)
    it(`makes ${written} italic`, () => {
      assert.equal(
        changed(written, (text, start, end) => marked(text, start, end, 'italic')),
        italic,
      );
    });

  for (const [format, written, result] of [
    ['code', 'a <word> b', 'a `<word>` b'],
    ['code', 'a `<word>` b', 'a <word> b'],
    ['code', 'a <x\ny> b', 'a \n```\n<x\ny>\n```\n b'],
    ['code', '<x\ny>', '```\n<x\ny>\n```'],
    ['quote', 'one\ntw<o\nthr>ee\nfour', 'one\n<> two\n> three>\nfour'],
    ['list', 'a\n<>b', 'a\n- <>b'],
    ['list', '- <>a', '<>a'],
    ['list', '<- a\n- b>', '<a\nb>'],
    ['list', '<>', '- <>'],
    ['list', '\n<>', '\n- <>'],
    ['list', '<\n>', '<- \n- >'],
  ] as const)
    it(`makes ${JSON.stringify(written)} a ${format}`, () => {
      // The marks of quotations are also those of the selection.
      const from = written.indexOf('<');
      const text = written.replace(/[<>]/g, '');
      const change = formatted(format, text, from, written.indexOf('>') - 1);
      const after = text.slice(0, change.from) + change.insert + text.slice(change.to);
      const [start, end] = change.select;
      assert.equal(`${after.slice(0, start)}<${after.slice(start, end)}>${after.slice(end)}`, result);
    });

  it('undoes bold and italic when applied twice', () => {
    const kind = fc.constantFrom('bold' as const, 'italic' as const);
    fc.assert(
      fc.property(fc.stringMatching(/^\w{0,5}$/), fc.stringMatching(/^\w{1,5}$/), kind, (around, word, mark) => {
        const written = `${around} <${word}> ${around}`;
        const toggle = (text: string, start: number, end: number) => marked(text, start, end, mark);
        assert.equal(changed(changed(written, toggle), toggle), written);
      }),
    );
  });

  for (const [written, url, link] of [
    ['a <word> b', undefined, 'a [word](<url>) b'],
    ['a <https://a.example> b', undefined, 'a [<>](https://a.example) b'],
    ['a <word> b', 'https://a.example', 'a [word](https://a.example)<> b'],
    ['<>', undefined, '[<>](url)'],
  ] as const)
    it(`makes ${written} a link${url ? ' to a pasted address' : ''}`, () => {
      assert.equal(
        changed(written, (text, start, end) => linked(text, start, end, url)),
        link,
      );
    });
});

describe('the number of characters left', () => {
  it('counts code points, and is shown only near the limit', () => {
    const text = anyText({ maxLength: 300 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 300 }), (written, limit) => {
        const left = limit - [...written].length;
        assert.equal(charactersLeft(written, limit), left > limit * 0.1 ? undefined : left);
      }),
    );
  });
});

describe('emoji', () => {
  for (const [code, character] of [
    ['1f389', '\u{1f389}'],
    ['2764', '\u2764\ufe0f'],
    ['0031-20e3', '1\ufe0f\u20e3'],
    ['1f3f3-200d-1f308', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['270b-1f3fd', '\u270b\u{1f3fd}'],
    ['1f1e9-1f1ea', '\u{1f1e9}\u{1f1ea}'],
    ['110000', ''],
    ['0', ''],
    ['x', ''],
  ] as const)
    it(`${code} is shown as its image`, () => assert.equal(emojiCharacter(code), character));
});

describe('files in the clipboard', () => {
  const CASES: Record<string, [types: string[], files: number, isOffered: boolean]> = {
    'of a file manager are attached, although it offers their name': [['text/plain', 'Files'], 1, true],
    'of a file manager with a list of addresses are attached': [['text/uri-list', 'text/plain', 'Files'], 1, true],
    'of a picture in a page are attached': [['text/html', 'Files'], 1, true],
    'of an office program are left out: the picture shows its text': [
      ['text/plain', 'text/html', 'text/rtf', 'Files'],
      1,
      false,
    ],
    'of a text are none': [['text/plain'], 0, false],
  };
  for (const [name, [types, count, isOffered]] of Object.entries(CASES)) {
    it(name, () => {
      const data = { types, files: Array.from({ length: count }) } as unknown as DataTransfer;
      assert.equal(offersFiles(data), isOffered);
    });
  }
});
