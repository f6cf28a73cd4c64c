import { lookup as lookUpName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { VERSION } from '../kernel/version.ts';
import { isReachableHost, type PrivateNetworks, reachableAddresses } from '../rules/public-addresses.ts';

/** Where the web hooks of bots may be, and how long a call may take. */
export interface WebhookOptions {
  /**
   * Web hooks of bots may be in these private networks, `['10.1.0.0/16', '127.0.0.1']`, or with `true` in any. Default
   * false: only on the public internet.
   */
  allowPrivateAddresses?: PrivateNetworks;
  /** Milliseconds for a whole call. Default 10000. */
  timeoutMs?: number;
}

export interface WebhookAnswer {
  status: number;
  text: string;
}

/** Why there is no answer. */
export class WebhookCallFailed extends Error {
  /** Trying again would not help. */
  readonly isFinal: boolean;

  constructor(message: string, options: { isFinal: boolean }) {
    super(message);
    this.name = 'WebhookCallFailed';
    this.isFinal = options.isFinal;
  }
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Bytes read of an answer: a message has a tenth of it at most. */
const MAX_ANSWER = 256 * 1024;
const PRIVATE = 'The address of the web hook is in a network that this server does not call.';

/** Names are looked up once, and what was looked at is what is connected to. */
const lookUpReachable =
  (isReachable: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookUpName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      // One alone that is private is enough to refuse: which of them is tried first is not for us to say.
      if (addresses.length === 0 || !addresses.every(({ address }) => isReachable(address))) {
        return callback(new WebhookCallFailed(PRIVATE, { isFinal: true }), '');
      }
      if (options.all) return callback(null, addresses);
      const [{ address, family } = { address: '', family: 4 }] = addresses;
      callback(null, address, family);
    });
  };

/**
 * Calls a web hook. Redirects are not followed, since they would lead past the look at the address.
 * @throws WebhookCallFailed
 */
export async function callWebhook(
  url: string,
  body: { type: string; text: string },
  { allowPrivateAddresses = false, timeoutMs = DEFAULT_TIMEOUT_MS }: WebhookOptions,
): Promise<WebhookAnswer> {
  // An address that stands in the URL is looked up by nobody.
  if (!isReachableHost(new URL(url).hostname, allowPrivateAddresses)) {
    throw new WebhookCallFailed(PRIVATE, { isFinal: true });
  }
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({
    connect: { timeout: timeoutMs, lookup: lookUpReachable(reachableAddresses(allowPrivateAddresses)) },
    pipelining: 0,
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
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer) {
      size += chunk.length;
      if (size > MAX_ANSWER) {
        throw new WebhookCallFailed(`The web hook answered with more than ${MAX_ANSWER} bytes.`, { isFinal: true });
      }
      chunks.push(chunk);
    }
    return { status: statusCode, text: Buffer.concat(chunks).toString('utf8') };
  } catch (error) {
    throw failureOf(error, signal.aborted, timeoutMs);
  } finally {
    void dispatcher.destroy();
  }
}

function failureOf(error: unknown, isTooLate: boolean, timeoutMs: number): WebhookCallFailed {
  if (error instanceof WebhookCallFailed) return error;
  if (isTooLate) {
    return new WebhookCallFailed(`The web hook did not answer within ${timeoutMs / 1000} seconds.`, { isFinal: false });
  }
  // What exactly went wrong in a network tells about the network: the code is enough.
  const { code } = error as { code?: unknown };
  const reason = typeof code === 'string' ? ` (${code})` : '';
  return new WebhookCallFailed(`The web hook could not be reached${reason}.`, { isFinal: false });
}
