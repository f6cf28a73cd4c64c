/**
 * The guides of the panel document everything in its source: attributes, properties, events, variables, parts, slots.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it, test } from 'node:test';
import { readDocument } from './blocks.ts';

const PANEL = new URL('../../lib/panel/', import.meta.url);
const sourceOf = (name: string) => readFileSync(new URL(name, PANEL), 'utf8');
const files = readdirSync(PANEL, { recursive: true, encoding: 'utf8' });
const components = files.filter((name) => name.endsWith('.tsx')).map(sourceOf);
const sheets = files.filter((name) => name.endsWith('.css')).map(sourceOf);

const panel = await readDocument('docs/panel.md');
const theming = await readDocument('docs/theming.md');

const allIn = (texts: readonly string[], pattern: RegExp) =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => found));
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/** Neither is empty: two patterns without matches would agree. */
function assertSameNames(documented: readonly string[], declared: readonly string[]): void {
  assert.ok(declared.length > 0, 'the source has names');
  assert.deepEqual(sorted(documented), sorted(declared));
}

/** The text of a section, without its heading. */
function section(document: string, heading: string): string {
  const [, text] = document.split(`\n## ${heading}\n`);
  assert.ok(text !== undefined, `there is no section ${heading}`);
  return text.split('\n## ')[0] ?? '';
}

/** Rows of tables below their headers, as cells. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\|(.*)\|$(?!\n\| -)/gm)]
    .map(([, row = '']) => row.split('|').map((cell) => cell.trim()))
    .filter(([first = '']) => !first.startsWith('---'));
const codesIn = (text = '') => allIn([text], /`([^`]+)`/g);
const firstCells = (text: string) => rowsOf(text).flatMap(([first]) => codesIn(first));

describe('the guides of the panel match its source', () => {
  it('attributes of the panel', () => {
    const [, list = ''] = /const ATTRIBUTES = \[(.*?)\];/s.exec(sourceOf('panel.tsx')) ?? [];
    assertSameNames(firstCells(section(panel, 'Attributes')), allIn([list], /'(\w+)'/g));
  });

  it('pieces that `hide` omits', () => {
    const [, hidden = ''] = rowsOf(section(panel, 'Attributes')).find(([name]) => name === '`hide`') ?? [];
    assertSameNames(codesIn(hidden), allIn(components, /hidden\.has\('([\w-]+)'\)/g));
  });

  it('properties of the panel', () => {
    const [, list = ''] = /const PROPERTIES = \[(.*?)\]/.exec(sourceOf('panel.tsx')) ?? [];
    assertSameNames(firstCells(section(panel, 'Properties')), allIn([list], /'(\w+)'/g));
  });

  it('events of the panel and the fields of their detail', () => {
    const [, declared = ''] = /interface PanelEvents \{(.*?)\n\}/s.exec(sourceOf('context.ts')) ?? [];
    const fields = (text: string) => sorted(allIn([text], /(\w+)\??:/g));
    const [, destination = ''] = /type Destination =(.*?);\n\n/s.exec(sourceOf('context.ts')) ?? [];
    const events = [...declared.matchAll(/'(parlance-[\w-]+)': (.*);/g)].map(([, name = '', detail = '']) => [
      name,
      fields(detail === 'Destination' ? destination.replace(/\/\*\*.*?\*\//gs, '') : detail),
    ]);
    const told = rowsOf(section(panel, 'Events')).map(([name = '', detail = '']) => [
      codesIn(name)[0],
      sorted(codesIn(detail).flatMap((code) => allIn([code], /(\w+)\??\s*[,}]/g))),
    ]);
    assert.ok(events.length > 0);
    assert.deepEqual(told, events);
  });

  it('CSS variables and their defaults', () => {
    const theme = sourceOf('theme.css');
    const colors = [...theme.matchAll(/--p-[\w-]+: var\((--parlance-[\w-]+), light-dark\((#\w+), (#\w+)\)\);/g)].map(
      ([, name, light, dark]) => [name, light, dark],
    );
    const rows = rowsOf(section(theming, 'Variables')).map((row) => row.map((cell) => codesIn(cell)[0]));
    const [first, others] = [rows.filter((row) => row.length === 4), rows.filter((row) => row.length === 3)];
    assert.deepEqual(
      first.map((row) => row.slice(0, 3)),
      colors,
    );
    const measures = allIn([theme], /--p-[\w-]+: var\(\s*(--parlance-[\w-]+),(?!\s*light-dark)/g);
    assert.deepEqual(sorted(others.map(([name = '']) => name)), sorted(measures));
    for (const [name = '', given] of others)
      if (given !== undefined && /\d/.test(given))
        assert.ok(theme.includes(`var(${name}, ${given})`), `${name}: ${given}`);
  });

  it('CSS variables that `content.css` reads', () => {
    const text = section(theming, 'Messages in your own panel');
    const read = allIn([sourceOf('content.css')], /var\((--parlance-[\w-]+)/g);
    assertSameNames(allIn([text], /`(--parlance-[\w-]+)`/g), read);
  });

  it('parts of the panel', () => {
    const given = allIn(components, /\bpart=(?:"([\w\s-]+)")/g).concat(
      allIn(components, /\bpart=\{(.*?)\}/g).flatMap((expression) => allIn([expression], /'([\w\s-]+)'/g)),
    );
    const names = given.flatMap((text) => text.split(' '));
    const told = rowsOf(section(theming, 'Parts')).flatMap(([, parts]) => codesIn(parts));
    assertSameNames(told, names);
  });

  it('slots of the panel', () => {
    const names = allIn(components, /<slot name="([\w-]+)"/g);
    assertSameNames(firstCells(section(theming, 'Slots')), names);
  });

  it('the Content-Security-Policy of the app page', () => {
    const page = readFileSync(new URL('../../server/pages/web/app-page.ts', import.meta.url), 'utf8');
    const [, list = ''] = /const POLICY = \[(.*?)\]/s.exec(page) ?? [];
    const policy = allIn([list], /^ *["'](.*)["'],$/gm).join('; ');
    assert.ok(section(theming, 'Content security policy').includes(`\nContent-Security-Policy: ${policy}\n`), policy);
  });

  it('words in the example', () => {
    const [, example = ''] = /words = \{(.*?)\n\};/s.exec(section(theming, 'Words')) ?? [];
    const texts = files.filter((name) => name.endsWith('words.ts')).map(sourceOf);
    const known = new Set(allIn(texts, /^ {2}(\w+):/gm));
    const given = allIn([example], /^ {2}(\w+):/gm);
    assert.ok(given.length > 0);
    for (const word of given) assert.ok(known.has(word), word);
  });
});

test('the guides name no part or variable that the panel does not have', () => {
  const variables = new Set(allIn(sheets, /(--parlance-[\w-]+)/g));
  const parts = new Set(rowsOf(section(theming, 'Parts')).flatMap(([, names]) => codesIn(names)));
  for (const document of [panel, theming]) {
    for (const name of allIn([document], /(--parlance-[\w-]+)/g)) assert.ok(variables.has(name), name);
    for (const name of allIn([document], /::part\(([\w-]+)\)/g)) assert.ok(parts.has(name), name);
  }
});
