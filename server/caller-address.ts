import { isIP, isIPv4 } from 'node:net';
import type { ServerRequest } from './exchange.ts';

/**
 * The network address of the client, in the form used for counting. An IPv6 /64 network counts as one address. If a
 * proxy appended an invalid address, the address of the proxy counts.
 * @param proxies number of trusted reverse proxies that append to X-Forwarded-For
 */
export function callerAddress(req: ServerRequest, proxies: number): string {
  const peer = req.socket.remoteAddress ?? '';
  if (proxies === 0) return counted(peer);
  // Only the last entries can be trusted: our own proxies appended them.
  const hops = String(req.headers['x-forwarded-for'] ?? '').split(',');
  return counted(addressIn(hops.at(-Math.min(proxies, hops.length)) ?? '') ?? peer);
}

/** The address in an entry. Some proxies include the port: `192.0.2.1:5123`, `[2001:db8::1]:443`. */
function addressIn(entry: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry.trim()) ?? [];
  const address = bracketed ?? plain ?? entry.trim();
  return isIP(address) === 0 ? undefined : address;
}

function counted(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  return address.includes(':') ? network64(address.toLowerCase()) : address;
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
