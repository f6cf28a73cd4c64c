import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Operation } from '../lib/internal.ts';
import { noFields, queryText, readFields } from './form.ts';

type Incoming = NonNullable<Operation['incoming']>;

/** The parameter of the URL with the API key of an incoming-webhook bot. */
const KEY = 'api_key';

export function webhookKeyIn(query: string): string | undefined {
  return readFields(queryText(query), noFields())[KEY];
}

/** Adds the parameters that are headers, unless the URL has them. The key is no parameter of the operation. */
export function addHeaders(
  values: Record<string, unknown>,
  incoming: Incoming,
  { headers, url }: IncomingMessage,
): void {
  delete values[KEY];
  for (const [header, name] of Object.entries(incoming.headers)) values[name] ??= headers[header];
  const delivery = headers[incoming.delivery];
  // GitHub sends an event to all of its webhooks with the same ID.
  if (delivery !== undefined)
    values.idempotency_key ??= createHash('sha256').update(`${delivery} ${url}`).digest('base64url');
}
