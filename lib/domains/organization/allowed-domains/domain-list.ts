import type { TransactionContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { describe, flag, text } from '../../../kernel/schemas.ts';
import { type AllowedDomain, organizationSetting } from '../../../rules/organization-settings.ts';

export const domainParam = describe(text(1_000), 'Such as example.com, without regard to case.');

export const subdomainsParam = describe(flag, 'Whether domains below it are allowed too.');

/** A domain as it is stored. */
export const folded = (given: string) => given.trim().toLowerCase();

/** The place of a domain in the list. @throws BadRequest where it is not in it */
export function placeOf(domains: readonly AllowedDomain[], given: string): number {
  const at = domains.findIndex(({ domain }) => domain === folded(given));
  if (at < 0) throw new BadRequest(`The domain "${given.trim()}" is not among those that are allowed.`);
  return at;
}

export const allowedDomains = ({ organization }: Pick<TransactionContext, 'organization'>): readonly AllowedDomain[] =>
  organizationSetting(organization, 'allowed_domains');

/** Stores the whole list, with other settings. */
export function storeDomains(
  { tx, organization: { settings } }: Pick<TransactionContext, 'tx' | 'organization'>,
  allowed_domains: readonly AllowedDomain[],
  more: { emails_restricted_to_domains?: false } = {},
): Promise<unknown> {
  return tx.organization.update({ settings: { ...settings, allowed_domains, ...more } });
}
