import { BadRequest } from '../../../kernel/errors.ts';
import type { WebhookOptions } from '../../../ports/webhook-calls.ts';
import { isReachableHost } from '../../../rules/public-addresses.ts';

/**
 * The address of a web hook. Whether a name leads to a private network is seen when it is called.
 * @param parameter by which it was given
 * @throws BadRequest
 */
export function webhookUrl(
  parameter: string,
  given: string,
  { allowPrivateAddresses = false }: WebhookOptions,
): string {
  // Some clients send it as JSON.
  const text = /^".*"$/.test(given) ? given.slice(1, -1) : given;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new BadRequest(`${parameter} must be an http or https address such as https://example.com/hook.`);
  }
  if (!isReachableHost(url.hostname, allowPrivateAddresses)) {
    throw new BadRequest(`${parameter} must be on the public internet: this server calls no private addresses.`);
  }
  return url.href;
}
