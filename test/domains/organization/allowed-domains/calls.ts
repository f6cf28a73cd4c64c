import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import { allow, restrict } from './allowing.ts';

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
    'with subdomains': async (world) => {
      await allow(world);
      await world.as('owner').allowedDomains.edit({ domain: 'example.com', allow_subdomains: true });
    },
  },
  'allowedDomains.remove': {
    'one of two domains, and the last one': async (world) => {
      await restrict(world, 'example.com');
      await allow(world, 'castle.example');
      await world.as('owner').allowedDomains.remove({ domain: 'example.com' });
      await world.as('owner').allowedDomains.remove({ domain: 'castle.example' });
    },
  },
};

export const stored: Stored = async (tx) => (await tx.organization.get())?.settings.allowed_domains;
