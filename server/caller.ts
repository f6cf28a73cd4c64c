import type { IncomingMessage } from 'node:http';

const MAX_CLIENT_NAME = 30;

/** `ZulipPython/0.9.1 (Linux)` → `ZulipPython`. */
export function clientName(req: IncomingMessage): string {
  const name = /^[^\s/]+/.exec(req.headers['user-agent']?.trim() ?? '')?.[0];
  return name === undefined ? 'Unspecified' : name.slice(0, MAX_CLIENT_NAME);
}

/**
 * The network address of the caller. An IPv6 network of one subscriber (/64) counts as one address.
 * @param proxies how many reverse proxies are trusted to append to X-Forwarded-For
 */
export function callerAddress(req: IncomingMessage, proxies: number): string {
  let address = req.socket.remoteAddress ?? '';
  if (proxies > 0) {
    // Only the entries our own proxies appended can be believed: the last ones.
    const header = req.headers['x-forwarded-for'] ?? '';
    const hops = String(header)
      .split(',')
      .map((hop) => hop.trim());
    address = hops.at(-Math.min(proxies, hops.length)) || address;
  }
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length);
  return address.includes(':') ? network64(address) : address;
}

function network64(address: string): string {
  const [head = '', tail] = address.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return groups.slice(0, 4).join(':');
}
