import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, flag, nonEmptyText } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { domainKey } from '../../../rules/fold.ts';
import { type AllowedDomain, organizationSetting } from '../../../rules/organization-settings.ts';
import type { TransactionContext } from '../../../viewer/context.ts';

export const domainObject = v.object({
  domain: v.string(),
  allow_subdomains: describe(v.boolean(), 'Whether subdomains are allowed too.'),
});

export const domainAdded = defineEvent('realm_domains/add', {
  summary: 'A domain was added to the allowed domains.',
  fields: { realm_domain: domainObject },
});

export const domainChanged = defineEvent('realm_domains/change', {
  summary: 'The subdomains of an allowed domain were allowed or disallowed.',
  fields: { realm_domain: domainObject },
});

export const domainRemoved = defineEvent('realm_domains/remove', {
  summary: 'A domain was removed from the allowed domains. Accounts keep their addresses.',
  fields: { domain: v.string() },
});

export const domainParam = describe(nonEmptyText(1_000), 'Domain, such as example.com. Case is ignored.');

export const subdomainsParam = describe(flag, 'Whether to allow subdomains too.');

/** The index of a domain in the list. @throws BadRequest if the list does not contain it */
export function placeOf(domains: readonly AllowedDomain[], given: string): number {
  const at = domains.findIndex(({ domain }) => domainKey(domain) === domainKey(given));
  if (at < 0) throw new BadRequest(`The domain "${given.trim()}" is not in the list of allowed domains.`);
  return at;
}

export const allowedDomains = ({ organization }: Pick<TransactionContext, 'organization'>): readonly AllowedDomain[] =>
  organizationSetting(organization, 'allowed_domains');

export function storeDomains(
  { tx, organization: { settings } }: Pick<TransactionContext, 'tx' | 'organization'>,
  allowed_domains: readonly AllowedDomain[],
  more: { emails_restricted_to_domains?: false } = {},
): Promise<unknown> {
  return tx.organization.update({ settings: { ...settings, allowed_domains, ...more } });
}
