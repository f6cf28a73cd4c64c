import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { BadRequest } from '../../../base/errors.ts';
import type { Organization } from '../../../model/organization.ts';
import { fold } from '../../../rules/fold.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { domainProblem } from '../account-creation.ts';
import { isEmailAddress } from '../names.ts';

/** Splits a text at commas and line breaks into distinct addresses. Reduces `Ada <ada@example.com>` to the address. */
export function addressesIn(text: string): string[] {
  const found = new Map<string, string>();
  for (const part of text.split(/[,\r\n]/)) {
    const address = (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim();
    if (address !== '' && !found.has(fold(address))) found.set(fold(address), address);
  }
  return [...found.values()];
}

let disposableDomains: Set<string> | undefined;

/** Subdomains of a disposable domain count too. */
function isDisposable(domain: string): boolean {
  // On first use, because most processes never need the list.
  disposableDomains ??= disposableEmailBlocklistSet();
  const domains = disposableDomains;
  const labels = domain.toLowerCase().split('.');
  return labels.some((_, at) => at < labels.length - 1 && domains.has(labels.slice(at).join('.')));
}

export function addressProblem(organization: Organization, address: string): string | undefined {
  if (!isEmailAddress(address)) return 'This is not an e-mail address.';
  // A list of allowed domains makes the list of disposable domains unnecessary.
  if (organizationSetting(organization, 'emails_restricted_to_domains')) return domainProblem(organization, address);
  const isRefused = organizationSetting(organization, 'disallow_disposable_email_addresses');
  if (isRefused && isDisposable(address.slice(address.lastIndexOf('@') + 1))) {
    return 'This organization does not accept disposable addresses.';
  }
  return undefined;
}

export function checkAddress(organization: Organization, address: string): void {
  const problem = addressProblem(organization, address);
  if (problem !== undefined) throw new BadRequest(`You cannot join with the address "${address}". ${problem}`);
}
