import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';

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
