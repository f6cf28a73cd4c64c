import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RenderData } from '../../lib/markdown/data.ts';
import { alertText, plainText } from '../../lib/markdown/plain-text.ts';
import { parseMessage, renderMessage } from '../../lib/markdown/render.ts';
import { openingsIn } from '../../lib/rules/alert-words.ts';
import { readSearch } from '../../lib/rules/search.ts';
import { indexedWords } from '../../lib/rules/search-words.ts';
import { CLOSINGS, FILLINGS, GREW, type Mixture, mixedTexts, OPENINGS } from './mixed.ts';

const LENGTH = 10_000;
/** Maximum ratio to half the length. Quadratic cost would be four. */
const MAX_GROWTH = 3;
/** Multiple of the cost of plain words. Lower costs are not compared, since noise hides their growth. */
const CHEAP = 10;
const DATA: RenderData = {
  users: [{ id: 1, full_name: 'x', is_active: true }],
  channels: [{ id: 1, name: 'a' }],
  linkifiers: [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' }],
  options: { translateEmoticons: true, realmUrl: 'https://chat.example.org' },
};
const WORDS = 'these are words '.repeat(LENGTH / 16);
let words: number | undefined;

describe('the cost of rendering grows with the length of the text', () => {
  for (const mixture of GREW) it(JSON.stringify(Object.values(mixture)), () => checkGrowth(mixture));

  it('random mixtures of openings, fillings and closings cost at most the bound for twice the text', () => {
    const mixture = fc.record({
      opening: fc.constantFrom(...OPENINGS),
      filling: fc.constantFrom(...FILLINGS),
      closing: fc.constantFrom(...CLOSINGS),
    });
    fc.assert(fc.property(mixture, checkGrowth), { numRuns: 80 });
  });

  it('a long line in nested quotes and spoilers costs at most the bound for twice the text', () => {
    for (const name of ['quote', 'spoiler x']) {
      const nested = (length: number) =>
        [
          ...Array.from({ length: 22 }, (_, depth) => `${'`'.repeat(30 - depth)}${name}`),
          `~~~${'a'.repeat(length)}~`,
        ].join('\n');
      checkCost(nested(LENGTH - 800), nested(LENGTH / 2 - 800));
    }
  });

  it('nested links with a long gap before their ends cost at most the bound for twice the text', () => {
    const nested = (length: number) => {
      const links = Math.floor(length / 20.6);
      return `${'[a](x:'.repeat(links)}${' '.repeat(length - 8 * links)}y${')'.repeat(links)}`;
    };
    checkCost(nested(LENGTH), nested(LENGTH / 2));
  });

  it('searching alert words among opening punctuation costs at most the bound for twice the text', () => {
    const found = openingsIn('('.repeat(LENGTH));
    assert.equal(found.size, 200);
    checkCost('(>['.repeat(LENGTH / 3), '(>['.repeat(LENGTH / 6));
  });
});

function checkGrowth(mixture: Mixture): void {
  const halves = mixedTexts(mixture, LENGTH / 2);
  for (const [at, text] of mixedTexts(mixture, LENGTH).entries()) checkCost(text, halves[at] ?? '');
}

/** Measures up to three times, since other work on the machine can raise the cost. */
function checkCost(text: string, half: string): void {
  let growth = 0;
  for (let tries = 0; tries < 3; tries += 1) {
    words ??= leastOf(WORDS);
    if (costOf(text) < CHEAP * words) return;
    growth = leastOf(text) / leastOf(half);
    if (growth <= MAX_GROWTH) return;
  }
  assert.fail(`${growth.toFixed(1)} times the cost of half the text`);
}

function leastOf(text: string): number {
  return Math.min(...Array.from({ length: 3 }, () => costOf(text)));
}

/** Microseconds of CPU time. */
function costOf(text: string): number {
  const from = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(from);
  return Math.max(1, user + system);
}

/** Everything that the chat computes from a text when it is sent or searched. */
function read(text: string): void {
  parseMessage(text);
  openingsIn(alertText(text));
  indexedWords(text);
  readSearch(text);
  plainText(renderMessage(text, DATA).html);
}
