import type { WebhookOptions } from '../../../adapters/webhook-calls.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { isReachableHost } from '../../../rules/public-addresses.ts';

/**
 * Validates a webhook URL. The IP address of a host name is checked later, at each call.
 * @param parameter name of the request parameter, for the error message
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
    throw new BadRequest(`${parameter} must be an http or https URL, for example https://example.com/hook.`);
  }
  if (!isReachableHost(url.hostname, allowPrivateAddresses)) {
    throw new BadRequest(
      `${parameter} must be a public internet address. This server does not call private addresses.`,
    );
  }
  return url.href;
}
