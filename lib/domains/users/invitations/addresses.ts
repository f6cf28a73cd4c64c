import type { ReadContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { domainProblem } from '../../../rules/allowed-domains.ts';
import { fold } from '../../../rules/fold.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import { isEmailAddress } from '../names.ts';

/** The addresses in a text, apart by commas or line ends, each once; `Ada <ada@example.com>` is reduced to the address. */
export function addressesIn(text: string): string[] {
  const found = new Map<string, string>();
  for (const part of text.split(/[,\r\n]/)) {
    const address = (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim();
    if (address !== '' && !found.has(fold(address))) found.set(fold(address), address);
  }
  return [...found.values()];
}

/** Whether mail to a domain is thrown away after a while. */
export type IsDisposable = (domain: string) => boolean;

let disposableDomains: Set<string> | undefined;

/** The list of domains is loaded when somebody is invited: most processes never need it. */
export async function disposableCheck(): Promise<IsDisposable> {
  if (!disposableDomains) {
    const { disposableEmailBlocklistSet } = await import('disposable-email-domains-js');
    disposableDomains = disposableEmailBlocklistSet();
  }
  const domains = disposableDomains;
  return (domain) => {
    // What is below such a domain is as well.
    const labels = domain.toLowerCase().split('.');
    return labels.some((_, at) => at < labels.length - 1 && domains.has(labels.slice(at).join('.')));
  };
}

/** Why nobody can join with this address; undefined where they can. */
export function addressProblem(
  organization: Organization,
  address: string,
  isDisposable: IsDisposable,
): string | undefined {
  if (!isEmailAddress(address)) return 'This is not an e-mail address.';
  // Whoever says which domains there are has no need of a list of those there should not be.
  if (organizationSetting(organization, 'emails_restricted_to_domains')) return domainProblem(organization, address);
  const isRefused = organizationSetting(organization, 'disallow_disposable_email_addresses');
  if (isRefused && isDisposable(address.slice(address.lastIndexOf('@') + 1))) {
    return 'This organization accepts no disposable addresses.';
  }
  return undefined;
}

/** @throws BadRequest where nobody can join with this address */
export function checkAddress(organization: Organization, address: string, isDisposable: IsDisposable): void {
  const problem = addressProblem(organization, address, isDisposable);
  if (problem !== undefined) throw new BadRequest(`You cannot join with the address "${address}". ${problem}`);
}

/** Of these addresses those that accounts have: why they cannot be invited, and whether the account is deactivated. */
export async function takenAddresses(
  { tx }: Pick<ReadContext, 'tx'>,
  addresses: readonly string[],
): Promise<Map<string, { reason: string; isDeactivated: boolean }>> {
  const taken = new Map<string, { reason: string; isDeactivated: boolean }>();
  for (const user of await tx.users.byEmails(addresses)) {
    const isDeactivated = !user.is_active;
    const reason = isDeactivated ? 'The account with this address has been deactivated.' : 'Has an account already.';
    taken.set(fold(user.delivery_email), { reason, isDeactivated });
  }
  return taken;
}
