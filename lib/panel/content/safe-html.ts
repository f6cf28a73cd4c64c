/**
 * Lets through only the HTML that a server of Parlance makes of messages. It reads tags as text, because a parser of
 * HTML would already load images and report inline styles to the content security policy.
 */
import { ATTRIBUTE, decoded, GRAMMAR, TAG, VOID } from './grammar.ts';

/** Addresses that a link may have. Other schemes open programs. */
const WEB = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)[^\u0000-\u0020\\]*$/i;
const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'data-original-url', 'data-video-original-url']);
/** Browsers do not nest deeper either. */
const MAX_DEPTH = 500;
const LAYOUT = ' class="katex-html"';

/**
 * The HTML without elements, attributes and values that `GRAMMAR` does not have; their text stays. Without the layout
 * of formulas, which needs inline styles: the browser shows their MathML. The alignment of table cells becomes a class.
 * Takes linear time.
 */
export function safeHtml(html: string): string {
  const open: string[] = [];
  /** How many elements are open around the layout of a formula. */
  let outside: number | undefined;
  let safe = '';
  for (let at = 0; at < html.length; ) {
    const start = html.indexOf('<', at);
    if (outside === undefined) safe += html.slice(at, start === -1 ? undefined : start);
    if (start === -1) break;
    TAG.lastIndex = start;
    const tag = TAG.exec(html);
    at = tag ? TAG.lastIndex : start + 1;
    if (!tag) {
      if (outside === undefined) safe += '&lt;';
      continue;
    }
    const [, slash, name = '', attributes = '', selfClosing] = tag;
    if (slash) {
      if (open.at(-1) !== name) continue;
      open.pop();
      if (outside === undefined) safe += `</${name}>`;
      else if (outside === open.length) outside = undefined;
      continue;
    }
    const isOpened = !VOID.has(name) && !selfClosing;
    if (outside === undefined && attributes.includes(LAYOUT)) {
      if (isOpened) outside = open.push(name) - 1;
    } else if (outside !== undefined) {
      if (isOpened) open.push(name);
    } else if (Object.hasOwn(GRAMMAR, name) && open.length < MAX_DEPTH) {
      safe += `<${name}${safeAttributes(name, attributes)}>`;
      if (isOpened) open.push(name);
      else if (!VOID.has(name)) safe += `</${name}>`;
    }
  }
  if (outside !== undefined) open.length = outside;
  return safe + open.reduceRight((closing, name) => `${closing}</${name}>`, '');
}

function safeAttributes(name: string, attributes: string): string {
  const allowed = GRAMMAR[name] ?? {};
  let safe = '';
  for (const [, key = '', written] of attributes.matchAll(ATTRIBUTE)) {
    const value = decoded(written ?? '');
    if (!Object.hasOwn(allowed, key) || !allowed[key]?.test(value)) continue;
    if (ADDRESSES.has(key) && !WEB.test(value)) continue;
    if (key === 'style') safe += ` class="align-${/left|center|right/.exec(value)?.[0]}"`;
    else safe += written === undefined ? ` ${key}` : ` ${key}="${escaped(value)}"`;
  }
  return safe;
}

/** So that the browser reads the value that was checked, whatever character references were in it. */
function escaped(value: string): string {
  return value.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

interface Policy {
  createHTML(html: string): unknown;
}
interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy;
}

/** The place of the policy in the page. Two versions of the panel share it, because a page may create it only once. */
const KEY = Symbol.for('parlance.policy');

/**
 * The safe HTML of a message, to be assigned to `innerHTML`: of the Trusted Types policy `parlance` in browsers with
 * Trusted Types, otherwise a string.
 */
export function trustedHtml(html: string): string {
  const page = globalThis as { trustedTypes?: PolicyFactory; [KEY]?: Policy };
  if (!page.trustedTypes) return safeHtml(html);
  page[KEY] ??= page.trustedTypes.createPolicy('parlance', { createHTML: safeHtml });
  // The DOM types of TypeScript know strings only.
  return page[KEY].createHTML(html) as string;
}
