import { isUtf8 } from 'node:buffer';
import { BadRequest, Unauthorized } from '../lib/index.ts';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The e-mail address and the API key of an Authorization header (reference, 1.2).
 * @throws BadRequest for another scheme than Basic, Unauthorized for a malformed header.
 */
export function basicCredentials(header: string): { email: string; apiKey: string } {
  const words = header.trim().split(/\s+/);
  const [scheme = '', encoded] = words;
  if (encoded !== undefined && scheme.toLowerCase() !== 'basic') {
    throw new BadRequest('This API takes HTTP Basic authentication only.');
  }
  if (words.length !== 2 || encoded === undefined || !isBase64(encoded)) throw malformed();
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) throw malformed();
  const parts = bytes.toString('utf8').split(':');
  if (parts.length !== 2) throw malformed();
  return { email: parts[0] as string, apiKey: parts[1] as string };
}

/** Node's decoder takes anything. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

function malformed(): Unauthorized {
  return new Unauthorized('The Authorization header is malformed; it must hold an e-mail address and an API key.');
}
