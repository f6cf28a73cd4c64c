import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { allow, restrict } from './allowing.ts';

const domainsOf = async (world: World) => (await world.as('guest').allowedDomains.list()).domains;

const notADomain = (domain: string): Case => ({
  name: `"${domain.slice(0, 30)}" is no domain`,
  as: 'owner',
  call: ['allowedDomains.add', { domain, allow_subdomains: false }],
  refuses: { code: 'BAD_REQUEST', says: /not a domain/ },
});

export const listAllowedDomainsCases = cases('allowedDomains.list', [
  {
    name: 'everybody may see them',
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
    name: 'an owner allows a domain, in lower case; everybody learns of it',
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
    name: 'a domain is allowed once',
    as: 'owner',
    given: (world) => allow(world),
    call: ['allowedDomains.add', { domain: 'EXAMPLE.com', allow_subdomains: true }],
    refuses: { code: 'BAD_REQUEST', says: /already/ },
  },
  {
    name: 'there are 200 at most',
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
    name: 'administrators who are no owners allow none',
    as: 'administrator',
    call: ['allowedDomains.add', { domain: 'example.com', allow_subdomains: true }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL', says: /owner/ },
  },
]);

export const editAllowedDomainCases = cases('allowedDomains.edit', [
  {
    name: 'domains below one are allowed too, or no more; everybody learns of it',
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
    name: 'what is so already is told to nobody',
    as: 'owner',
    given: (world) => allow(world),
    call: ['allowedDomains.edit', { domain: 'example.com', allow_subdomains: false }],
    events: () => ({ guest: [] }),
  },
  {
    name: 'a domain that is not allowed cannot be changed',
    as: 'owner',
    given: (world) => allow(world),
    call: ['allowedDomains.edit', { domain: 'sub.example.com', allow_subdomains: true }],
    refuses: { code: 'BAD_REQUEST', says: /not among/ },
  },
]);

export const removeAllowedDomainCases = cases('allowedDomains.remove', [
  {
    name: 'one of several goes; the restriction stays',
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
    name: 'with the last goes the restriction',
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
    name: 'one that is not there is refused',
    as: 'owner',
    call: ['allowedDomains.remove', { domain: 'example.com' }],
    refuses: { code: 'BAD_REQUEST', says: /not among/ },
  },
]);
