import { commands } from '../operations/metadata.ts';

export const allowedDomains = commands('allowedDomains', 'Domains whose addresses may join', {
  list: { columns: { domains: ['domain', 'allow_subdomains'] }, empty: 'No domain is named.' },
  add: {
    args: ['domain'],
    defaults: { allow_subdomains: false },
    done: ({ parameters: { domain } }) => `Addresses of ${domain} are allowed.`,
    examples: ['allowed-domains add example.com --allow-subdomains'],
  },
  edit: {
    args: ['domain'],
    done: ({ parameters: { domain, allow_subdomains } }) =>
      `Addresses of domains below ${domain} are ${allow_subdomains ? '' : 'not '}allowed.`,
    examples: ['allowed-domains edit example.com --no-allow-subdomains'],
  },
  remove: {
    undo: 'allowed-domains add',
    args: ['domain'],
    done: ({ parameters: { domain } }) => `Addresses of ${domain} are allowed no more; accounts keep theirs.`,
    examples: ['allowed-domains remove example.com'],
  },
});
