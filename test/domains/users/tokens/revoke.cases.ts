import { cases } from '../../../world/case.ts';

const LATER = Math.floor(Date.now() / 1000) + 3_600;

export const revokeTokenCases = cases('tokens.revoke', [
  {
    name: 'a member ends all tokens',
    as: 'hamlet',
    call: ['tokens.revoke'],
    returns: {},
  },
  {
    name: 'a guest ends one token',
    as: 'guest',
    call: ['tokens.revoke', { token_id: `${LATER}-abcdefghij_-` }],
    returns: {},
  },
  {
    name: 'a token that has expired needs no ending',
    as: 'bot',
    call: ['tokens.revoke', { token_id: '1-abcdefghij_-' }],
    returns: {},
  },
  ...['', 'all', '1-abc', `${LATER + 40 * 86_400}-abcdefghij_-`, 'x'.repeat(31)].map((token_id) => ({
    name: `the ID "${token_id.slice(0, 12)}" is refused`,
    as: 'hamlet' as const,
    call: ['tokens.revoke', { token_id }] as const,
    refuses: { code: 'BAD_REQUEST', says: /token_id/ },
  })),
]);
