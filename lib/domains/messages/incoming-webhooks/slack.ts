import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { readParameter } from '../../../engine/parameters.ts';
import { bold, joined, link, objectOf, oneLine, type WebhookFormat } from './format.ts';
import { AS_TEXT, codeBlock, markdownOf, plainText, type SlackReferences, timeOf } from './mrkdwn.ts';

/** Limits of Slack. */
const MAX_BLOCKS = 50;
const MAX_ATTACHMENTS = 100;
/** Objects in a body. Slack allows no more in any block that it documents. */
const MAX_OBJECTS = 3_000;

const FEW = `has too many elements (limit: ${MAX_OBJECTS})`;

/** Counts before the schema reads each of them. */
function hasFewObjects(payload: unknown): boolean {
  const waiting: object[] = [{ payload }];
  for (const object of waiting) {
    // `Object.values` takes as long as the JSON parser.
    const isList = Array.isArray(object);
    for (const each of isList ? object : Object.keys(object)) {
      const value: unknown = isList ? each : Reflect.get(object, each);
      if (typeof value !== 'object' || value === null) continue;
      if (waiting.length > MAX_OBJECTS) return false;
      waiting.push(value);
    }
  }
  return true;
}

/** Senders write numbers as they are, and null for nothing. */
const word = v.nullish(v.union([v.string(), v.number(), v.boolean()], 'must be a text'));

const textObject = objectOf({ type: word, text: word });
const textOrObject = v.nullish(v.union([v.string(), v.number(), textObject], 'must be a text or a text object'));
const textObjects = v.nullish(v.array(textObject, 'must be a list'));

const isStyled = v.optional(v.unknown());
const styles = objectOf({ strike: isStyled, bold: isStyled, italic: isStyled, code: isStyled });

/** Elements of blocks and of rich text have different fields, which do not contradict each other. */
const element = {
  type: word,
  text: textOrObject,
  url: word,
  image_url: word,
  alt_text: word,
  name: word,
  range: word,
  user_id: word,
  channel_id: word,
  usergroup_id: word,
  timestamp: word,
  fallback: word,
  style: v.nullish(v.union([v.string(), styles], 'must be a text or an object')),
  indent: word,
};

const leaf = objectOf(element);
const section = objectOf({ ...element, elements: v.nullish(v.array(leaf, 'must be a list')) });
const part = objectOf({ ...element, elements: v.nullish(v.array(section, 'must be a list')) });

const block = objectOf({
  type: v.string('must be a text'),
  text: v.nullish(textObject),
  title: textOrObject,
  image_url: word,
  alt_text: word,
  fields: textObjects,
  accessory: v.nullish(leaf),
  elements: v.nullish(v.array(part, 'must be a list')),
});

const blocks = v.nullish(
  v.pipe(v.array(block, 'must be a list'), v.maxLength(MAX_BLOCKS, `has too many elements (limit: ${MAX_BLOCKS})`)),
);

const field = objectOf({ title: word, value: word });

const attachment = objectOf({
  fallback: word,
  pretext: word,
  author_name: word,
  author_link: word,
  title: word,
  title_link: word,
  text: word,
  fields: v.nullish(v.array(field, 'must be a list')),
  image_url: word,
  footer: word,
  ts: word,
  actions: v.nullish(v.array(leaf, 'must be a list')),
  blocks,
});

const slackPayload = v.pipe(
  v.unknown(),
  v.check((payload) => !Array.isArray(payload), 'must be a JSON object'),
  v.check(hasFewObjects, FEW),
  objectOf({
    text: word,
    username: word,
    mrkdwn: v.nullish(v.boolean('must be a boolean')),
    blocks,
    attachments: v.nullish(
      v.pipe(
        v.array(attachment, 'must be a list'),
        v.maxLength(MAX_ATTACHMENTS, `has too many elements (limit: ${MAX_ATTACHMENTS})`),
      ),
    ),
  }),
);

type SlackPayload = v.InferOutput<typeof slackPayload>;
type Attachment = v.InferOutput<typeof attachment>;
type Block = v.InferOutput<typeof block>;
type Part = v.InferOutput<typeof part>;
type Leaf = v.InferOutput<typeof leaf>;
type Word = v.InferOutput<typeof word>;
type TextOrObject = v.InferOutput<typeof textOrObject>;

/** The body of Slack's incoming webhooks, which most programs with alerts can send. Its topic is the `username`. */
export const slackFormat: WebhookFormat = (given) => {
  const payload = readParameter('payload', slackPayload, given);
  const content = joined(partsOf(payload, AS_TEXT), '\n\n');
  if (content === '') throw new BadRequest('payload needs a text, blocks or attachments that show something.');
  return { topic: textOf(payload.username), content };
};

/** A message as Slack stores it. Empty if it shows nothing. Ignores invalid blocks. */
export function slackContent(message: object, references: SlackReferences): string {
  const whole = v.safeParse(slackPayload, message);
  const text = 'text' in message && typeof message.text === 'string' ? message.text : '';
  return joined(partsOf(whole.success ? whole.output : { text }, references), '\n\n');
}

function* partsOf({ text, mrkdwn, blocks: main, attachments }: SlackPayload, to: SlackReferences): Generator<string> {
  const shown = joined(blockTexts(main, to), '\n\n');
  // With blocks, the text is for notifications alone.
  yield shown === '' ? (mrkdwn === false ? plainText(textOf(text)) : markdownOf(textOf(text), to)) : shown;
  for (const one of attachments ?? []) yield joined(attachmentTexts(one, to), '\n');
}

function* attachmentTexts(given: Attachment, to: SlackReferences): Generator<string> {
  const { pretext, author_name, author_link, title, title_link, text, image_url, footer, ts, fallback } = given;
  const isEmpty = !pretext && !title && !text && !given.fields?.length && !given.blocks?.length && !image_url;
  yield markdownOf(textOf(isEmpty ? fallback : pretext), to);
  yield link(plainText(textOf(author_name)), textOf(author_link));
  yield bold(link(plainText(textOf(title)), textOf(title_link)));
  yield markdownOf(textOf(text), to);
  for (const { title: name, value } of given.fields ?? [])
    yield joined([bold(labelled(name)), markdownOf(textOf(value), to)], ' ');
  yield joined(blockTexts(given.blocks, to), '\n\n');
  yield textOf(image_url) === '' ? '' : link('Image', textOf(image_url));
  yield joined((given.actions ?? []).map(buttonText), ' · ');
  yield joined([plainText(textOf(footer)), footer || ts ? timeOf(Number(ts)) : ''], ' ');
}

const labelled = (name: Word) => {
  const text = oneLine(plainText(textOf(name))).replace(/:$/, '');
  return text === '' ? '' : `${text}:`;
};

function* blockTexts(given: Attachment['blocks'], to: SlackReferences): Generator<string> {
  for (const one of given ?? []) yield blockText(one, to);
}

function blockText(given: Block, to: SlackReferences): string {
  const { type, text, title, fields, accessory, elements, image_url, alt_text } = given;
  switch (type) {
    case 'header':
      return bold(oneLine(plainText(textOf(text?.text))));
    case 'section':
      return joined(
        [
          formatted(text, to),
          ...(fields ?? []).map((one) => formatted(one, to)),
          accessory ? elementText(accessory, to) : '',
        ],
        '\n',
      );
    case 'context':
      return joined(
        (elements ?? []).map((one) => elementText(one, to)),
        ' ',
      );
    case 'actions':
      return joined((elements ?? []).map(buttonText), ' · ');
    case 'image':
      return imageText(formatted(title, to) || textOf(alt_text), image_url);
    case 'divider':
      return '---';
    case 'rich_text':
      return joined(
        (elements ?? []).map((one) => richText(one, to)),
        '\n',
      ).trim();
    default:
      return '';
  }
}

/** A text object, or plain text. */
function formatted(given: TextOrObject, to: SlackReferences = AS_TEXT): string {
  if (typeof given !== 'object' || given === null) return plainText(textOf(given));
  const text = textOf(given.text);
  return given.type === 'plain_text' ? plainText(text) : markdownOf(text, to);
}

function elementText(given: Leaf, to: SlackReferences): string {
  if (given.type === 'image') return imageText(textOf(given.alt_text), given.image_url);
  if (given.type === 'button') return buttonText(given);
  return formatted({ type: given.type, text: typeof given.text === 'object' ? given.text?.text : given.text }, to);
}

const imageText = (label: string, url: Word) => (url ? link(label || 'Image', textOf(url)) : '');

/** A button that opens an address. Others need an app in Slack. */
function buttonText({ text, url }: Leaf): string {
  return webUrl(url) ? link(formatted(text), textOf(url)) : '';
}

const webUrl = (url: Word) => typeof url === 'string' && url !== '';

function richText({ type, elements, style, indent }: Part, to: SlackReferences): string {
  const parts = elements ?? [];
  if (type === 'rich_text_list') {
    const margin = '  '.repeat(Math.min(Math.max(Number(indent) || 0, 0), 8));
    const items = parts.map(({ elements: inside }, at) => {
      const sign = style === 'ordered' ? `${at + 1}.` : '*';
      return `${margin}${sign} ${inlineText(inside ?? [], to).replaceAll('\n', ' ')}`;
    });
    return joined(items, '\n');
  }
  const text = type === 'rich_text_preformatted' ? textsOf(parts) : inlineText(parts, to);
  if (type === 'rich_text_preformatted') return codeBlock(text);
  if (type !== 'rich_text_quote') return text.replace(/^\n+/, '');
  return `${text.trim().replace(/^/gm, '> ')}\n`;
}

const textsOf = (given: readonly Leaf[]) =>
  joined(
    given.map(({ text, url }) => plainOf(text) || textOf(url)),
    '',
  );

const inlineText = (given: readonly Leaf[], to: SlackReferences) =>
  joined(
    given.map((one) => inlineElement(one, to)),
    '',
  );

function inlineElement(given: Leaf, to: SlackReferences): string {
  const { type, text, url, name, range, user_id, channel_id, usergroup_id, timestamp, fallback } = given;
  switch (type) {
    case 'link':
      return styled(to.link(plainOf(text), textOf(url)), given);
    case 'emoji':
      return `:${oneLine(textOf(name))}:`;
    case 'user':
      return to.user(oneLine(textOf(user_id)), '');
    case 'usergroup':
      return to.group(oneLine(textOf(usergroup_id)), '');
    case 'channel':
      return to.channel(oneLine(textOf(channel_id)), '');
    case 'broadcast':
      return `@${oneLine(textOf(range))}`;
    case 'date':
      return timeOf(Number(timestamp), oneLine(textOf(fallback)));
    default:
      return styled(plainOf(text), given);
  }
}

const plainOf = (text: TextOrObject) => textOf(typeof text === 'object' ? text?.text : text);

/** White space stays outside of the signs, which would else be text. */
function styled(text: string, { style }: Leaf): string {
  const inside = text.trim();
  if (typeof style !== 'object' || style === null || inside === '' || inside.includes('\n')) return text;
  const signs = [style.strike ? '~~' : '', style.bold ? '**' : '', style.italic ? '*' : '', style.code ? '`' : ''];
  const open = signs.join('');
  const at = text.indexOf(inside);
  return `${text.slice(0, at)}${open}${inside}${signs.reverse().join('')}${text.slice(at + inside.length)}`;
}

const textOf = (given: Word) => (given === null || given === undefined ? '' : String(given));
