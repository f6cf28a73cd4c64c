/**
 * Everything that may occur in a rendered message: elements, their attributes, and what each attribute
 * may say. Whatever the renderer produces is held against this list.
 */
type Attributes = Readonly<Record<string, RegExp>>;

const LINK =
  /^(?:https?:\/\/|(?:mailto|ftp|file|bitcoin|geo|im|ircs?|magnet|matrix|mms|news|nntp|openpgp4fpr|sip|sms|smsto|ssh|tel|urn|webcal|wtai|xmpp):|\/(?![/\\])|#)/;
const SOURCE = /^(?:https?:\/\/|\/(?![/\\]))/i;
const ANY = /^[\s\S]*$/;
const NUMBER = /^\d+$/;
const LENGTH = /^-?[\d.]+(?:em|ex|px|pt|%)?$/;
const ALIGNMENT = { style: /^text-align: (?:left|center|right);$/ };

const DIV_CLASSES =
  /^(?:codehilite|spoiler-block|spoiler-header|spoiler-content|message_inline_image(?: message_inline_video)?|youtube-video message_inline_image)$/;
/** A formula's layout and highlighted code use many. */
const SPAN_CLASSES = /^[\w -]+$/;
/** Sizes, places and colours; no address can stand in it. */
const FORMULA_STYLE =
  /^(?:[a-z-]+:(?:-?[\d.]+(?:em|px|%)?|#[0-9a-fA-F]{3,8}|[a-z]+|calc\([^()":;]*\)|[\d. em+-]+)(?: [\w.#-]+)*(?:;|$))*$/;

const FORMULA: Attributes = {
  mathvariant: /^[a-z-]+$/,
  mathcolor: /^(?:#[0-9a-fA-F]{3,8}|[a-z]+)$/,
  mathbackground: /^(?:#[0-9a-fA-F]{3,8}|[a-z]+)$/,
  style: FORMULA_STYLE,
  stretchy: /^(?:true|false)$/,
  fence: /^(?:true|false)$/,
  separator: /^(?:true|false)$/,
  form: /^[a-z]+$/,
  accent: /^(?:true|false)$/,
  accentunder: /^(?:true|false)$/,
  symmetric: /^(?:true|false)$/,
  movablelimits: /^(?:true|false)$/,
  lspace: LENGTH,
  rspace: LENGTH,
  minsize: LENGTH,
  maxsize: LENGTH,
  width: /^[-+]?[\d.]+[a-z%]*$/,
  height: /^[-+]?[\d.]+[a-z%]*$/,
  depth: /^[-+]?[\d.]+[a-z%]*$/,
  voffset: /^[-+]?[\d.]+[a-z%]*$/,
  linethickness: LENGTH,
  notation: /^[a-z ]+$/,
  displaystyle: /^(?:true|false)$/,
  scriptlevel: NUMBER,
  columnalign: /^[a-z ]+$/,
  columnspacing: /^[-\w. ]+$/,
  rowspacing: /^[-\w. ]+$/,
  columnlines: /^[a-z ]+$/,
  rowlines: /^[a-z ]+$/,
  side: /^[a-z]+$/,
  linebreak: /^newline$/,
  class: /^[\w -]+$/,
};

export const ALLOWED: Readonly<Record<string, Attributes>> = {
  ...Object.fromEntries(
    ['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'li'].map((name) => [name, {}]),
  ),
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, {}])),
  ...Object.fromEntries(['table', 'thead', 'tbody', 'tr'].map((name) => [name, {}])),
  th: ALIGNMENT,
  td: ALIGNMENT,
  ol: { start: NUMBER },
  a: {
    class: /^(?:stream|stream-topic|message-link)$/,
    'data-id': /^[\w-]+$/,
    'data-stream-id': NUMBER,
    href: LINK,
    title: ANY,
  },
  div: { class: DIV_CLASSES, 'data-code-language': ANY, 'aria-hidden': /^true$/ },
  img: {
    alt: ANY,
    class: /^(?:emoji|image-loading-placeholder)$/,
    'data-original-content-type': /^[\w.+-]+\/[\w.+-]+$/,
    'data-original-dimensions': /^\d+x\d+$/,
    src: SOURCE,
    title: ANY,
  },
  video: { 'data-video-original-url': SOURCE, preload: /^metadata$/, src: SOURCE },
  audio: { controls: /^$/, 'data-original-url': SOURCE, preload: /^metadata$/, src: SOURCE, title: ANY },
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/ },
  span: {
    'aria-hidden': /^true$/,
    'aria-label': ANY,
    class: SPAN_CLASSES,
    'data-user-group-id': NUMBER,
    'data-user-id': /^(?:\d+|\*)$/,
    role: /^img$/,
    style: FORMULA_STYLE,
    title: ANY,
  },
  math: { xmlns: /^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/, display: /^block$/ },
  annotation: { encoding: /^application\/x-tex$/ },
  ...Object.fromEntries(
    [
      ...['semantics', 'mrow', 'mi', 'mo', 'mn', 'mtext', 'ms', 'mspace', 'msup', 'msub', 'msubsup', 'mfrac', 'msqrt'],
      ...[
        'mroot',
        'mover',
        'munder',
        'munderover',
        'mtable',
        'mtr',
        'mtd',
        'mlabeledtr',
        'mstyle',
        'mpadded',
        'mphantom',
      ],
      ...['menclose', 'mglyph', 'merror', 'mmultiscripts'],
    ].map((name) => [name, FORMULA]),
  ),
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

/** The same for clients with the capability `strict_content`: nothing has a style. */
export const STRICT: Readonly<Record<string, Attributes>> = {
  ...Object.fromEntries(Object.entries(ALLOWED).map(([name, { style: _, ...rest }]) => [name, rest])),
  ...Object.fromEntries(['th', 'td'].map((name) => [name, { class: /^align-(?:left|center|right)$/ }])),
};

const VOID = new Set(['br', 'hr', 'img']);
const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*(?:="[^"<>]*")?)*)(\/?)>/y;
const ATTRIBUTE = / ([a-zA-Z][a-zA-Z0-9-]*)(?:="([^"]*)")?/g;
const REFERENCE = /&(?:#[0-9]+|#x[0-9a-fA-F]+|[0-9a-zA-Z]+);/y;

/** What is wrong with a message's HTML, in order; nothing when it is as it has to be. */
export function violations(html: string, grammar = ALLOWED): string[] {
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

function tagViolations(
  [, slash, name = '', attributes = '', selfClosing]: RegExpExecArray,
  open: string[],
  grammar: typeof ALLOWED,
): string[] {
  if (slash) return open.pop() === name ? [] : [`</${name}> closes something else`];
  const allowed = Object.hasOwn(grammar, name) ? grammar[name] : undefined;
  if (!allowed) return [`the element ${name}`];
  const found = name === 'a' && open.includes('a') ? ['a link inside a link'] : [];
  if (!VOID.has(name) && !selfClosing) open.push(name);
  const seen = new Set<string>();
  for (const [, key = '', value = ''] of attributes.matchAll(ATTRIBUTE)) {
    const pattern = Object.hasOwn(allowed, key) ? allowed[key] : undefined;
    if (!pattern?.test(decoded(value))) found.push(`${name} ${key}="${value}"`);
    if (seen.has(key)) found.push(`${name} ${key} twice`);
    seen.add(key);
  }
  return found;
}

export function decoded(value: string): string {
  return value
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}
