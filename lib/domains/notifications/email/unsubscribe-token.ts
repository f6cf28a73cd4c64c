import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Organization } from '../../../model/organization.ts';

/** The e-mails that a link ends: about mentions and direct messages, followed topics, or one channel, or digests. */
export type EmailKind = 'mentions' | 'followed topics' | 'digest' | { channel_id: number };

const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORM = /^(\d{1,15}) (m|f|d|c(\d{1,15}))$/;

const KINDS = { m: 'mentions', f: 'followed topics', d: 'digest' } as const;

/** Characters: IV, tag and at most 32 letters, in hexadecimal digits. */
export const MAX_TOKEN_LENGTH = 200;

const keyOf = ({ secret }: Pick<Organization, 'secret'>) =>
  createHmac('sha256', secret).update('links that end e-mail notifications').digest();

/**
 * A token that ends e-mails of a kind for an account. It is encrypted: it says nothing about the account. It never
 * expires. Hexadecimal, because a token that begins with `-` would be an option on a command line.
 */
export function unsubscribeToken(organization: Pick<Organization, 'secret'>, userId: number, kind: EmailKind): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(organization), iv);
  const letter = typeof kind === 'object' ? `c${kind.channel_id}` : kind.charAt(0);
  const sealed = Buffer.concat([cipher.update(`${userId} ${letter}`, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('hex');
}

/** undefined if the token is not one of this organization. */
export function readUnsubscribeToken(
  organization: Pick<Organization, 'secret'>,
  token: string,
): { userId: number; kind: EmailKind } | undefined {
  const bytes = Buffer.from(/^(?:[0-9a-f]{2})+$/.test(token) ? token : '', 'hex');
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(organization), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    const [, user, letter, channel] = FORM.exec(text) ?? [];
    if (user === undefined) return undefined;
    return {
      userId: Number(user),
      kind: channel ? { channel_id: Number(channel) } : KINDS[letter as keyof typeof KINDS],
    };
  } catch {
    return undefined;
  }
}
