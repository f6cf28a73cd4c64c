import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { allow, restrict } from './allowing.ts';

const domainsOf = async (world: World) => (await world.as('guest').allowedDomains.list()).domains;

const notADomain = (domain: string): Case => ({
  name: `"${domain.slice(0, 30)}" is refused as a domain`,
  as: 'owner',
  call: ['allowedDomains.add', { domain, allow_subdomains: false }],
  refuses: { code: 'BAD_REQUEST', says: /not a domain/ },
});

export const listAllowedDomainsCases = cases('allowedDomains.list', [
  {
    name: 'any user gets the list of domains',
    as: 'guest',
    given: async (world) => {
      await allow(world);
      await allow(world, 'castle.example', true);
    },
    call: ['allowedDomains.list'],
    returns: {
      domains: [
        { domain: 'example.com', allow_subdomains: false },
        { domain: 'castle.example', allow_subdomains: true },
      ],
    },
  },
]);

export const addAllowedDomainCases = cases('allowedDomains.add', [
  {
    name: 'an owner allows a domain, stored in lower case, and all users get the event',
    as: 'owner',
    call: ['allowedDomains.add', { domain: ' Elsinore.Example.COM ', allow_subdomains: true }],
    events: () => ({
      guest: [
        {
          type: 'realm_domains',
          op: 'add',
          realm_domain: { domain: 'elsinore.example.com', allow_subdomains: true },
        },
      ],
    }),
    state: async (world) => {
      const { realm_domains } = await world.as('hamlet').register({ fetch_event_types: ['realm_domains'] });
      assert.deepEqual(realm_domains, [{ domain: 'elsinore.example.com', allow_subdomains: true }]);
    },
  },
  ...['', 'example', '.example.com', 'example.com.', 'a_b.example', '-a.example', 'ada@example.com', 'a b.example'].map(
    notADomain,
  ),
  notADomain(`${'a.'.repeat(130)}example`),
  {
    name: 'a domain that is already allowed is refused',
    as: 'owner',
    given: (world) => allow(world),
    call: ['allowedDomains.add', { domain: 'EXAMPLE.com', allow_subdomains: true }],
    refuses: { code: 'BAD_REQUEST', says: /already/ },
  },
  {
    name: 'more than 200 domains are refused',
    as: 'owner',
    given: (world) =>
      world.settings({
        allowed_domains: Array.from({ length: 200 }, (_, at) => ({
          domain: `d${at}.example`,
          allow_subdomains: false,
        })),
      }),
    call: ['allowedDomains.add', { domain: 'example.com', allow_subdomains: true }],
    refuses: { code: 'BAD_REQUEST', says: /200/ },
  },
  {
    name: 'an administrator who is not an owner is refused',
    as: 'administrator',
    call: ['allowedDomains.add', { domain: 'example.com', allow_subdomains: true }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL', says: /owner/ },
  },
]);

export const editAllowedDomainCases = cases('allowedDomains.edit', [
  {
    name: 'subdomains are allowed or no longer allowed, and all users get the event',
    as: 'owner',
    given: (world) => allow(world),
    call: ['allowedDomains.edit', { domain: 'Example.com', allow_subdomains: true }],
    events: () => ({
      guest: [
        {
          type: 'realm_domains',
          op: 'change',
          realm_domain: { domain: 'example.com', allow_subdomains: true },
        },
      ],
    }),
    state: async (world) =>
      assert.deepEqual(await domainsOf(world), [{ domain: 'example.com', allow_subdomains: true }]),
  },
  {
    name: 'a value equal to the present one sends no event',
    as: 'owner',
    given: (world) => allow(world),
    call: ['allowedDomains.edit', { domain: 'example.com', allow_subdomains: false }],
    events: () => ({ guest: [] }),
  },
  {
    name: 'a domain that is not in the list is refused',
    as: 'owner',
    given: (world) => allow(world),
    call: ['allowedDomains.edit', { domain: 'sub.example.com', allow_subdomains: true }],
    refuses: { code: 'BAD_REQUEST', says: /not in the list of allowed domains/ },
  },
]);

export const removeAllowedDomainCases = cases('allowedDomains.remove', [
  {
    name: 'removing one of several domains keeps the restriction',
    as: 'owner',
    given: async (world) => {
      await restrict(world);
      await allow(world);
    },
    call: ['allowedDomains.remove', { domain: 'CASTLE.example' }],
    events: () => ({ guest: [{ type: 'realm_domains', op: 'remove', domain: 'castle.example' }] }),
    state: async (world) => {
      assert.deepEqual(await domainsOf(world), [{ domain: 'example.com', allow_subdomains: false }]);
      await assert.rejects(world.as('owner').users.create({ email: 'osric@castle.example', full_name: 'Osric' }));
    },
  },
  {
    name: 'removing the last domain turns off the restriction',
    as: 'owner',
    given: (world) => restrict(world),
    call: ['allowedDomains.remove', { domain: 'castle.example' }],
    events: () => ({
      guest: [
        { type: 'realm_domains', op: 'remove', domain: 'castle.example' },
        { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
      ],
    }),
    state: async (world) =>
      void (await world.as('owner').users.create({ email: 'osric@elsewhere.example', full_name: 'Osric' })),
  },
  {
    name: 'a domain that is not in the list is refused',
    as: 'owner',
    call: ['allowedDomains.remove', { domain: 'example.com' }],
    refuses: { code: 'BAD_REQUEST', says: /not in the list of allowed domains/ },
  },
]);
