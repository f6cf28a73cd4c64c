import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BadRequest, Unauthorized } from '../lib/internal.ts';
import { arrivingBody, checkUncompressed, lengthOf, mediaTypeOf } from './body.ts';
import type { ListenerContext } from './context.ts';
import { BodyTooLarge } from './form.ts';
import type { Page } from './pages/page.ts';

/** Where the webhook of a mail provider posts received e-mails. */
export const INBOUND_MAIL = '/inbound/mail';

const MAX_BYTES = 25 * 1024 * 1024;
const FORMS = ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'];

/**
 * Receives an e-mail as the body (MIME). The query may have the recipients (`to`) and the sender (`from`) of its
 * envelope. A refused e-mail is a success too, since its sender gets the report: providers repeat what fails.
 */
export async function receiveInboundMail(
  { chat, rateLimits }: ListenerContext,
  req: IncomingMessage,
  secret: string,
): Promise<Page> {
  if (!hasSecret(req, secret)) {
    await rateLimits?.takeByAddress(req, 'pages_by_ip');
    throw new Unauthorized('Send the secret for inbound mail as the Bearer token, or as the password of HTTP Basic.');
  }
  checkUncompressed(req);
  if (FORMS.includes(mediaTypeOf(req)))
    throw new BadRequest('The body must be the e-mail itself (message/rfc822), not a form.', undefined, 415);
  if (lengthOf(req) > MAX_BYTES) throw new BodyTooLarge(MAX_BYTES);
  const query = new URL(req.url ?? '/', 'http://localhost').searchParams;
  const to = query.getAll('to');
  const from = query.get('from');
  const results = await chat.receiveMail(arrivingBody(req), {
    ...(to.length > 0 ? { to } : {}),
    ...(from === null ? {} : { from }),
  });
  return {
    bytes: Buffer.from(`${JSON.stringify({ result: 'success', msg: '', results })}\n`),
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  };
}

function hasSecret({ headers: { authorization = '' } }: IncomingMessage, secret: string): boolean {
  const [, scheme = '', given = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? [];
  const isBasic = scheme.toLowerCase() === 'basic';
  const text = isBasic
    ? Buffer.from(given, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:/, '')
    : given;
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return scheme !== '' && timingSafeEqual(digest(text), digest(secret));
}
