import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import type { World } from '../../../world/world.ts';

export const allow = ({ as }: World, domain = 'example.com', allow_subdomains = false) =>
  as('owner').allowedDomains.add({ domain, allow_subdomains });

/** Accounts have addresses of this domain alone from now on. */
export async function restrict(world: World, domain = 'castle.example', allow_subdomains = false): Promise<void> {
  await allow(world, domain, allow_subdomains);
  await world.settings({ emails_restricted_to_domains: true });
}

export const matrix: PlainCalls = {
  'allowedDomains.add': () => ({ domain: 'example.com', allow_subdomains: true }),
  'allowedDomains.edit': async (world) => {
    await allow(world);
    return { domain: 'example.com', allow_subdomains: true };
  },
  'allowedDomains.remove': async (world) => {
    await allow(world);
    return { domain: 'example.com' };
  },
};

export const changes: Changes = {
  'allowedDomains.add': { 'a domain': (world) => allow(world) },
  'allowedDomains.edit': {
    'of those below it': async (world) => {
      await allow(world);
      await world.as('owner').allowedDomains.edit({ domain: 'example.com', allow_subdomains: true });
    },
  },
  'allowedDomains.remove': {
    'one of two, and the last': async (world) => {
      await restrict(world, 'example.com');
      await allow(world, 'castle.example');
      await world.as('owner').allowedDomains.remove({ domain: 'example.com' });
      await world.as('owner').allowedDomains.remove({ domain: 'castle.example' });
    },
  },
};

export const stored: Stored = async (tx) => (await tx.organization.get())?.settings.allowed_domains;
