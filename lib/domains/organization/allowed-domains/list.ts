import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { allowedDomains } from './domain-list.ts';
import { domainObject } from './events.ts';

export const listAllowedDomains = defineOperation({
  name: 'allowedDomains.list',
  http: 'GET /realm/domains',
  summary: 'List the domains whose addresses accounts may have',
  description: 'They count where the organization says so (`emails_restricted_to_domains`).',
  access: 'user',
  effect: 'read',
  params: v.object({}),
  result: v.object({ domains: v.array(domainObject) }),
  errors: [],
  async run(context) {
    return { domains: [...allowedDomains(context)] };
  },
});
