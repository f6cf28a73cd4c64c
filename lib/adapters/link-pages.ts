import { Resolver } from 'node:dns/promises';
import type { Parser } from 'htmlparser2';
import { VERSION } from '../base/version.ts';
import type { LinkPreview } from '../model/link-preview.ts';
import { isReachableHost, type PrivateNetworks, reachableAddresses } from '../rules/public-addresses.ts';
import { inPrivateNetwork, lookUpReachable, OutgoingCallFailed } from './outgoing-calls.ts';

/** Reads what a linked page says about itself. The page can be hostile: everything about it has a limit. */

/** Options for previews of links. */
export interface LinkPreviewOptions {
  /**
   * Private networks whose pages the server may fetch, for example `['10.1.0.0/16']`, or `true` for all. Every user who sends
   * messages can then read titles there. Default false: only public addresses.
   */
  allowPrivateAddresses?: PrivateNetworks;
  /** Timeout in milliseconds for a page with its redirects. Default 8000. */
  timeoutMs?: number;
}

const WHAT = 'linked page';
export const TIMEOUT_MS = 8_000;
const MAX_REDIRECTS = 5;
export const MAX_PAGE_BYTES = 1024 * 1024;
const MAX_URL_LENGTH = 2_000;
/** In code points. */
const MAX_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 400;

const HEADERS = {
  accept: 'text/html, application/xhtml+xml',
  // A small page can be decompressed to a huge one. A server that compresses in spite of this is refused.
  'accept-encoding': 'identity',
  'user-agent': `Mozilla/5.0 (compatible; ParlanceLinkPreview/${VERSION})`,
};

/**
 * Fetches a page and returns its title, description and picture. undefined if it has no picture: clients of the API
 * cannot draw such a preview. Follows redirects and checks each address. Sends no cookies and no referrer.
 * @throws OutgoingCallFailed
 */
export async function fetchLinkPreview(
  url: string,
  { allowPrivateAddresses = false, timeoutMs = TIMEOUT_MS }: LinkPreviewOptions = {},
): Promise<LinkPreview | undefined> {
  const { Agent, request } = await import('undici');
  const lookup = lookUpReachable(reachableAddresses(allowPrivateAddresses), WHAT, lookUpApart);
  const dispatcher = new Agent({ connect: { timeout: timeoutMs, lookup }, pipelining: 0 });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let address = webAddress(url);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      // For an IP address in the URL, `lookup` is not called.
      if (!isReachableHost(address.hostname, allowPrivateAddresses)) throw inPrivateNetwork(WHAT);
      const { statusCode, headers, body } = await request(address, { headers: HEADERS, dispatcher, signal });
      const location = firstOf(headers.location);
      if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
        body.on('error', () => undefined).destroy();
        address = webAddress(location, address);
        continue;
      }
      if (statusCode !== 200) throw refused(`answered with status ${statusCode}`);
      const type = firstOf(headers['content-type']) ?? '';
      if (!/^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type)) throw refused('is not HTML');
      const encoding = firstOf(headers['content-encoding']) ?? 'identity';
      if (!/^identity$/i.test(encoding)) throw refused('is compressed');
      return previewOf(await readHead(body, /charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1]), address);
    }
    throw refused(`redirects more than ${MAX_REDIRECTS} times`);
  } catch (error) {
    if (error instanceof OutgoingCallFailed) throw error;
    throw new OutgoingCallFailed(
      signal.aborted
        ? `The ${WHAT} took more than ${timeoutMs / 1000} seconds.`
        : `The ${WHAT} does not answer as it should.`,
      { isFinal: false },
    );
  } finally {
    void dispatcher.destroy();
  }
}

const refused = (reason: string) => new OutgoingCallFailed(`The ${WHAT} ${reason}.`, { isFinal: true });

const firstOf = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header);

/** @throws OutgoingCallFailed if a page with this address is not fetched */
function webAddress(text: string, base?: URL): URL {
  const found = pageAddress(text, base);
  if (!found) throw refused('has an address that is not fetched');
  return found;
}

/** The address of a page as it is fetched. undefined for other schemes, and for addresses with a login. */
export function pageAddress(text: string, base?: URL): URL | undefined {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  url.hash = '';
  const isPage = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPage && url.href.length <= MAX_URL_LENGTH ? url : undefined;
}

const DNS_TIMEOUT_MS = 2_000;

/**
 * Asks the DNS servers without the thread pool of the process. Otherwise, users could let lookups hang, and those for
 * e-mail and the database would wait for its few threads.
 */
const lookUpApart: Parameters<typeof lookUpReachable>[2] = (hostname, { family }, callback) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  const found = [
    family === 6 ? [] : resolver.resolve4(hostname).then((all) => all.map((address) => ({ address, family: 4 }))),
    family === 4 ? [] : resolver.resolve6(hostname).then((all) => all.map((address) => ({ address, family: 6 }))),
  ];
  void Promise.allSettled(found).then((results) => {
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const failure = results.find((result): result is PromiseRejectedResult => result.status === 'rejected');
    callback(addresses.length === 0 && failure ? failure.reason : null, addresses);
  });
};

interface Head {
  /** Texts of `meta` elements by their lower-case name. The first of each name counts. */
  readonly metas: Map<string, string>;
  title: string;
  charset: string | undefined;
}

/** UTF-16 code units that the parser keeps of a text. */
const MAX_KEPT_LENGTH = MAX_URL_LENGTH;
/** The parser takes quadratic time for nested elements. */
const MAX_ELEMENTS = 5_000;
/** UTF-16 code units that are parsed after the end of the head. */
const PARSED_AT_ONCE = 4_096;

const NAMES = ['og:title', 'og:description', 'og:image', 'twitter:title', 'twitter:description', 'twitter:image'];
const KEPT_METAS: ReadonlySet<string> = new Set([...NAMES, 'description']);

async function readHead(body: AsyncIterable<Uint8Array>, charset: string | undefined): Promise<Head> {
  const { Parser } = await import('htmlparser2');
  const bytes: Uint8Array[] = [];
  let size = 0;
  // All encodings of the web have the tags in ASCII, so this finds the encoding and the end of the head.
  const scan = new HeadReader(Parser);
  for await (const piece of body) {
    const kept = piece.subarray(0, MAX_PAGE_BYTES - size);
    bytes.push(kept);
    size += kept.length;
    scan.write(Buffer.from(kept).toString('latin1'));
    if (scan.isComplete || size >= MAX_PAGE_BYTES) break;
  }
  const reader = new HeadReader(Parser);
  reader.write(decoderFor(charset ?? scan.head.charset).decode(Buffer.concat(bytes)));
  return reader.head;
}

function decoderFor(label = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** Reads the head of a page. Complete at its end, or if it has too many elements. */
class HeadReader {
  readonly head: Head = { metas: new Map(), title: '', charset: undefined };
  isComplete = false;
  readonly #parser: Parser;
  #elements = 0;
  #isInTitle = false;
  #meta: Record<string, string> = {};

  constructor(ParserClass: typeof Parser) {
    this.#parser = new ParserClass({
      onopentagname: (name) => this.#open(name),
      onattribute: (name, value) => {
        if (!Object.hasOwn(this.#meta, name)) this.#meta[name] = value.slice(0, MAX_KEPT_LENGTH);
      },
      ontext: (text) => {
        const { head } = this;
        if (this.#isInTitle && head.title.length < MAX_KEPT_LENGTH) head.title += text.slice(0, MAX_KEPT_LENGTH);
      },
      onclosetag: (name) => this.#close(name),
    });
  }

  write(text: string): void {
    for (let at = 0; at < text.length && !this.isComplete; at += PARSED_AT_ONCE)
      this.#parser.write(text.slice(at, at + PARSED_AT_ONCE));
  }

  #open(name: string): void {
    this.#elements += 1;
    if (name === 'body' || this.#elements > MAX_ELEMENTS) this.isComplete = true;
    this.#isInTitle = name === 'title' && this.head.title === '' && !this.isComplete;
    this.#meta = {};
  }

  #close(name: string): void {
    this.#isInTitle = false;
    if (this.isComplete) return;
    if (name === 'head') this.isComplete = true;
    if (name !== 'meta') return;
    const { property, name: named = property, content = '', charset } = this.#meta;
    const { metas } = this.head;
    for (const key of [property?.toLowerCase(), named?.toLowerCase()]) {
      if (key !== undefined && KEPT_METAS.has(key) && !metas.has(key) && content.trim() !== '') metas.set(key, content);
    }
    const declared = /^content-type$/i.test(this.#meta['http-equiv'] ?? '')
      ? /charset\s*=\s*([\w-]+)/i.exec(content)?.[1]
      : undefined;
    this.head.charset ??= charset ?? declared;
  }
}

function previewOf({ metas, title }: Head, page: URL): LinkPreview | undefined {
  const first = (...names: string[]) => names.map((name) => metas.get(name)).find((text) => text !== undefined);
  const image = pageAddress(first('og:image', 'twitter:image')?.trim() ?? '', page);
  // An empty address is the page itself.
  if (!image || image.href === page.href) return undefined;
  return {
    title: line(first('og:title', 'twitter:title') ?? title, MAX_TITLE_LENGTH) || page.host,
    description: line(first('og:description', 'twitter:description', 'description') ?? '', MAX_DESCRIPTION_LENGTH),
    // In a style sheet, a backslash begins an escape.
    image: image.href.replaceAll('\\', '%5C'),
  };
}

/** One line without control and direction characters, which could change the text around it. */
function line(text: string, max: number): string {
  const clean = text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\p{Cc}\s\u2028\u2029]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
  const characters = [...clean];
  return characters.length <= max
    ? clean
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}
