import { cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const idAfter = ({ clock }: World, days: number) => `${Math.floor(clock.now() / 1000) + days * 86_400}-abcdefghij_-`;

export const revokeTokenCases = cases('tokens.revoke', [
  {
    name: 'a member revokes all tokens',
    as: 'hamlet',
    call: ['tokens.revoke'],
    returns: {},
  },
  {
    name: 'a guest revokes one token',
    as: 'guest',
    call: ['tokens.revoke', (world) => ({ token_id: idAfter(world, 30) })],
    returns: {},
  },
  {
    name: 'revoking an expired token succeeds',
    as: 'bot',
    call: ['tokens.revoke', { token_id: '1-abcdefghij_-' }],
    returns: {},
  },
  {
    name: 'an ID that expires after more than 30 days is refused',
    as: 'hamlet',
    call: ['tokens.revoke', (world) => ({ token_id: idAfter(world, 31) })],
    refuses: { code: 'BAD_REQUEST', says: /token_id/ },
  },
  ...['', 'all', '1-abc', 'x'.repeat(31)].map((token_id) => ({
    name: `the ID "${token_id.slice(0, 12)}" is refused`,
    as: 'hamlet' as const,
    call: ['tokens.revoke', { token_id }] as const,
    refuses: { code: 'BAD_REQUEST', says: /token_id/ },
  })),
]);
