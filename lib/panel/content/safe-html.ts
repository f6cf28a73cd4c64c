/**
 * Lets through only the HTML that a server of Parlance makes of messages. It reads tags as text, because a parser of
 * HTML would already load images and report inline styles to the content security policy.
 */

/**
 * Everything that may occur in the HTML of a message: elements, their attributes, and the values of each attribute.
 * The tests of the renderer and the walk of the panel use this table. Formulas also have a layout for old browsers
 * (`class="katex-html"`), which the walk leaves out.
 */
export type Attributes = Readonly<Record<string, RegExp>>;

const LINK =
  /^(?:https?:\/\/|(?:mailto|ftp|file|bitcoin|geo|im|ircs?|magnet|matrix|mms|news|nntp|openpgp4fpr|sip|sms|smsto|ssh|tel|urn|webcal|wtai|xmpp):|\/(?![/\\])|#)/;
const SOURCE = /^(?:https?:\/\/|\/(?![/\\]))/i;
const ANY = /^[\s\S]*$/;
const NUMBER = /^\d+$/;
const TRUE = /^true$/;
const BOOLEAN = /^(?:true|false)$/;
const LENGTH = /^[-+]?[\d.]+[a-z%]*$/;
const COLOR = /^(?:#[0-9a-fA-F]{3,8}|[a-z]+)$/;
const WORDS = /^[a-z ]+$/;
const SPACING = /^[-\w. ]+$/;
/** The walk makes the class of the style. */
const CELL: Attributes = {
  class: /^align-(?:left|center|right)$/,
  style: /^text-align: (?:left|center|right);$/,
};

/** The last alternatives: matches of a search, changes in an edit history, and classes of Pygments in code. */
const SPAN_CLASS =
  /^(?:emoji emoji-[0-9a-f]+(?:-[0-9a-f]+)*|user-mention(?: channel-wildcard-mention)?(?: silent)?|(?:user-group|topic)-mention(?: silent)?|katex(?:-display|-mathml|-html)?|tex-error|timestamp-error|highlight(?:_text_(?:inserted|deleted))?|[a-z][a-z0-9]?)$/;

const FORMULA: Attributes = {
  ...all(['stretchy', 'fence', 'separator', 'accent', 'accentunder', 'symmetric', 'movablelimits'], BOOLEAN),
  ...all(['lspace', 'rspace', 'minsize', 'maxsize', 'linethickness', 'width', 'height', 'depth', 'voffset'], LENGTH),
  ...all(['form', 'side', 'columnalign', 'columnlines', 'rowlines', 'notation'], WORDS),
  ...all(['columnspacing', 'rowspacing'], SPACING),
  ...all(['mathcolor', 'mathbackground'], COLOR),
  mathvariant: /^[a-z-]+$/,
  displaystyle: BOOLEAN,
  scriptlevel: NUMBER,
  linebreak: /^newline$/,
  class: /^(?:MJX-TeXAtom-[A-Z]+|[a-z]{1,12})$/,
};

export const GRAMMAR: Readonly<Record<string, Attributes>> = {
  ...all(words('p br hr strong em del code pre ul h1 h2 h3 h4 h5 h6 table thead tbody tr'), {}),
  ...all(['th', 'td'], CELL),
  // The walk adds the direction.
  ...all(['blockquote', 'li'], { dir: /^auto$/ }),
  ol: { start: NUMBER },
  a: {
    class: /^(?:stream|stream-topic|message-link|message_embed_image)$/,
    'data-id': /^[\w-]+$/,
    'data-stream-id': NUMBER,
    href: LINK,
    title: ANY,
  },
  div: {
    class:
      /^(?:codehilite|spoiler-block|spoiler-header|spoiler-content|message_inline_image(?: message_inline_video)?|youtube-video message_inline_image|message_embed(?:_title|_description)?|data-container)$/,
    'data-code-language': ANY,
    'aria-hidden': TRUE,
  },
  img: {
    alt: ANY,
    class: /^(?:emoji|image-loading-placeholder)$/,
    'data-animated': TRUE,
    'data-original-content-type': /^[\w.+-]+\/[\w.+-]+$/,
    'data-original-dimensions': /^\d+x\d+$/,
    src: SOURCE,
    title: ANY,
  },
  video: { 'data-video-original-url': SOURCE, preload: /^metadata$/, src: SOURCE },
  audio: { controls: /^$/, 'data-original-url': SOURCE, preload: /^metadata$/, src: SOURCE, title: ANY },
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/ },
  span: {
    'aria-hidden': TRUE,
    'aria-label': ANY,
    class: SPAN_CLASS,
    'data-user-group-id': NUMBER,
    'data-user-id': /^(?:\d+|\*)$/,
    role: /^img$/,
    title: ANY,
  },
  math: { xmlns: /^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/, display: /^block$/ },
  annotation: { encoding: /^application\/x-tex$/ },
  ...all(words('semantics mrow mi mo mn mtext ms mspace msup msub msubsup mfrac msqrt mroot'), FORMULA),
  ...all(words('mover munder munderover mtable mtr mtd mlabeledtr mstyle mpadded mphantom'), FORMULA),
  ...all(words('menclose mglyph merror mmultiscripts'), FORMULA),
};

export const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img']);

/** A tag at `lastIndex`: slash, name, attributes, slash of an empty element. Values have no `<`, so it stays linear. */
export const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*(?:="[^"<>]*")?)*)(\/?)>/y;
export const ATTRIBUTE = / ([a-zA-Z][a-zA-Z0-9-]*)(?:="([^"]*)")?/g;

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#x27': "'", '#39': "'" };

/** The value of an attribute. Other character references than those of the renderer stay as they are. */
export function decoded(value: string): string {
  return value.replace(/&(lt|gt|quot|amp|#x27|#39);/g, (_reference, name: string) => CHARACTERS[name] ?? '');
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

function all<T>(names: readonly string[], value: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** Addresses that a link may have. Other schemes open programs. */
const WEB = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)[^\u0000-\u0020\\]*$/i;
const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'data-original-url', 'data-video-original-url']);
/** Without other attributes. */
const DIRECTED: ReadonlySet<string> = new Set(['blockquote', 'li']);
/** Browsers do not nest deeper either. */
const MAX_DEPTH = 500;
const LAYOUT = ' class="katex-html"';

/**
 * The HTML without elements, attributes and values that `GRAMMAR` does not have; their text stays. Without the layout
 * of formulas, which needs inline styles: the browser shows their MathML. The alignment of table cells becomes a class.
 * Items and quotes get the direction of their text: their markers and bars stand beside its beginning. Takes linear time.
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
      const own = DIRECTED.has(name) ? ' dir="auto"' : safeAttributes(name, attributes);
      safe += `<${name}${own}>`;
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

interface Rules<Html, Script> {
  createHTML(html: string): Html;
  createScriptURL(url: string): Script;
}
type Policy = Rules<unknown, unknown>;
interface PolicyFactory {
  createPolicy(name: string, rules: Rules<string, string>): Policy;
}

/** The place of the policy in the page. Two versions of the panel share it, because a page may create it only once. */
const KEY = Symbol.for('parlance.policy');

const RULES: Rules<string, string> = {
  createHTML: safeHtml,
  /** The only scripts that the panel loads are those of the origin of the page. */
  createScriptURL(url) {
    if (url.startsWith(`${location.origin}/`)) return url;
    throw new TypeError(url);
  },
};

/** The policy `parlance` in browsers with Trusted Types, whose values the DOM types of TypeScript do not know. */
export function policy(): Rules<string, string> {
  const page = globalThis as { trustedTypes?: PolicyFactory; [KEY]?: Policy };
  if (!page.trustedTypes) return RULES;
  page[KEY] ??= page.trustedTypes.createPolicy('parlance', RULES);
  return page[KEY] as typeof RULES;
}

/** The safe HTML of a message, to be assigned to `innerHTML`. */
export const trustedHtml = (html: string): string => policy().createHTML(html);
