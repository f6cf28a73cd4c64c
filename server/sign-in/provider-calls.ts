import type { CustomFetch } from 'openid-client';
import type { RequestInit } from 'undici';
import {
  isPublicAddress,
  isReachableHost,
  lookUpReachable,
  OutgoingCallFailed,
  reachableAddresses,
} from '../../lib/internal.ts';

/** Bytes of an answer of a provider, after decompression. */
const MAX_ANSWER = 1024 * 1024;

const WHAT = 'address that the identity provider names';

/**
 * Calls of a provider. The operator has chosen the issuer, so it may be anywhere. The other addresses come from the
 * provider. They must be public, or it could let the server call the machines of the operator. A provider that itself
 * answers from a private network may name others there.
 */
export class ProviderCalls {
  #isInternal = false;

  /** @param lookUp default: like other programs of this machine */
  constructor(
    private readonly issuer: URL,
    private readonly lookUp?: Parameters<typeof lookUpReachable>[2],
  ) {}

  /** For `openid-client`, which follows no redirects. @throws TypeError, as for other failures of the network */
  readonly fetch: CustomFetch = async (address, options) => {
    const url = new URL(address);
    if (url.origin !== this.issuer.origin) {
      if (!isReachableHost(url.hostname, this.#isInternal)) throw new TypeError(privateNetwork(url));
      return this.#call(url, options, reachableAddresses(this.#isInternal));
    }
    const found: string[] = [];
    const answer = await this.#call(url, options, (ip) => found.push(ip) > 0);
    // After the answer: it proves that the issuer is at these addresses.
    this.#isInternal = !isReachableHost(url.hostname, false) || (found.length > 0 && !found.some(isPublicAddress));
    return answer;
  };

  /** Reads the answer up to a limit, which the library does not. */
  async #call(
    url: URL,
    options: Parameters<CustomFetch>[1],
    isReachable: (address: string) => boolean,
  ): Promise<Response> {
    const { Agent, fetch } = await import('undici');
    const dispatcher = new Agent({ connect: { lookup: lookUpReachable(isReachable, WHAT, this.lookUp) } });
    try {
      const { body, status, headers } = await fetch(url, { ...(options as RequestInit), dispatcher });
      const pieces: Uint8Array[] = [];
      let size = 0;
      const reader = body?.getReader();
      for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
        size += read.value.length;
        if (size > MAX_ANSWER) {
          await reader?.cancel();
          throw new TypeError(`The answer has more than ${MAX_ANSWER} bytes.`);
        }
        pieces.push(read.value);
      }
      return new Response(size === 0 ? null : Buffer.concat(pieces), { status, headers: [...headers] });
    } catch (error) {
      if ((error as Error).cause instanceof OutgoingCallFailed) throw new TypeError(privateNetwork(url));
      throw error;
    } finally {
      void dispatcher.destroy();
    }
  }
}

/** For the log. */
const privateNetwork = ({ origin }: URL) =>
  `The provider names ${origin}, which is in a private network. Only a provider in a private network may do so.`;
