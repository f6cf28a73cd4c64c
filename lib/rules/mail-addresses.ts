import { createHmac } from 'node:crypto';
import { sameKey } from './credentials.ts';

/** What an e-mail address of the chat allows. */
export type MailPlace =
  /** To post as the account in the conversation of the message, or in this conversation if the message is deleted. */
  | { kind: 'reply'; userId: number; messageId: number; conversationId: number; expiresOn: number }
  /** To post in the channel as `senderId`. 0: as the sender of the e-mail. */
  | { kind: 'channel'; userId: number; channelId: number; senderId: number };

/** Options in a channel address, named as in the API. */
const OPTIONS = ['show-sender', 'include-footer', 'include-quotes', 'prefer-html'] as const;
export type MailOption = (typeof OPTIONS)[number];

export interface MailAddress {
  place: MailPlace;
  options: ReadonlySet<MailOption>;
  signature: string;
}

/** The key that signs addresses of an account. A new API key ends all of them. */
interface Signing {
  /** The secret of the organization. */
  secret: string;
  keyGeneration: number;
}

const DAY_MS = 24 * 3_600_000;
const REPLY_DAYS = 30;

/** The `expiresOn` of a reply address, in days since the epoch. Addresses of a day are equal. */
export const replyExpiry = (now: number) => Math.floor(now / DAY_MS) + REPLY_DAYS;

export const isExpired = (place: MailPlace, now: number) =>
  place.kind === 'reply' && Math.floor(now / DAY_MS) > place.expiresOn;

/** Lowercase, as mail servers may change the case. 25 digits have the 128 bits of the signature. */
const FORM = /^([rc])((?:[0-9a-z]{1,11}-){3,4})([0-9a-z]{25})$/;
/** SQLite and JavaScript have no larger IDs. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** The part before the @. Mail servers accept at least 64 characters. */
export function mailboxOf(place: MailPlace, signing: Signing): string {
  const body = bodyOf(place);
  return `${body}${signatureOf(body, signing)}`;
}

function bodyOf(place: MailPlace): string {
  const [letter, numbers] =
    place.kind === 'reply'
      ? ['r', [place.userId, place.messageId, place.conversationId, place.expiresOn]]
      : ['c', [place.userId, place.channelId, place.senderId]];
  return `${letter}${numbers.map((number) => `${number.toString(36)}-`).join('')}`;
}

function signatureOf(body: string, { secret, keyGeneration }: Signing): string {
  const digest = createHmac('sha256', secret).update(`address for mail:${keyGeneration}:${body}`).digest('hex');
  return BigInt(`0x${digest.slice(0, 32)}`)
    .toString(36)
    .padStart(25, '0');
}

/** The claims of an address at this domain. Undefined if it is no such address. Check its signature too. */
export function readMailAddress(address: string, domain: string): MailAddress | undefined {
  const at = address.lastIndexOf('@');
  if (at > 320 || address.slice(at + 1).toLowerCase() !== domain.toLowerCase()) return undefined;
  const [mailbox = '', ...asked] = address.slice(0, at).toLowerCase().split('+');
  const [, letter, body = '', signature = ''] = FORM.exec(mailbox) ?? [];
  const numbers = body
    .split('-')
    .slice(0, -1)
    .map((digits) => Number.parseInt(digits, 36));
  if (numbers.some((number) => number > MAX_ID)) return undefined;
  const [userId = 0, second = 0, third = 0, expiresOn] = numbers;
  const options = new Set(OPTIONS.filter((option) => asked.includes(option)));
  if (letter === 'r' && expiresOn !== undefined)
    return {
      place: { kind: 'reply', userId, messageId: second, conversationId: third, expiresOn },
      options,
      signature,
    };
  if (letter === 'c' && expiresOn === undefined)
    return { place: { kind: 'channel', userId, channelId: second, senderId: third }, options, signature };
  return undefined;
}

/** Whether this organization has made the address for the account, with its present API key. */
export const isSigned = ({ place, signature }: MailAddress, signing: Signing) =>
  sameKey(signature, signatureOf(bodyOf(place), signing));
