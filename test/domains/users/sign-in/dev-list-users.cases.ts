import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';

type Listed = { email: string; realm_url: string }[];

export const devListUsersCases = cases('devListUsers', [
  {
    name: 'a caller without credentials gets the active people, administrators apart',
    as: 'anonymous',
    development: true,
    call: ['devListUsers', {}],
    returns: {
      direct_admins: (list: Listed) => list.some(({ email }) => email === 'owner@example.com'),
      direct_users: (list: Listed) => list.every(({ realm_url }) => realm_url.startsWith('http')),
    },
    state: async ({ emails }, { direct_admins, direct_users }) => {
      const { owner, secondOwner, administrator } = emails;
      const shown = (list: Listed) => list.map(({ email }) => email);
      assert.deepEqual(shown(direct_admins).sort(), [owner, secondOwner, administrator].sort());
      assert.ok(shown(direct_users).includes(emails.guest));
      for (const hidden of [emails.deactivated, emails.bot]) assert.ok(!shown(direct_users).includes(hidden), hidden);
    },
  },
  {
    name: 'hidden real addresses are listed, because this is how they sign in',
    as: 'anonymous',
    development: true,
    given: (world) => world.storage.write((tx) => tx.users.update(world.users.cordelia, { email_visibility: 4 })),
    call: ['devListUsers', {}],
    returns: { direct_users: (list: Listed) => list.some(({ email }) => email === 'cordelia@example.com') },
  },
  ...(['anonymous', 'owner'] as const).map((as) => ({
    name: `a production server refuses ${as}`,
    as,
    call: ['devListUsers', {}] as const,
    refuses: { code: 'BAD_REQUEST', says: /not a development server/ },
  })),
]);
