import { RE2JS } from 're2js';
import { parse } from 'uri-template';
import { linkTarget } from './addresses.ts';
import type { Linkifier } from './data.ts';
import { escapeAttribute, escapeText } from './html.ts';
import { leadingAddress } from './inline/links.ts';
import { type InlineRule, PLACEHOLDER_START } from './inline/rule.ts';
import { allowance } from './render-state.ts';

/**
 * Most instructions of a compiled pattern: the worst-case steps per character. Patterns come from administrators, so
 * they are run with RE2, which is linear, and not with RegExp, which may backtrack for hours.
 */
const MAX_INSTRUCTIONS = 500;
/** Window of one search in UTF-16 code units: searching the rest for each match would be quadratic. */
const SEARCH_WINDOW = 600;
const MAX_MATCH_LENGTH = 300;
/** Cached patterns: compiling is expensive, and linkifiers rarely change. */
const MAX_COMPILED = 500;
const OWN_GROUPS = 'parlance_';
const compiled = new Map<string, ReturnType<typeof tryCompile>>();

/** Applies the linkifiers in order. Text matched by one is not searched by the next. */
export const linkifiers: InlineRule = {
  applies: (text, { data }) => data.linkifiers?.some((linkifier) => mayMatch(linkifier, text)) ?? false,
  apply(text, { state, placeholders, links }) {
    let linked = text;
    for (const linkifier of state.data.linkifiers ?? []) {
      if (!mayMatch(linkifier, linked)) continue;
      let result = '';
      let from = 0;
      for (const match of linkifierMatches(linkifier, linked, state.admitsSearch)) {
        const shown = linked.slice(match.start, match.end);
        const url = linkTarget(match.url, state.options);
        if (url === undefined || shown.includes(PLACEHOLDER_START) || !state.admits()) continue;
        const placeholder = placeholders.add(`<a href="${escapeAttribute(url)}">${escapeText(shown)}</a>`);
        links.push({ url, text: shown, placeholder });
        result += linked.slice(from, match.start) + placeholder;
        from = match.end;
      }
      linked = result + linked.slice(from);
    }
    return linked;
  },
};

/**
 * All matches of a linkifier, in order. A match begins at the start of the text, after white space, or after one of
 * `'"(,:<`. No letter or digit follows it. Calls `admits` before each search with the steps that it may take: a search
 * may read hundreds of letters to find a match of one.
 */
function* linkifierMatches(linkifier: Linkifier, text: string, admits: (steps: number) => boolean) {
  const ready = compile(linkifier);
  if (!ready) return;
  const { pattern, groups, template } = ready;
  let from = 0;
  while (from <= text.length) {
    const within = Math.min(text.length, from + SEARCH_WINDOW);
    if (!admits((within - from) * pattern.programSize())) return;
    const matcher = pattern.matcher(text.slice(0, within));
    const isFound = matcher.find(from);
    if (within < text.length && (!isFound || matcher.end() === within)) {
      // What begins here may go on behind the window: it is looked at again as far as one match may reach.
      from = Math.max(
        from + 1,
        isFound ? Math.min(matcher.start(), within - MAX_MATCH_LENGTH) : within - MAX_MATCH_LENGTH,
      );
      continue;
    }
    if (!isFound) return;
    const start = matcher.start('parlance_match');
    const end = matcher.end('parlance_match');
    const variables = groups.map((name) => [name, matcher.group(name)] as const).filter(([, value]) => value !== null);
    if (end > start) yield { start, end, url: inUtf8(template.expand(Object.fromEntries(variables))) };
    // What follows one match may stand before the next.
    from = Math.max(end, from + 1);
  }
}

/** The two halves of a character beyond U+FFFF, of which `uri-template` encodes each by itself. */
const HALVES = /%ED%(A[0-9A-F])%([89AB][0-9A-F])%ED%(B[0-9A-F])%([89AB][0-9A-F])/g;

function inUtf8(url: string): string {
  return url.replace(HALVES, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map((byte) => Number.parseInt(byte, 16) & 0x3f);
    return encodeURIComponent(String.fromCharCode(0xd000 | (a << 6) | b, 0xd000 | (c << 6) | d));
  });
}

function mayMatch(linkifier: Linkifier, text: string): boolean {
  const ready = compile(linkifier);
  return ready !== undefined && text.includes(ready.literal);
}

/** Names of the groups of a pattern. Throws the error of the engine for an invalid pattern. */
export function groupsOf(pattern: string): string[] {
  // By itself first: what closes too many parentheses may well be complete between others.
  const groups = Object.keys(RE2JS.compile(pattern).namedGroups());
  const reserved = groups.find((name) => name.startsWith(OWN_GROUPS));
  if (reserved !== undefined) throw new Error(`the group name ${reserved} is reserved`);
  if (compileWithin(pattern).programSize() > MAX_INSTRUCTIONS)
    throw new Error('the pattern is too complicated; use a shorter one');
  return groups;
}

function compile(linkifier: Linkifier) {
  const key = `${linkifier.pattern}\n${linkifier.url_template}`;
  if (compiled.has(key)) return compiled.get(key);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  const ready = tryCompile(linkifier);
  compiled.set(key, ready);
  return ready;
}

/** Patterns are checked when they are saved. One that does not compile now is ignored. */
function tryCompile(linkifier: Linkifier) {
  try {
    const pattern = compileWithin(linkifier.pattern);
    const groups = Object.keys(pattern.namedGroups()).filter((name) => !name.startsWith(OWN_GROUPS));
    const template = parse(linkifier.url_template);
    return { pattern, groups, literal: leadingLiteral(linkifier.pattern), template };
  } catch {
    return undefined;
  }
}

function compileWithin(pattern: string): RE2JS {
  const before = `(?P<parlance_before>^|\\s|\\x{85}|\\pZ|['"(,:<])`;
  const after = '(?P<parlance_after>$|[^\\pL\\pN])';
  return RE2JS.compile(`${before}(?P<parlance_match>${pattern})${after}`);
}

/** Text that every match contains: the literal prefix of a pattern. Empty for a pattern with alternatives. */
function leadingLiteral(pattern: string): string {
  if (pattern.includes('|')) return '';
  const literal = /^[A-Za-z0-9#@_!/:-]*/.exec(pattern)?.[0] ?? '';
  return /[?*{+]/.test(pattern[literal.length] ?? '') ? literal.slice(0, -1) : literal;
}

interface TopicLink {
  url: string;
  /** As it stands in the topic. */
  text: string;
}

const MAX_SEARCH = 5_000_000;
/** Topics whose links are cached for one list of linkifiers. */
const MAX_CACHED_TOPICS = 1_000;
const linksByTopic = new WeakMap<readonly Linkifier[], Map<string, readonly TopicLink[]>>();

/**
 * The links of a topic, in order: matches of linkifiers, and web addresses. Cached as long as the linkifiers, since
 * lists of messages repeat topics.
 */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): readonly TopicLink[] {
  const known = linksByTopic.get(linkifiers) ?? new Map<string, readonly TopicLink[]>();
  linksByTopic.set(linkifiers, known);
  const links = known.get(topic) ?? findLinks(topic, linkifiers);
  if (known.size >= MAX_CACHED_TOPICS) known.clear();
  known.set(topic, links);
  return links;
}

function findLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const found: (TopicLink & { start: number; end: number })[] = [];
  const add = (start: number, end: number, url: string | undefined) => {
    if (url === undefined || found.some((link) => link.start < end && start < link.end)) return;
    found.push({ start, end, url, text: topic.slice(start, end) });
  };
  const admits = allowance(MAX_SEARCH);
  for (const linkifier of linkifiers) {
    if (!mayMatch(linkifier, topic)) continue;
    for (const { start, end, url } of linkifierMatches(linkifier, topic, admits)) add(start, end, linkTarget(url, {}));
  }
  for (const { 0: word, index } of topic.matchAll(/[^ !;),'"]+/g)) {
    const address = leadingAddress(word);
    if (address !== undefined) add(index, index + address.length, webTarget(address));
  }
  return found.sort((a, b) => a.start - b.start).map(({ url, text }) => ({ url, text }));
}

function webTarget(address: string): string | undefined {
  const isBare = !/^https?:/i.test(address) && !/^[^/]*@/.test(address);
  return linkTarget(isBare ? `https://${address}` : address, {});
}
