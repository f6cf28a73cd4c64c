import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import { truncate } from '../../../rules/topics.ts';

/** A message that another program sends in its own format. */
export interface WebhookMessage {
  /** The event with its action, such as `issues.opened`. Absent: the format has no events. */
  event?: string;
  /** Absent or empty: the format has no topic. */
  topic?: string;
  /** Markdown. May be too long, and contain mentions and characters that messages cannot contain. */
  content: string;
}

/**
 * Reads a body. Uses no accounts, channels or storage.
 * @param payload any JSON value
 * @returns undefined if the body reports nothing to show
 * @throws BadRequest, which names the field
 */
export type WebhookFormat = (payload: unknown, event: string | undefined) => WebhookMessage | undefined;

/** Lists, objects and members of objects. A push of GitHub has 25 for each commit of about a kilobyte. */
const MAX_PARTS = 30_000;

/**
 * The value of a JSON text. Counts first: a parser takes a tenth of a second for a megabyte of brackets or of different
 * names.
 * @throws BadRequest
 */
export function parsePayload(payload: string): unknown {
  if (partsIn(payload) > MAX_PARTS)
    throw new BadRequest(`payload has too many lists, objects and members (limit: ${MAX_PARTS}).`);
  try {
    return JSON.parse(payload);
  } catch {
    throw new BadRequest('payload must be JSON.');
  }
}

const [QUOTE, BACKSLASH, BRACKET, BRACE, COLON] = [0x22, 0x5c, 0x5b, 0x7b, 0x3a];

function partsIn(json: string): number {
  let parts = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at);
    if (isInText && sign === BACKSLASH) at++;
    else if (sign === QUOTE) isInText = !isInText;
    else if (!isInText && (sign === BRACKET || sign === BRACE || sign === COLON)) parts++;
  }
  return parts;
}

/** An object in a payload. Its other fields do not matter. */
export const objectOf = <E extends v.ObjectEntries>(entries: E) =>
  v.object(entries, ({ expected }) => (expected === 'Object' ? 'must be an object' : 'is missing'));

/** Joins parts that are not empty. Reads no more parts than a message can contain. */
export function joined(parts: Iterable<string>, separator: string): string {
  let text = '';
  for (const part of parts) {
    if (part === '') continue;
    text += text === '' ? part : separator + part;
    if (text.length > 2 * MAX_MESSAGE_LENGTH) break;
  }
  return text;
}

export const oneLine = (text: string) => text.slice(0, MAX_MESSAGE_LENGTH).replace(/\s+/g, ' ').trim();

export const shortened = (text: string, max: number) => truncate(text.slice(0, 2 * max), max, '…');

export function bold(text: string): string {
  const inside = text.trim();
  return inside === '' || inside.includes('**') ? inside : `**${inside}**`;
}

/** A link. Only its text if the address is not one of the web, of e-mail or a telephone number. */
export function link(label: string, url: string): string {
  const text = oneLine(label);
  const address = webAddress(url);
  if (address === '') return text;
  if (text === '' || text === url) return address;
  return `[${isBalanced(text) ? text : text.replaceAll('[', '(').replaceAll(']', ')')}](${address})`;
}

const MAX_ADDRESS = 2_000;

/** The address as a link can contain it. Empty if it is no address. */
export function webAddress(given: string): string {
  const url = given.slice(0, MAX_ADDRESS + 1).trim();
  if (url.length > MAX_ADDRESS || !/^(?:https?:\/\/|mailto:|tel:)\S/i.test(url)) return '';
  return url.replace(/[\s<>()"'`\\]/g, (sign) =>
    sign < '\x80' ? `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}` : encodeURIComponent(sign),
  );
}

/** Whether square brackets are in pairs, as in `[FIRING:2] Disk full`. Others would end the text of a link. */
function isBalanced(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === '[') open++;
    if (sign === ']' && --open < 0) return false;
  }
  return open === 0;
}
