import { BlockList, isIP } from 'node:net';

/** What is not the public internet: this machine, its networks, and what is set aside for other ends. */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** All that is in use is below 2000::/3; in it, what leads to other addresses or is for documents alone. */
const PUBLIC_V6 = ['2000::', 3] as const;
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const v4 = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_V4) v4.addSubnet(net, prefix, 'ipv4');
const v6 = new BlockList();
v6.addSubnet(...PUBLIC_V6, 'ipv6');
const exceptV6 = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_V6) exceptV6.addSubnet(net, prefix, 'ipv6');

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !v4.check(address, 'ipv4');
  return family === 6 && v6.check(address, 'ipv6') && !exceptV6.check(address, 'ipv6');
}

/** Which private networks may be called: none, all, or those named such as `10.1.0.0/16`, one address by itself. */
export type PrivateNetworks = boolean | readonly string[];

/** The address of a network and its bits; undefined where the text is none. */
export function networkIn(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [, address = '', given] = /^([^/]*)(?:\/([0-9]{1,3}))?$/.exec(text.trim()) ?? [];
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  const bits = given === undefined ? most : Number(given);
  return family === 0 || bits > most ? undefined : { address, bits, family: family === 4 ? 'ipv4' : 'ipv6' };
}

/** Tells whether an IP address may be called: one of the public internet, or of the networks. */
export function reachableAddresses(networks: PrivateNetworks): (address: string) => boolean {
  if (networks === true) return () => true;
  const allowed = new BlockList();
  for (const text of networks === false ? [] : networks) {
    const network = networkIn(text);
    if (!network) throw new RangeError(`"${text}" is no network such as 10.1.0.0/16.`);
    allowed.addSubnet(network.address, network.bits, network.family);
  }
  return (address) => isPublicAddress(address) || allowed.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Whether the host of a URL may be called as far as it says by itself; most names say nothing. */
export function isReachableHost(hostname: string, networks: PrivateNetworks): boolean {
  const isReachable = reachableAddresses(networks);
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(host)) return isReachable(host);
  const isHere = host === 'localhost' || host.endsWith('.localhost');
  return !isHere || isReachable('127.0.0.1') || isReachable('::1');
}
