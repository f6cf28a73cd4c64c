import { linkTarget } from '../addresses.ts';
import { TOP_LEVEL_DOMAINS } from '../data/top-level-domains.ts';
import { escapeAttribute, escapeMarkdownText, escapeText } from '../html.ts';
import { audioPlayer } from '../media.ts';
import { type InlineContext, type InlineRule, PLACEHOLDER_START } from './rule.ts';

/** `[text](address "title")`. The text is shown as it is, apart from code, mentions and formulas; no reference links. */
export const links: InlineRule = {
  applies: (text) => text.includes(']('),
  apply(text, context) {
    const closers = matchingBrackets(text);
    let result = '';
    let from = 0;
    for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1)) {
      const link = readLink(text, at, closers, context);
      if (!link) continue;
      result += text.slice(from, link.start) + link.placeholder;
      from = link.end;
      at = from - 1;
    }
    return result + text.slice(from);
  },
};

function readLink(text: string, at: number, closers: Closers, context: InlineContext) {
  const close = closers.get(at);
  if (close === undefined || text[close + 1] !== '(') return undefined;
  const end = closers.get(close + 1);
  if (end === undefined || !context.state.admitsLinkSearch(end - at)) return undefined;
  const written = readAddress(text.slice(close + 2, end));
  if (!written) return undefined;
  const url = linkTarget(context.placeholders.restore(written.address), context.state.options);
  if (url === undefined) return undefined;
  const label = text.slice(at + 1, close);
  // A link inside a link is none.
  if (context.placeholders.restore(label).includes('<a ') || !context.state.admits()) return undefined;
  // In the dialect, images have no syntax of their own: `![text](address)` is text, and its address is linked alone.
  if (text[at - 1] === '!') {
    const player = audioPlayer(url, label);
    if (player === undefined) return undefined;
    context.state.played.push(url);
    return { start: at - 1, end: end + 1, placeholder: context.placeholders.add(player) };
  }
  const shown = label.trim() === '' ? url : label;
  const title = written.title === undefined ? '' : ` title="${escapeAttribute(written.title)}"`;
  const html = `<a href="${escapeAttribute(url)}"${title}>${context.placeholders.restore(escapeMarkdownText(shown))}</a>`;
  const placeholder = context.placeholders.add(html);
  context.links.push({ url, text: shown, placeholder });
  return { start: at, end: end + 1, placeholder };
}

function readAddress(inside: string): { address: string; title: string | undefined } | undefined {
  if (inside.includes(PLACEHOLDER_START)) return undefined;
  const text = inside.trim();
  const quote = titleStart(text);
  const address = quote === undefined ? text : withoutSpacesAtEnd(text.slice(0, quote));
  const bare = address.startsWith('<') && address.endsWith('>') ? address.slice(1, -1) : address;
  return { address: bare, title: quote === undefined ? undefined : text.slice(quote + 1, -1) };
}

/** The first quotation mark starts a title if it follows a space and the next of its kind ends the text. */
function titleStart(text: string): number | undefined {
  const at = text.search(/["']/);
  if (at < 1 || text[at - 1] !== ' ') return undefined;
  return text.indexOf(text.charAt(at), at + 1) === text.length - 1 ? at : undefined;
}

/** Not `/ +$/`, which looks at a run of spaces within the text once from each of them. */
function withoutSpacesAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

type Closers = ReadonlyMap<number, number>;

/** Where each bracket and parenthesis closes; those of one kind do not disturb the other. */
function matchingBrackets(text: string): Closers {
  const closers = new Map<number, number>();
  const square: number[] = [];
  const round: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '[') square.push(index);
    else if (character === '(') round.push(index);
    else if (character === ']' || character === ')') {
      const open = (character === ']' ? square : round).pop();
      if (open !== undefined) closers.set(open, index);
    }
  }
  return closers;
}

/** Places in a word at which an address is looked for. */
const MAX_STARTS_PER_WORD = 40;
const MAX_NESTED_PARENTHESES = 7;
const OPENERS = new Set(`'"(,:<`);
const PROTOCOL = /https?:\/\/[\p{L}\p{N}_.:@-]+/uy;
const DOMAIN = /(?:[\p{L}\p{N}_-]+\.)+([\p{L}\p{N}_-]+)/uy;
const BITCOIN = /bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}/y;
const MAIL = /[\p{L}\p{N}_.-]+@[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+/uy;
/** Every address has a full stop or a colon with something around it. */
const WITHIN_WORD = /\S[.:]\S/;
const TRAILING = new Set(`!:;?),.'">`);

const KNOWN_DOMAINS = new Set(TOP_LEVEL_DOMAINS.trim().split(/\s+/));

/**
 * Links web, e-mail and Bitcoin addresses, and host names with a known ending. The dialect defines where an address
 * begins and ends, with its parentheses and punctuation. A library such as linkify-it has other rules.
 */
export const autolinks: InlineRule = {
  applies: (text) => WITHIN_WORD.test(text),
  apply(text, context) {
    const sign = new RegExp(WITHIN_WORD, 'g');
    let result = '';
    let from = 0;
    for (let hit = sign.exec(text); hit; hit = sign.exec(text)) {
      let start = hit.index;
      while (start > from && !isSpace(text[start - 1])) start -= 1;
      let end = sign.lastIndex;
      while (end < text.length && !isSpace(text[end])) end += 1;
      result += text.slice(from, start) + linkWord(text.slice(start, end), context);
      from = end;
      sign.lastIndex = end;
    }
    return result + text.slice(from);
  },
};

/** The address a text begins with, if nothing but punctuation follows it; no white space may be in the text. */
export function leadingAddress(text: string): string | undefined {
  const end = addressEnd(text, 0, beforeTrailing(text, text.length));
  return end === undefined ? undefined : text.slice(0, end);
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || (character !== undefined && /\s/.test(character));
}

/** An address ends where the word ends, but for punctuation: so a word holds at most one. */
function linkWord(word: string, context: InlineContext): string {
  const bareEnd = beforeTrailing(word, word.length);
  let starts = 0;
  for (let start = 0; start < bareEnd && starts < MAX_STARTS_PER_WORD; start += 1) {
    if (start > 0 && !OPENERS.has(word[start - 1] ?? '')) continue;
    starts += 1;
    const end = addressEnd(word, start, bareEnd);
    if (end === undefined) continue;
    const address = word.slice(start, end);
    const target = linkTarget(address, context.state.options);
    if (target === undefined || !context.state.admits()) return word;
    const placeholder = context.placeholders.add(`<a href="${escapeAttribute(target)}">${escapeText(address)}</a>`);
    context.links.push({ url: target, text: address, placeholder });
    return word.slice(0, start) + placeholder + word.slice(end);
  }
  return word;
}

function addressEnd(word: string, start: number, bareEnd: number): number | undefined {
  const host = matchAt(PROTOCOL, word, start) ?? domainAt(word, start);
  if (host !== undefined) {
    for (const hostEnd of hostEnds(word, host)) {
      if (hostEnd >= bareEnd) return hostEnd;
      const end = word[hostEnd] === '/' ? pathEnd(word, hostEnd + 1, bareEnd) : undefined;
      if (end !== undefined) return end;
    }
  }
  const other = matchAt(MAIL, word, start) ?? matchAt(BITCOIN, word, start);
  return other !== undefined && other >= bareEnd ? other : undefined;
}

/** The host may itself end in what counts as punctuation at the end of a word. */
function hostEnds(word: string, end: number): number[] {
  const bare = beforeTrailing(word, end);
  return bare === end ? [end] : [bare, end];
}

/** Where the punctuation begins that ends at `end`. Read backwards: a pattern would look at a run of it from each of its signs. */
function beforeTrailing(word: string, end: number): number {
  let start = end;
  while (TRAILING.has(word[start - 1] ?? '')) start -= 1;
  return start;
}

function matchAt(pattern: RegExp, word: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(word) ? pattern.lastIndex : undefined;
}

function domainAt(word: string, start: number): number | undefined {
  DOMAIN.lastIndex = start;
  const match = DOMAIN.exec(word);
  return match && KNOWN_DOMAINS.has(match[1] ?? '') ? DOMAIN.lastIndex : undefined;
}

/** The shortest path whose parentheses close and that leaves only punctuation. */
function pathEnd(word: string, start: number, bareEnd: number): number | undefined {
  let depth = 0;
  for (let index = start; index <= word.length; index += 1) {
    if (index >= bareEnd && depth === 0) return index;
    const character = word[index];
    if (character === '"' || character === PLACEHOLDER_START) return undefined;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0 || depth > MAX_NESTED_PARENTHESES) return undefined;
  }
  return undefined;
}
