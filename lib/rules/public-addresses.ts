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

/** Whether the host of a URL is an address, or a name, that cannot be of the public internet. Names else say nothing. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(host)) return !isPublicAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
}
