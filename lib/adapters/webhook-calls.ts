import { lookup as lookUpName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { codeOf } from '../base/caught.ts';
import { VERSION } from '../base/version.ts';
import { isReachableHost, type PrivateNetworks, reachableAddresses } from '../rules/public-addresses.ts';

/** Options for calls of outgoing webhooks. */
export interface WebhookOptions {
  /**
   * Private networks that webhooks may use, for example `['10.1.0.0/16', '127.0.0.1']`, or `true` for all. Default
   * false: only public addresses.
   */
  allowPrivateAddresses?: PrivateNetworks;
  /** Timeout of a call in milliseconds. Default 10000. */
  timeoutMs?: number;
}

interface WebhookAnswer {
  status: number;
  text: string;
}

/** The call failed. */
export class WebhookCallFailed extends Error {
  /** A retry would not help. */
  readonly isFinal: boolean;

  constructor(message: string, options: { isFinal: boolean }) {
    super(message);
    this.name = 'WebhookCallFailed';
    this.isFinal = options.isFinal;
  }
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Largest response in bytes. A message has at most a tenth of it. */
const MAX_ANSWER = 256 * 1024;
const PRIVATE = 'The webhook is in a private network, which this server does not call.';

/** Checks the address that is then connected to: a second lookup could return another one. */
export const lookUpReachable =
  (isReachable: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookUpName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      // All addresses must be allowed, since any of them may be connected to.
      if (addresses.length === 0 || !addresses.every(({ address }) => isReachable(address))) {
        return callback(new WebhookCallFailed(PRIVATE, { isFinal: true }), '');
      }
      if (options.all) return callback(null, addresses);
      const [{ address, family } = { address: '', family: 4 }] = addresses;
      callback(null, address, family);
    });
  };

/**
 * Calls a webhook. Does not follow redirects, since they would bypass the check of the address.
 * @throws WebhookCallFailed
 */
export async function callWebhook(
  url: string,
  body: { type: string; text: string },
  { allowPrivateAddresses = false, timeoutMs = DEFAULT_TIMEOUT_MS }: WebhookOptions,
): Promise<WebhookAnswer> {
  // For an IP address in the URL, `lookup` is not called.
  if (!isReachableHost(new URL(url).hostname, allowPrivateAddresses)) {
    throw new WebhookCallFailed(PRIVATE, { isFinal: true });
  }
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({
    connect: { timeout: timeoutMs, lookup: lookUpReachable(reachableAddresses(allowPrivateAddresses)) },
    pipelining: 0,
    maxResponseSize: MAX_ANSWER,
  });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headers: { 'content-type': body.type, 'user-agent': `ZulipOutgoingWebhook/${VERSION} Parlance/${VERSION}` },
      body: body.text,
      dispatcher,
      signal,
    });
    return { status: statusCode, text: await answer.text() };
  } catch (error) {
    throw failureOf(error, signal, timeoutMs);
  } finally {
    void dispatcher.destroy();
  }
}

function failureOf(error: unknown, timeout: AbortSignal, timeoutMs: number): WebhookCallFailed {
  if (error instanceof WebhookCallFailed) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return new WebhookCallFailed(`The response of the webhook is larger than ${MAX_ANSWER} bytes.`, { isFinal: true });
  }
  if (timeout.aborted) {
    return new WebhookCallFailed(`The webhook did not answer within ${timeoutMs / 1000} seconds.`, { isFinal: false });
  }
  // The full message could reveal details of the network: show only the code.
  const reason = code === undefined ? '' : ` (${code})`;
  return new WebhookCallFailed(`The webhook could not be reached${reason}.`, { isFinal: false });
}
