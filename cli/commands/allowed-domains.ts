import { commands } from '../operations/metadata.ts';

export const allowedDomains = commands('allowedDomains', 'E-mail domains that may join', {
  list: { columns: { domains: ['domain', 'allow_subdomains'] }, empty: 'There are no allowed domains.' },
  add: {
    args: ['domain'],
    defaults: { allow_subdomains: false },
    done: ({ parameters: { domain } }) => `Allowed addresses at ${domain}.`,
    examples: ['allowed-domains add example.com --allow-subdomains'],
  },
  edit: {
    args: ['domain'],
    done: ({ parameters: { domain, allow_subdomains } }) =>
      `Subdomains of ${domain} are ${allow_subdomains ? '' : 'not '}allowed.`,
    examples: ['allowed-domains edit example.com --no-allow-subdomains'],
  },
  remove: {
    undo: 'allowed-domains add',
    args: ['domain'],
    done: ({ parameters: { domain } }) =>
      `Addresses at ${domain} are no longer allowed. Existing accounts keep their addresses.`,
    examples: ['allowed-domains remove example.com'],
  },
});
