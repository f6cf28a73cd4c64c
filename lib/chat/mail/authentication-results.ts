/** A method with its result and properties, such as `dkim=pass header.d=example.com`. */
interface Result {
  method: string;
  result: string;
  /** Lowercase. */
  properties: ReadonlyMap<string, string>;
}

/**
 * Whether the mail server of the host has authenticated the domain of the sender, by DMARC, DKIM or SPF (RFC 8601).
 * @param headers the values of `Authentication-Results`, the newest first. Only the first one of the server counts: the
 *   sender may have written later ones
 */
export function isAuthenticated(headers: readonly string[], from: { address: string }, server: Server): boolean {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1).toLowerCase();
  const { results, hasQuotedAddress } = ownHeader(headers, server);
  // Some servers repeat the address in a comment, which such an address can end: what follows would look like a result.
  if (hasQuotedAddress || results.some(isFailureOfDmarc)) return false;
  return results.some((result) => isForDomain(result, domain));
}

/** Whether the mail server of the host says that the domain of the sender did not send the e-mail (DMARC). */
export const isForged = (headers: readonly string[], server: Server): boolean =>
  ownHeader(headers, server).results.some(isFailureOfDmarc);

const isFailureOfDmarc = ({ method, result }: Result) => method === 'dmarc' && result === 'fail';

interface Server {
  authservId?: string | undefined;
}

interface ResultsHeader {
  id: string;
  results: Result[];
  /** It contains an address with a quoted part before the @, in which a sender can write any text. */
  hasQuotedAddress: boolean;
}

const NO_HEADER: ResultsHeader = { id: '', results: [], hasQuotedAddress: false };

function ownHeader(headers: readonly string[], { authservId }: Server): ResultsHeader {
  if (authservId === undefined) return NO_HEADER;
  return headers.map(readHeader).find(({ id }) => id === authservId.toLowerCase()) ?? NO_HEADER;
}

/** A parent domain may sign for its subdomains. A sibling or a child may not. */
const isAligned = (signer: string, domain: string) =>
  signer !== '' && (domain === signer || (signer.includes('.') && domain.endsWith(`.${signer}`)));

/** A domain, or an address without quotes: a sender chooses the part before the @. */
const ADDRESS = /^(?:[^\s@"\\]*@)?([a-z0-9.-]+)$/;

function isForDomain({ method, result, properties }: Result, domain: string): boolean {
  if (result !== 'pass') return false;
  const domainIn = (name: string) => ADDRESS.exec(properties.get(name) ?? '')?.[1] ?? '';
  if (method === 'dmarc') return domainIn('header.from') === domain;
  if (method === 'dkim') return isAligned(domainIn('header.d'), domain);
  return method === 'spf' && isAligned(domainIn('smtp.mailfrom'), domain);
}

/** `mx.example.com 1; dkim=pass (2048-bit key) header.d=example.com; spf=pass smtp.mailfrom="ada@example.com"` */
function readHeader(value: string): ResultsHeader {
  const [head = '', ...parts] = splitOutsideQuotes(withoutComments(value));
  const results = parts.map((part): Result => {
    // A quoted string may be only the part of an address before the @, which a sender chooses: such a value stays whole.
    const pairs = [...part.matchAll(/([\w.-]+)\s*=\s*((?:"(?:\\.|[^"\\])*"|[^\s"])+)/g)].map(
      ([, name = '', value = '']) =>
        [name.toLowerCase(), value.replace(/^"((?:\\.|[^"\\])*)"$/, '$1').toLowerCase()] as const,
    );
    const [[method = '', result = ''] = [], ...properties] = pairs;
    const found = new Map(properties);
    // A repeated name comes from a text of the sender.
    return { method, result, properties: found.size === properties.length ? found : new Map() };
  });
  const id = head.trim().split(/\s+/)[0]?.toLowerCase() ?? '';
  return { id, results, hasQuotedAddress: /"\s*@/.test(value) };
}

/** Removes comments. They can be nested and contain texts of the sender. Quoted strings may contain brackets. */
function withoutComments(value: string): string {
  let kept = '';
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < value.length; at++) {
    const sign = value.charAt(at);
    if (sign === '\\') {
      if (depth === 0) kept += value.slice(at, at + 2);
      at++;
    } else if (isQuoted || (sign === '"' && depth === 0)) {
      if (sign === '"') isQuoted = !isQuoted;
      kept += sign;
    } else if (sign === '(') depth++;
    else if (sign === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += sign;
  }
  return kept;
}

const splitOutsideQuotes = (value: string) => value.match(/(?:"(?:\\.|[^"\\])*"|[^;"]|"(?=[^"]*$))+/g) ?? [];
