import type { Organization } from '../storage/interface/organization.ts';
import { organizationSetting } from './organization-settings.ts';

/** Why no account can get this address, by its domain; undefined where it can. */
export function domainProblem(organization: Organization, address: string): string | undefined {
  if (!organizationSetting(organization, 'emails_restricted_to_domains')) return undefined;
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const isAllowed = organizationSetting(organization, 'allowed_domains').some(
    (allowed) => domain === allowed.domain || (allowed.allow_subdomains && domain.endsWith(`.${allowed.domain}`)),
  );
  if (!isAllowed) return 'This organization accepts addresses of its own domains alone.';
  // Whoever has one mailbox there has any number of these.
  return address.slice(0, at).includes('+') ? 'This organization accepts no addresses with a plus sign.' : undefined;
}
