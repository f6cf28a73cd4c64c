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
  {
    name: 'a member gets a token of a room',
    as: 'hamlet',
    given: ({ chat, users }) =>
      chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members: [users.hamlet] }),
    call: ['tokens.create', { rooms: ['order-17'] }],
    returns: ({ users }) => ({ token: /\.w_\d+\./, user_id: users.hamlet }),
  },
  {
    name: 'a token of a room of others is refused like one of a missing room',
    as: 'hamlet',
    given: ({ chat, users }) =>
      chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members: [users.guest] }),
    call: ['tokens.create', { rooms: ['order-17'] }],
    refuses: { code: 'BAD_REQUEST', says: /^There is no room with the external ID "order-17" that you are in\.$/ },
  },
  {
    name: 'an empty list of rooms is refused',
    as: 'hamlet',
    call: ['tokens.create', { rooms: [] }],
    refuses: { code: 'BAD_REQUEST', says: /rooms/ },
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
