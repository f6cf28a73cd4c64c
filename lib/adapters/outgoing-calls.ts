import { type LookupAddress, type LookupOptions, lookup as lookUpName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { codeOf } from '../base/caught.ts';
import { isReachableHost, type PrivateNetworks, reachableAddresses } from '../rules/public-addresses.ts';

/** Calls of URLs that users chose. They reach only public addresses, unless the host allows others. */

interface OutgoingCall {
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

interface OutgoingOptions {
  /** Names the called server in errors, for example `webhook`. */
  what: string;
  allowPrivateAddresses: PrivateNetworks;
  timeoutMs: number;
  /** Largest response in bytes. */
  maxAnswer: number;
}

export interface OutgoingAnswer {
  status: number;
  text: string;
}

export class OutgoingCallFailed extends Error {
  /** A retry would not help. */
  readonly isFinal: boolean;

  constructor(message: string, options: { isFinal: boolean }) {
    super(message);
    this.name = 'OutgoingCallFailed';
    this.isFinal = options.isFinal;
  }
}

export const inPrivateNetwork = (what: string) =>
  new OutgoingCallFailed(`The ${what} is in a private network, which this server does not call.`, { isFinal: true });

type Addresses = readonly LookupAddress[];

/** Finds all addresses of a host name. */
type NameLookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const lookUpAll: NameLookup = (hostname, options, callback) =>
  lookUpName(hostname, { ...options, all: true }, callback);

/**
 * Checks the address that is then connected to: a second lookup could return another one.
 * @param lookUp default: like other programs of this machine, in a thread of the pool that all lookups share
 */
export const lookUpReachable =
  (isReachable: (address: string) => boolean, what: string, lookUp = lookUpAll): LookupFunction =>
  (hostname, options, callback) => {
    lookUp(hostname, options, (error, addresses: Addresses) => {
      if (error) return callback(error, '');
      // All addresses must be allowed, since any of them may be connected to.
      if (addresses.length === 0 || !addresses.every(({ address }) => isReachable(address))) {
        return callback(inPrivateNetwork(what), '');
      }
      if (options.all) return callback(null, [...addresses]);
      const [{ address, family } = { address: '', family: 4 }] = addresses;
      callback(null, address, family);
    });
  };

/**
 * Sends a POST request. Does not follow redirects, since they would bypass the check of the address.
 * @throws OutgoingCallFailed
 */
export async function postOut(
  url: string,
  { headers, body }: OutgoingCall,
  options: OutgoingOptions,
): Promise<OutgoingAnswer> {
  const { what, allowPrivateAddresses, timeoutMs, maxAnswer } = options;
  // For an IP address in the URL, `lookup` is not called.
  if (!isReachableHost(new URL(url).hostname, allowPrivateAddresses)) throw inPrivateNetwork(what);
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({
    connect: { timeout: timeoutMs, lookup: lookUpReachable(reachableAddresses(allowPrivateAddresses), what) },
    pipelining: 0,
    maxResponseSize: maxAnswer,
  });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { statusCode, body: answer } = await request(url, { method: 'POST', headers, body, dispatcher, signal });
    return { status: statusCode, text: await answer.text() };
  } catch (error) {
    throw failureOf(error, signal, options);
  } finally {
    void dispatcher.destroy();
  }
}

function failureOf(
  error: unknown,
  timeout: AbortSignal,
  { what, timeoutMs, maxAnswer }: OutgoingOptions,
): OutgoingCallFailed {
  if (error instanceof OutgoingCallFailed) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return new OutgoingCallFailed(`The response of the ${what} is larger than ${maxAnswer} bytes.`, { isFinal: true });
  }
  if (timeout.aborted) {
    return new OutgoingCallFailed(`The ${what} did not answer within ${timeoutMs / 1000} seconds.`, { isFinal: false });
  }
  // The full message could reveal details of the network: show only the code.
  const reason = code === undefined ? '' : ` (${code})`;
  return new OutgoingCallFailed(`The ${what} could not be reached${reason}.`, { isFinal: false });
}
