import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import addressparser from 'nodemailer/lib/addressparser';
import { BadRequest } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import type { Organization } from '../../../model/organization.ts';
import { domainKey, emailKey } from '../../../rules/fold.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { domainProblem } from '../account-creation.ts';
import { isEmailAddress } from '../names.ts';

/**
 * The distinct addresses in a pasted list: `Ada <ada@example.com>; ben@example.com`. Commas, semicolons and line breaks
 * separate them, except inside quotes. Returns text that it does not understand too, so that the caller refuses it.
 */
export function addressesIn(text: string): string[] {
  const found = new Map<string, string>();
  for (const address of text.split(/[\r\n]+/).flatMap(addressesInLine)) {
    if (!found.has(emailKey(address))) found.set(emailKey(address), address);
  }
  return [...found.values()];
}

function addressesInLine(line: string): string[] {
  const whole = understood(line);
  if (whole) return whole;
  // Names the bad entries alone. Without a bad entry, the line itself is malformed: `<a@example.com, b@example.com>`.
  const parts = (line.match(PARTS) ?? []).map((part) => part.trim()).filter((part) => part !== '');
  const read = parts.map(understood);
  if (read.includes(undefined)) return read.flatMap((addresses, at) => addresses ?? present(parts[at]));
  return /[^\s,;]/.test(line) ? [line.trim()] : [];
}

function understood(text: string): string[] | undefined {
  const entries = addressparser(text, { flatten: true });
  const named = entries.filter(({ address, name }) => address !== '' && name !== '');
  const count = (sign: string) => text.replace(QUOTED, '').split(sign).length - 1;
  // The parser takes `a@example.com b@example.com` for one address with a name.
  const isUnderstood =
    entries.length > 0 &&
    count('@') === entries.filter(({ address }) => address !== '').length &&
    count('<') >= named.length;
  return isUnderstood ? entries.map(({ address, name }) => address || name) : undefined;
}

/** An escaped character, or a quoted name or local part. Matches an open quote too, so that it reads each character once. */
const QUOTED = /\\.|"[^"\\]*(?:\\.[^"\\]*)*"?/g;
/** Text without commas and semicolons, except in quotes. */
const PARTS = /(?:\\.?|"[^"\\]*(?:\\.[^"\\]*)*"?|[^",;\\])+/g;

let disposableDomains: Set<string> | undefined;

/** Subdomains of a disposable domain count too. */
function isDisposable(domain: string): boolean {
  // On first use, because most processes never need the list.
  disposableDomains ??= disposableEmailBlocklistSet();
  const domains = disposableDomains;
  const labels = domainKey(domain).split('.');
  return labels.some((_, at) => at < labels.length - 1 && domains.has(labels.slice(at).join('.')));
}

const NO_ADDRESS = 'This is not an e-mail address.';

export function addressProblem(organization: Organization, address: string): string | undefined {
  if (!isEmailAddress(address)) return NO_ADDRESS;
  // A list of allowed domains makes the list of disposable domains unnecessary.
  if (organizationSetting(organization, 'emails_restricted_to_domains')) return domainProblem(organization, address);
  const isRefused = organizationSetting(organization, 'disallow_disposable_email_addresses');
  if (isRefused && isDisposable(address.slice(address.lastIndexOf('@') + 1))) {
    return 'This organization does not accept disposable addresses.';
  }
  return undefined;
}

/**
 * The same for the new address of an account. An address from before a restriction may change its case. It must be an
 * address anyway: `emailKey` is the same for letters that lead to another mailbox.
 */
export function changedAddressProblem(organization: Organization, from: string, to: string): string | undefined {
  if (emailKey(from) !== emailKey(to)) return addressProblem(organization, to);
  // Clients send the present address too, which may be a placeholder.
  return from === to || isEmailAddress(to) ? undefined : NO_ADDRESS;
}

export function checkAddress(organization: Organization, address: string): void {
  const problem = addressProblem(organization, address);
  if (problem !== undefined) throw new BadRequest(`You cannot join with the address "${address}". ${problem}`);
}
