/**
 * Everything that a rendered message may contain: elements, their attributes, and the values of each attribute. Tests
 * compare all output of the renderer with this list.
 */
import { ATTRIBUTE, type Attributes, decoded, GRAMMAR, TAG, VOID } from '../../lib/panel/content/safe-html.ts';

/** Sizes, positions and colors. An address is never valid. */
const FORMULA_STYLE =
  /^(?:[a-z-]+:(?:-?[\d.]+(?:em|px|%)?|#[0-9a-fA-F]{3,8}|[a-z]+|calc\([^()":;]*\)|[\d. em+-]+)(?: [\w.#-]+)*(?:;|$))*$/;
/** The picture of a linked page, which the panel omits. */
const PICTURE_STYLE = /^background-image: url\("https?:\/\/[^"\\\s]*"\)$/;
const LENGTH = /^-?[\d.]+(?:em|ex|px|pt|%)?$/;

/** The layout of formulas, which the panel omits. */
const LAYOUT: Readonly<Record<string, Attributes>> = {
  span: { 'aria-hidden': /^true$/, class: /^[\w -]+$/, style: FORMULA_STYLE },
  svg: {
    xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
    width: LENGTH,
    height: LENGTH,
    viewBox: /^[\d. -]+$/,
    preserveAspectRatio: /^[a-zA-Z ]+$/,
    style: FORMULA_STYLE,
    class: /^[\w -]+$/,
  },
  path: { d: /^[MmLlHhVvCcSsQqTtAaZz\d\s.,-]*$/ },
  line: Object.fromEntries(['x1', 'x2', 'y1', 'y2', 'stroke-width'].map((name) => [name, LENGTH])),
};

/** Every element with every attribute, at any place. */
export const ALLOWED: Readonly<Record<string, Attributes>> = {
  ...GRAMMAR,
  ...LAYOUT,
  span: { ...GRAMMAR.span, style: FORMULA_STYLE },
  a: { ...GRAMMAR.a, style: PICTURE_STYLE },
};

/** The same for clients with the capability `strict_content`: without styles, and without the layout of formulas. */
export const STRICT: Readonly<Record<string, Attributes>> = Object.fromEntries(
  Object.entries(GRAMMAR).map(([name, { style: _, ...rest }]) => [name, rest]),
);

const REFERENCE = /&(?:#[0-9]+|#x[0-9a-fA-F]+|[0-9a-zA-Z]+);/y;

/** Faults in a message's HTML, in order. Empty if there are none. */
export function violations(html: string, grammar = GRAMMAR): string[] {
  const found: string[] = [];
  const open: string[] = [];
  for (let at = 0; at < html.length; at += 1) {
    const character = html[at];
    if (character === '&' && !matches(REFERENCE, html, at)) found.push(`a bare & at ${at}`);
    if (character === '>') found.push(`a bare > at ${at}`);
    if (character !== '<') continue;
    const tag = matches(TAG, html, at);
    if (!tag) {
      found.push(`no tag at ${at}: ${html.slice(at, at + 40)}`);
      continue;
    }
    found.push(...tagViolations(tag, open, grammar));
    at += tag[0].length - 1;
  }
  return open.length > 0 ? [...found, `left open: ${open.join(' ')}`] : found;
}

function matches(pattern: RegExp, html: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(html) ?? undefined;
}

/** @param open elements around the tag; those in the layout of a formula have a star */
function tagViolations(
  [, slash, name = '', attributes = '', selfClosing]: RegExpExecArray,
  open: string[],
  outside: Readonly<Record<string, Attributes>>,
): string[] {
  if (slash) return open.pop()?.replace('*', '') === name ? [] : [`</${name}> closes something else`];
  const isLayout = open.at(-1)?.endsWith('*') ?? false;
  const grammar = isLayout ? LAYOUT : outside;
  const allowed = Object.hasOwn(grammar, name) ? grammar[name] : undefined;
  if (!allowed) return [`the element ${name}`];
  const found = name === 'a' && open.includes('a') ? ['a link inside a link'] : [];
  const opensLayout = isLayout || attributes.includes(' class="katex-html"');
  if (!VOID.has(name) && !selfClosing) open.push(opensLayout ? `${name}*` : name);
  const seen = new Set<string>();
  for (const [, key = '', value = ''] of attributes.matchAll(ATTRIBUTE)) {
    const pattern = Object.hasOwn(allowed, key) ? allowed[key] : undefined;
    if (!pattern?.test(decoded(value))) found.push(`${name} ${key}="${value}"`);
    if (seen.has(key)) found.push(`${name} ${key} twice`);
    seen.add(key);
  }
  return found;
}
