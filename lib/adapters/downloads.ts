import { codeOf } from '../base/caught.ts';
import { VERSION } from '../base/version.ts';
import { isReachableHost, type PrivateNetworks, reachableAddresses } from '../rules/public-addresses.ts';
import { lookUpReachable } from './outgoing-calls.ts';

/** Without a byte. */
const IDLE_TIMEOUT_MS = 30_000;

/** The download failed. The message is complete, without the address. */
export class DownloadFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DownloadFailed';
  }
}

/**
 * Downloads a file. Calls only public addresses, unless the networks allow others. Does not follow redirects, since they
 * would bypass the check of the address: services answer an expired link with a redirect to their login page.
 * @throws DownloadFailed
 */
export async function* download(
  url: string,
  { allowPrivateAddresses = false }: { allowPrivateAddresses?: PrivateNetworks | undefined },
): AsyncGenerator<Uint8Array> {
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new DownloadFailed('The address is not an http or https URL.');
  if (!isReachableHost(new URL(url).hostname, allowPrivateAddresses))
    throw new DownloadFailed('The address is in a private network.');
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({
    connect: {
      timeout: IDLE_TIMEOUT_MS,
      lookup: lookUpReachable(reachableAddresses(allowPrivateAddresses), 'address'),
    },
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
  });
  try {
    const { statusCode, body } = await request(url, { headers: { 'user-agent': `Parlance/${VERSION}` }, dispatcher });
    if (statusCode !== 200) throw new DownloadFailed(`The server answered with status ${statusCode}.`);
    for await (const piece of body) yield piece;
  } catch (error) {
    if (error instanceof DownloadFailed) throw error;
    throw new DownloadFailed(`The server could not be reached (${codeOf(error) ?? 'no answer'}).`);
  } finally {
    void dispatcher.destroy();
  }
}
