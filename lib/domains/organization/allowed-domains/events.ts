import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';

export const domainObject = v.object({
  domain: v.string(),
  allow_subdomains: describe(v.boolean(), 'Whether domains below it are allowed too.'),
});

export const domainAdded = defineEvent('realm_domains/add', {
  summary: 'Accounts may have addresses of one more domain.',
  fields: { realm_domain: domainObject },
});

export const domainChanged = defineEvent('realm_domains/change', {
  summary: 'Whether domains below an allowed one are allowed too has changed.',
  fields: { realm_domain: domainObject },
});

export const domainRemoved = defineEvent('realm_domains/remove', {
  summary: 'A domain is allowed no more; accounts keep their addresses.',
  fields: { domain: v.string() },
});
