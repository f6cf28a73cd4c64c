import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { allowedDomains, domainObject } from './domain-list.ts';

export const listAllowedDomains = defineOperation({
  name: 'allowedDomains.list',
  http: 'GET /realm/domains',
  summary: 'List the allowed e-mail domains',
  description: 'The list takes effect if `emails_restricted_to_domains` is set.',
  access: 'user',
  result: v.object({ domains: v.array(domainObject) }),
  async run(context) {
    return { domains: [...allowedDomains(context)] };
  },
});
