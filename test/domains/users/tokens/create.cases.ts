import { cases } from '../../../world/case.ts';

const TOKEN = /^parlance\.t\.[\w-]{8}\.\d+\.\d+\.\d+\.\d+\.[rw]\.[\w-]{12}\.[\w-]{43}$/;
const ID = /^\d+-[\w-]{12}$/;

export const createTokenCases = cases('tokens.create', [
  {
    name: 'a member gets a token for an hour',
    as: 'hamlet',
    call: ['tokens.create'],
    returns: ({ users }) => ({ token: TOKEN, token_id: ID, user_id: users.hamlet }),
  },
  {
    name: 'a guest gets a read-only token',
    as: 'guest',
    call: ['tokens.create', { ttl_seconds: 60, scopes: ['read'] }],
    returns: ({ users }) => ({ token: /\.r\./, user_id: users.guest }),
  },
  {
    name: 'a bot gets a token for a day, which is the maximum',
    as: 'bot',
    call: ['tokens.create', { ttl_seconds: 86_400, scopes: ['write'] }],
    returns: ({ users }) => ({ token: /\.w\./, user_id: users.bot }),
  },
  ...([0, -1, 86_401, 1.5, 'long'] as const).map((ttl_seconds) => ({
    name: `a token for ${ttl_seconds} seconds is refused`,
    as: 'hamlet' as const,
    call: ['tokens.create', { ttl_seconds }] as const,
    refuses: { code: 'BAD_REQUEST', says: /ttl_seconds/ },
  })),
  ...[[], ['admin'], ['read', 'write', 'read']].map((scopes) => ({
    name: `the scopes ${JSON.stringify(scopes)} are refused`,
    as: 'hamlet' as const,
    call: ['tokens.create', { scopes }] as const,
    refuses: { code: 'BAD_REQUEST', says: /scopes/ },
  })),
]);
