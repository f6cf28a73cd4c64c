import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { organizationUpdated } from '../settings/organization-change.ts';
import { allowedDomains, domainParam, domainRemoved, placeOf, storeDomains } from './domain-list.ts';

export const removeAllowedDomain = defineOperation({
  name: 'allowedDomains.remove',
  http: 'DELETE /realm/domains/{domain}',
  summary: 'Remove a domain from the allowed e-mail domains',
  description: 'Accounts keep their addresses. Removing the last domain also turns off `emails_restricted_to_domains`.',
  example: { domain: 'example.com' },
  access: 'owner',
  scope: 'login',
  effect: 'write',
  params: { domain: domainParam },
  async run(context, { domain: given }) {
    const domains = allowedDomains(context);
    const at = placeOf(domains, given);
    const rest = domains.toSpliced(at, 1);
    // With the restriction and no domain, no user could join.
    const isLifted = rest.length === 0 && organizationSetting(context.organization, 'emails_restricted_to_domains');
    await storeDomains(context, rest, isLifted ? { emails_restricted_to_domains: false } : {});
    context.emit({ scope: 'everyone' }, domainRemoved({ domain: domains[at]?.domain ?? '' }));
    if (isLifted) {
      const lifted = { property: 'emails_restricted_to_domains', value: false };
      context.emit({ scope: 'everyone' }, organizationUpdated(lifted));
    }
  },
});
