import { BadRequest } from '../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { domainKey, fold } from '../../../rules/fold.ts';
import { allowedDomains, domainAdded, domainParam, storeDomains, subdomainsParam } from './domain-list.ts';

/** Every client loads the whole list at start. */
const MAX_DOMAINS = 200;
/** In characters: the limit of the DNS. */
const MAX_LENGTH = 253;
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`, 'u');

export const addAllowedDomain = defineOperation({
  name: 'allowedDomains.add',
  http: 'POST /realm/domains',
  summary: 'Allow e-mail addresses of a domain',
  description: 'The list takes effect if `emails_restricted_to_domains` is set.',
  example: { domain: 'example.com', allow_subdomains: true },
  access: 'owner',
  scope: 'login',
  effect: 'write',
  params: { domain: domainParam, allow_subdomains: subdomainsParam },
  async run(context, { domain: given, allow_subdomains }) {
    const domain = fold(given);
    if (domain.length > MAX_LENGTH || !DOMAIN.test(domain)) throw new BadRequest(`"${given}" is not a domain.`);
    const domains = allowedDomains(context);
    if (domains.some((allowed) => domainKey(allowed.domain) === domainKey(domain)))
      throw new BadRequest(`The domain "${domain}" is already allowed.`);
    if (domains.length >= MAX_DOMAINS)
      throw new BadRequest(`An organization can allow at most ${MAX_DOMAINS} domains.`);
    const realm_domain = { domain, allow_subdomains };
    await storeDomains(context, [...domains, realm_domain]);
    context.emit({ scope: 'everyone' }, domainAdded({ realm_domain }));
  },
});
