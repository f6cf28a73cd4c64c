import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [address: Address, bits: number];

/** `ipaddr.js` also calls IPv6 addresses outside of this network unicast. None of them is in use. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

export function isPublicAddress(text: string): boolean {
  // `ipaddr.js` also reads short forms such as 127.1.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST_V6));
}

/** Private networks that the chat may call: none, all, or a list of networks such as `10.1.0.0/16` and addresses. */
export type PrivateNetworks = boolean | readonly string[];

/** The network that a text names. Undefined for other texts. */
export function networkIn(text: string): Network | undefined {
  const [address = ''] = text.trim().split('/');
  if (isIP(address) === 0) return undefined;
  const cidr = text.includes('/') ? text.trim() : `${address}/${isIP(address) === 4 ? 32 : 128}`;
  return ipaddr.isValidCIDR(cidr) ? ipaddr.parseCIDR(cidr) : undefined;
}

/** Returns a function that checks whether the chat may call an IP address: a public one, or one in the networks. */
export function reachableAddresses(networks: PrivateNetworks): (address: string) => boolean {
  if (networks === true) return () => true;
  const allowed = (networks === false ? [] : networks).map((text) => {
    const network = networkIn(text);
    if (!network) throw new RangeError(`"${text}" is not a network such as 10.1.0.0/16.`);
    return network;
  });
  return (text) => isPublicAddress(text) || allowed.some((network) => isIn(ipaddr.process(text), network));
}

/** Also matches IPv4 addresses in IPv6 form (`::ffff:10.0.0.1`): `ipaddr.process` converts them. */
function isIn(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Whether the chat may call a host name or address in a URL. Most names are only checked after the DNS lookup. */
export function isReachableHost(hostname: string, networks: PrivateNetworks): boolean {
  const isReachable = reachableAddresses(networks);
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(host)) return isReachable(host);
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  return !isLocal || isReachable('127.0.0.1') || isReachable('::1');
}
