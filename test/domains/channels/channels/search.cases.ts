import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNEL_KEYS } from '../../../world/event-keys.ts';
import { CHANNELS, type UserName } from '../../../world/fixture.ts';

/** A search that returns exactly these channels in this order. */
const finds = (name: string, as: UserName, query: string, names: readonly string[], given?: Case['given']): Case => ({
  name,
  as,
  ...(given ? { given } : {}),
  call: ['channels.search', { query }],
  returns: {
    streams: (streams: { name: string }[]) => {
      assert.deepEqual(
        streams.map((one) => one.name),
        names,
      );
      return true;
    },
  },
});

export const searchChannelsCases = cases('channels.search', [
  {
    name: 'a channel has the same fields as in GET /streams',
    as: 'hamlet',
    call: ['channels.search', { query: 'den' }],
    returns: ({ channels }) => ({
      streams: (streams: { stream_id: number }[]) => {
        assert.deepEqual(Object.keys(streams[0] as object).sort(), [...CHANNEL_KEYS].sort());
        return streams.length === 1 && streams[0]?.stream_id === channels.public;
      },
    }),
  },
  finds('subscribed channels come first, others after them, archived ones not at all', 'hamlet', '', [
    CHANNELS.shared,
    CHANNELS.public,
    CHANNELS.webPublic,
    CHANNELS.default,
    CHANNELS.quiet,
  ]),
  finds(
    'an exact name comes first, then subscribed channels, then starts of names, then words',
    'cordelia',
    'den',
    ['Dén', CHANNELS.public, 'Dentists', 'The den'],
    async ({ as }) => {
      for (const name of ['The den', 'Dentists', 'Dén']) await as('owner').channels.create({ name, subscribers: [] });
    },
  ),
  finds('a search ignores case and accents', 'cordelia', 'DÊNM', [CHANNELS.public]),
  finds('a private channel is found by its subscribers', 'cordelia', 'vau', [CHANNELS.protected]),
  finds('a private channel stays hidden from other members', 'hamlet', 'vau', []),
  finds('an administrator finds a private channel', 'administrator', 'vau', [CHANNELS.protected]),
  finds('a guest finds only their channels', 'guest', '', [CHANNELS.webPublic, CHANNELS.default, CHANNELS.protected]),
  finds('an archived channel is not found', 'hamlet', 'ruins', []),
  finds('part of a word is not found', 'hamlet', 'enmark', []),
  {
    name: 'a search returns at most 20 channels',
    as: 'hamlet',
    given: async ({ as }) => {
      for (let at = 0; at < 25; at++) await as('owner').channels.create({ name: `Extra ${at}`, subscribers: [] });
    },
    call: ['channels.search', { query: 'extra' }],
    returns: { streams: (streams: object[]) => streams.length === 20 },
  },
  {
    name: 'a query of more than 100 characters is refused',
    as: 'hamlet',
    call: ['channels.search', { query: 'a'.repeat(101) }],
    refuses: { code: 'BAD_REQUEST', says: /query is too long/ },
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
    call: ['channels.search', { query: 'a' }],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
]);
