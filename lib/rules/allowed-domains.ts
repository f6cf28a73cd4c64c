import type { Organization } from '../storage/interface/organization.ts';
import { organizationSetting } from './organization-settings.ts';

/** Why the domain of the address is not allowed; undefined if it is. */
export function domainProblem(organization: Organization, address: string): string | undefined {
  if (!organizationSetting(organization, 'emails_restricted_to_domains')) return undefined;
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const isAllowed = organizationSetting(organization, 'allowed_domains').some(
    (allowed) => domain === allowed.domain || (allowed.allow_subdomains && domain.endsWith(`.${allowed.domain}`)),
  );
  if (!isAllowed) return 'This organization accepts only addresses of its allowed domains.';
  // One mailbox has any number of addresses with a plus sign.
  return address.slice(0, at).includes('+')
    ? 'This organization does not accept addresses with a plus sign.'
    : undefined;
}
