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
  ...all(words('p br hr strong em del code pre blockquote ul li h1 h2 h3 h4 h5 h6 table thead tbody tr'), {}),
  ...all(['th', 'td'], CELL),
  ol: { start: NUMBER },
  a: {
    class: /^(?:stream|stream-topic|message-link)$/,
    'data-id': /^[\w-]+$/,
    'data-stream-id': NUMBER,
    href: LINK,
    title: ANY,
  },
  div: {
    class:
      /^(?:codehilite|spoiler-block|spoiler-header|spoiler-content|message_inline_image(?: message_inline_video)?|youtube-video message_inline_image)$/,
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
