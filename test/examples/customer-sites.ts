import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { startShop } from '../../examples/customers.ts';
import { type Chat, localFiles, openChat } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { type Engine, type OpenPlace, sqliteEngine, testOn } from '../support/engines.ts';
import { databasePath } from './folder.ts';
import { type Fetch, leaksOf, type Site } from './leaks.ts';

export type Login = 'ben' | 'cleo' | 'grace';

const SECRET = 'zebrafinch';

/** A browser with the cookie of a login. */
const visitor =
  (url: string, login: Login): Fetch =>
  async (method, path, form) => {
    const headers = { cookie: `login=${login}`, origin: 'http://localhost:0' };
    const answer = await fetch(url + path, { method, headers, redirect: 'manual', ...(form && { body: form }) });
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') ?? undefined };
  };

async function stop({ chat, server }: { chat: Chat; server: Server }, place: OpenPlace) {
  server.closeAllConnections();
  server.close();
  await chat.close();
  await place.dispose();
}

const idOf = async (chat: Chat, address: string) => (await chat.as(address).users.me()).user_id;

/** The shop of the example, after both customers have opened their pages. */
export async function shop(t: TestContext, open: () => Promise<OpenPlace>): Promise<Site & { url: string }> {
  const place = await open();
  const started = await startShop({ storage: place.storage, uploads: await databasePath(t), port: 0 });
  t.after(() => stop(started, place));
  const { chat, url } = started;
  const page = async (login: Login, order: number) => (await visitor(url, login)('GET', `/orders/${order}`)).status;
  assert.deepEqual([await page('ben', 17), await page('cleo', 18), await page('cleo', 17)], [200, 200, 404]);
  const placeOf = async (order: number) => {
    return { channel: (await chat.idOf('channel', `order-${order}`)) ?? assert.fail(), topic: '' };
  };
  return {
    ...{ chat, url, room: await placeOf(17), own: await placeOf(18), fetch: visitor(url, 'cleo') },
    secret: SECRET,
    victim: await idOf(chat, 'ben@example.net'),
    curious: await idOf(chat, 'cleo@example.net'),
    agent: await idOf(chat, 'grace@example.com'),
  };
}

/** What older documents led to: the organization of a team. */
async function olderShop(
  t: TestContext,
  open: () => Promise<OpenPlace>,
  {
    role,
    places,
  }: { role: 400 | 600; places(chat: Chat, ids: Record<Login, number>): Promise<Pick<Site, 'room' | 'own'>> },
): Promise<Site> {
  const place = await open();
  const files = localFiles(await databasePath(t));
  const chat = await openChat({ storage: place.storage, files, baseUrl: 'http://localhost:0/chat' });
  await chat.createOrganization({ name: 'The shop', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const account = async (full_name: string, role: 400 | 600) => {
    const email = `${full_name.slice(0, full_name.indexOf(' ')).toLowerCase()}@example.net`;
    return (await chat.system().users.ensure({ email, full_name, role })).user_id;
  };
  const ids = {
    grace: await account('Grace Li', 400),
    ben: await account('Ben Ngo', role),
    cleo: await account('Cleo Roy', role),
  };
  const authenticate = ({ headers }: { headers: { cookie?: string | undefined } }) =>
    ids[headers.cookie?.replace('login=', '') as Login];
  const server = createServer({ maxHeaderSize: 131_072 }, requestListener(chat, { prefix: '/chat', authenticate }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => stop({ chat, server }, place));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const users = { victim: ids.ben, curious: ids.cleo, agent: ids.grace, secret: SECRET };
  return { chat, ...users, ...(await places(chat, ids)), fetch: visitor(url, 'cleo') };
}

const channelOf = async (chat: Chat, name: string, subscribers: number[], others: object = {}) => {
  const { id } = await chat.system().channels.create({ name, subscribers, ...others });
  return { channel: id, topic: 'status' };
};

const OLDER = {
  /** README: `<parlance-panel channel="support" topic="order 17">`. */
  'topics of a shared channel': {
    role: 400,
    places: async (chat, { ben, cleo, grace }) => {
      const { channel } = await channelOf(chat, 'support', [ben, cleo, grace]);
      return { room: { channel, topic: 'order 17' }, own: { channel, topic: 'order 18' } };
    },
  },
  /** docs/embedding.md: `openOrder` with members of `users.ensure`. */
  'public channels and members': {
    role: 400,
    places: async (chat, { ben, cleo, grace }) => ({
      room: await channelOf(chat, 'order 17', [ben, grace]),
      own: await channelOf(chat, 'order 18', [cleo, grace]),
    }),
  },
  /** The audience of a team, with guests in private channels. */
  'guests of a team': {
    role: 600,
    places: async (chat, { ben, cleo, grace }) => ({
      room: await channelOf(chat, 'order 17', [ben, grace], { invite_only: true }),
      own: await channelOf(chat, 'order 18', [cleo, grace], { invite_only: true }),
    }),
  },
  /** The same, with addresses for the staff only: customers still write to each other. */
  'direct messages among customers': {
    role: 600,
    places: async (chat, ids) => {
      const places = await OLDER['guests of a team'].places(chat, ids);
      for (const id of [ids.ben, ids.cleo]) await chat.as(id).settings.edit({ email_address_visibility: 3 });
      return places;
    },
  },
} satisfies Record<string, Parameters<typeof olderShop>[2]> as Record<string, Parameters<typeof olderShop>[2]> & {
  'guests of a team': Parameters<typeof olderShop>[2];
};

/** Users are visible to all customers, with what follows from it. */
const OF_USERS = [
  ...['list of users', 'users', 'avatars', 'mentions', 'presence', 'register', 'search', 'subscribers'],
  ...['direct messages', 'typing', 'dry runs', 'events'],
];

/** Channels are readable by all customers. */
const OF_MESSAGES = [
  ...['messages', 'topics', 'edit history', 'read receipts', 'files', 'links of messages', 'why'],
  // Members may invite.
  'invitations and rooms',
];

/** Exactly what the probes find. */
export const FOUND: Readonly<Record<string, readonly string[]>> = {
  'topics of a shared channel': ['addresses', ...OF_USERS, ...OF_MESSAGES],
  'public channels and members': ['addresses', ...OF_USERS, ...OF_MESSAGES, 'channels', 'error texts'],
  'guests of a team': ['addresses', ...OF_USERS],
  'direct messages among customers': OF_USERS,
};

export function testNoLeaks(engine: Engine): void {
  testOn(engine)(
    `one customer of examples/customers.ts learns nothing of another, and hidden records are refused like missing ones, on ${engine.name}`,
    async (t) => {
      assert.deepEqual([...(await leaksOf(await shop(t, engine.open)))], []);
    },
  );
}

/** Finding a leak does not depend on the engine. */
export function testOlderShop(name: string): void {
  testOn(sqliteEngine)(`the same questions find the leaks of older documents: ${name}`, async (t) => {
    const found = await leaksOf(await olderShop(t, sqliteEngine.open, OLDER[name] as (typeof OLDER)[string]));
    assert.deepEqual([...found.keys()].sort(), [...(FOUND[name] as string[])].sort());
  });
}
