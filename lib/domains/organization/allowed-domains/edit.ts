import { present } from '../../../base/present.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { allowedDomains, domainChanged, domainParam, placeOf, storeDomains, subdomainsParam } from './domain-list.ts';

export const editAllowedDomain = defineOperation({
  name: 'allowedDomains.edit',
  http: 'PATCH /realm/domains/{domain}',
  summary: 'Allow or disallow the subdomains of an allowed domain',
  example: { domain: 'example.com', allow_subdomains: false },
  access: 'owner',
  scope: 'login',
  effect: 'write',
  params: { domain: domainParam, allow_subdomains: subdomainsParam },
  async run(context, { domain, allow_subdomains }) {
    const domains = allowedDomains(context);
    const at = placeOf(domains, domain);
    const before = present(domains[at]);
    if (before.allow_subdomains === allow_subdomains) return;
    const realm_domain = { ...before, allow_subdomains };
    await storeDomains(context, domains.with(at, realm_domain));
    context.emit({ scope: 'everyone' }, domainChanged({ realm_domain }));
  },
});
