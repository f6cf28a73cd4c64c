import type { ReadContext } from '../../../access/context.ts';
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

/** Whether a domain offers disposable addresses. */
export type IsDisposable = (domain: string) => boolean;

let disposableDomains: Set<string> | undefined;

/** Loads the list of domains on first use, because most processes never need it. */
export async function disposableCheck(): Promise<IsDisposable> {
  if (!disposableDomains) {
    const { disposableEmailBlocklistSet } = await import('disposable-email-domains-js');
    disposableDomains = disposableEmailBlocklistSet();
  }
  const domains = disposableDomains;
  return (domain) => {
    // Subdomains of a disposable domain count too.
    const labels = domain.toLowerCase().split('.');
    return labels.some((_, at) => at < labels.length - 1 && domains.has(labels.slice(at).join('.')));
  };
}

export function addressProblem(organization: Organization, address: string, isDisposable: IsDisposable) {
  if (!isEmailAddress(address)) return 'This is not an e-mail address.';
  // A list of allowed domains makes the list of disposable domains unnecessary.
  if (organizationSetting(organization, 'emails_restricted_to_domains')) return domainProblem(organization, address);
  const isRefused = organizationSetting(organization, 'disallow_disposable_email_addresses');
  if (isRefused && isDisposable(address.slice(address.lastIndexOf('@') + 1))) {
    return 'This organization does not accept disposable addresses.';
  }
  return undefined;
}

export function checkAddress(organization: Organization, address: string, isDisposable: IsDisposable): void {
  const problem = addressProblem(organization, address, isDisposable);
  if (problem !== undefined) throw new BadRequest(`You cannot join with the address "${address}". ${problem}`);
}

/** The addresses that have accounts, with the reason for not inviting them. Keys are folded addresses. */
export async function takenAddresses({ tx }: Pick<ReadContext, 'tx'>, addresses: readonly string[]) {
  const taken = new Map<string, { reason: string; isDeactivated: boolean }>();
  for (const user of await tx.users.byEmails(addresses)) {
    const isDeactivated = !user.is_active;
    const reason = isDeactivated ? 'The account with this address is deactivated.' : 'Already has an account.';
    taken.set(fold(user.delivery_email), { reason, isDeactivated });
  }
  return taken;
}
