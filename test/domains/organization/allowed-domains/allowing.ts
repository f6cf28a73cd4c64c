import type { World } from '../../../world/world.ts';

export const allow = ({ as }: World, domain = 'example.com', allow_subdomains = false) =>
  as('owner').allowedDomains.add({ domain, allow_subdomains });

/** Restricts addresses of accounts to this domain. */
export async function restrict(world: World, domain = 'castle.example', allow_subdomains = false): Promise<void> {
  await allow(world, domain, allow_subdomains);
  await world.settings({ emails_restricted_to_domains: true });
}
