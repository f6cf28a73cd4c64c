import { VERSION } from '../base/version.ts';
import type { PrivateNetworks } from '../rules/public-addresses.ts';
import { postOut } from './outgoing-calls.ts';

/** Options for calls of outgoing webhooks. */
export interface WebhookOptions {
  /**
   * Private networks that webhooks and push services of browsers may use, for example `['10.1.0.0/16', '127.0.0.1']`,
   * or `true` for all. Default false: only public addresses.
   */
  allowPrivateAddresses?: PrivateNetworks;
  /** Timeout of a call in milliseconds. Default 10000. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Largest response in bytes. A message has at most a tenth of it. */
const MAX_ANSWER = 256 * 1024;

/**
 * Calls a webhook.
 * @throws OutgoingCallFailed
 */
export const callWebhook = (
  url: string,
  body: { type: string; text: string },
  { allowPrivateAddresses = false, timeoutMs = DEFAULT_TIMEOUT_MS }: WebhookOptions,
) =>
  postOut(
    url,
    {
      headers: { 'content-type': body.type, 'user-agent': `ZulipOutgoingWebhook/${VERSION} Parlance/${VERSION}` },
      body: body.text,
    },
    { what: 'webhook', allowPrivateAddresses, timeoutMs, maxAnswer: MAX_ANSWER },
  );
