import { present } from '../base/present.ts';
import { Lines } from './blocks/block.ts';
import { closingLine, holdsMarkdown, openingFence } from './blocks/fence.ts';

/** An element that is open: what it holds so far, and what becomes of that at its end. */
export interface Open {
  readonly tag: string;
  text: string;
  readonly close: (text: string) => string;
  /** Of an ordered list: the number of its next item. */
  number?: number;
}

export const TOKEN = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|([^<]+)/g;
export const NO_CONTENT = new Set(['br', 'hr', 'img', 'input', 'wbr']);

/** Before the source of a formula, which is the last element in it. */
const SOURCE = '\0';

const same = (text: string) => text;
const nothing = () => '';

/**
 * Converts the HTML of a message to plain text. Emoji become characters, formulas their source. Quoted lines start with
 * `>`. The content of spoilers is hidden. Previews of links are not text of the sender.
 */
export function plainText(html: string): string {
  const stack: Open[] = [{ tag: '', text: '', close: same }];
  const top = () => present(stack.at(-1));
  const end = () => {
    const { text, close } = present(stack.pop());
    top().text += close(text);
  };
  for (const [, slash, tag = '', attributes = '', text] of html.matchAll(TOKEN)) {
    if (text !== undefined) top().text += decoded(text);
    else if (slash) {
      if (stack.length > 1 && top().tag === tag) end();
    } else if (NO_CONTENT.has(tag)) top().text += tag === 'img' ? (attribute(attributes, 'alt') ?? '') : '';
    else stack.push(opened(tag, attributes, top()));
  }
  while (stack.length > 1) end();
  return top()
    .text.replace(/\n{2,}/g, '\n')
    .trim();
}

function opened(tag: string, attributes: string, parent: Open): Open {
  const classes = attribute(attributes, 'class')?.split(' ') ?? [];
  const emoji = classes.find((name) => /^emoji-[0-9a-f-]+$/.test(name))?.slice('emoji-'.length);
  if (classes.includes('emoji') && emoji) return { tag, text: '', close: () => charactersOf(emoji) };
  if (classes.includes('katex-html')) return { tag, text: '', close: nothing };
  // The sender has not written it.
  if (classes.includes('message_embed')) return { tag, text: '', close: nothing };
  if (classes.includes('spoiler-content')) return { tag, text: '', close: () => ' (…)\n' };
  if (classes.includes('spoiler-header')) return { tag, text: '', close: (text) => text.trim() };
  switch (tag) {
    case 'math':
      return { tag, text: '', close: (text) => text.slice(text.lastIndexOf(SOURCE) + 1) };
    case 'annotation':
      return { tag, text: '', close: (text) => SOURCE + text };
    case 'blockquote':
      return { tag, text: '', close: quoted };
    case 'ol':
      return { tag, text: '', close: same, number: Number(attribute(attributes, 'start') ?? 1) };
    case 'li': {
      const mark = parent.number === undefined ? '- ' : `${parent.number++}. `;
      return { tag, text: '', close: (text) => `${mark}${lines(text).join('\n  ')}\n` };
    }
    default:
      // Lists within an item begin where its text ends.
      return { tag, text: tag === 'ul' ? '\n' : '', close: same };
  }
}

function quoted(text: string): string {
  return `${lines(text)
    .map((line) => `> ${line}`)
    .join('\n')}\n`;
}

const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

export function attribute(attributes: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes) ?? [];
  return value === undefined ? undefined : decoded(value);
}

/** The emoji of a code such as `1f1e9-1f1ea`. Empty if the code is not valid. */
export function charactersOf(code: string): string {
  const points = code.split('-').map((digits) => Number.parseInt(digits, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : '';
}

const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', nbsp: '\u00a0' }));

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

/** The text to search for alert words: without fenced code and formulas, in lower case. */
export function alertText(content: string): string {
  const lines = new Lines(content);
  const searched: string[] = [];
  const open: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines.at(index);
    const closes = open.length > 0 && line.trimEnd() === open.at(-1);
    const opening = closes ? undefined : openingFence(line);
    if (closes) open.pop();
    else if (!opening) searched.push(line);
    else if (holdsMarkdown(opening.language)) open.push(opening.fence);
    else index = closingLine(lines, index, opening);
  }
  return searched.join('\n').toLowerCase();
}
