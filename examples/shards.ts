/**
 * Many organizations on several PostgreSQL servers. A table says on which server each of them is. Each has a schema of
 * its own. The path of a request chooses one (/acme).
 *
 *   npx tsx examples/shards.ts postgres://chat@one/chat postgres://chat@two/chat postgres://chat@three/chat
 *   npx tsx examples/shards.ts …the same… --move acme 2
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Chat, moveOrganization, openTenants, StorageError } from 'parlance-chat';
import { postgres } from 'parlance-chat/postgres';
import { type Listener, requestListener } from 'parlance-chat/server';
import pg from 'pg';

/** Milliseconds in which a server must answer before one of its organizations opens. */
const ANSWER_MS = 1_000;
/** Milliseconds without another attempt after it did not. */
const DOWN_MS = 3_000;
/** Problems that end by themselves, for example with the end of a move. */
const TEMPORARY: ReadonlySet<string> = new Set(['busy', 'moved', 'unreachable']);
/** Seconds. A move stops an organization for about one. */
const RETRY_AFTER = '1';

class UnknownTenant extends Error {}

const CREATE_PLACES = `CREATE TABLE IF NOT EXISTS places (
  tenant TEXT PRIMARY KEY CHECK (tenant ~ '^[a-z0-9]{1,40}$'), server INTEGER NOT NULL)`;

/** The table that says who is where. It is on the first server. */
export async function openPlaces(servers: readonly string[]) {
  const pool = newPool(servers[0] as string, 2, { query_timeout: ANSWER_MS });
  await pool.query(CREATE_PLACES);
  /** For times without the table. An outdated place is harmless: there, the organization refuses all use. */
  const known = new Map<string, number>();
  return {
    async find(tenant: string): Promise<number | undefined> {
      try {
        const { rows } = await pool.query('SELECT server FROM places WHERE tenant = $1', [tenant]);
        if (rows[0]) known.set(tenant, rows[0].server);
        else known.delete(tenant);
      } catch (error) {
        console.error(error);
      }
      return known.get(tenant);
    },
    async all(): Promise<string[]> {
      const { rows } = await pool.query('SELECT tenant FROM places ORDER BY tenant');
      return rows.map(({ tenant }) => tenant);
    },
    async put(tenant: string, server: number): Promise<void> {
      await pool.query(
        'INSERT INTO places (tenant, server) VALUES ($1, $2) ON CONFLICT (tenant) DO UPDATE SET server = $2',
        [tenant, server],
      );
    },
    close: () => pool.end(),
  };
}

export type Places = Awaited<ReturnType<typeof openPlaces>>;

const schemaOf = (tenant: string) => `tenant_${tenant}`;

/** While servers use it. Run it again after an interruption. */
export async function moveTenant(places: Places, servers: readonly string[], tenant: string, server: number) {
  const at = await places.find(tenant);
  if (at === undefined) throw new Error(`There is no organization ${tenant}.`);
  const schema = schemaOf(tenant);
  const [from, to] = [at, server].map((number) => postgres(servers[number] as string, { schema }));
  if (!from || !to || at === server) return undefined;
  try {
    return await moveOrganization(from, to, {
      places: { from: `server ${at}`, to: `server ${server}` },
      onSwitch: () => places.put(tenant, server),
    });
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
}

/** Start as many processes of it as you like. */
export async function startServer(options: { servers: readonly string[]; port: number; maxOpen?: number }) {
  const { servers } = options;
  const places = await openPlaces(servers);
  const pools = servers.map((url) => ({ pool: newPool(url, 10), downUntil: 0 }));
  const tenants = openTenants({
    async storage(id) {
      const server = await places.find(id);
      const place = server === undefined ? undefined : pools[server];
      // Without this, any request could create a schema.
      if (!place) throw new UnknownTenant(`There is no organization ${id}.`);
      await checkAnswers(place);
      return postgres({ pool: place.pool }, { schema: schemaOf(id) });
    },
    chatOptions: (id) => ({ baseUrl: `http://127.0.0.1:${options.port}/${id}` }),
    ids: async function* () {
      yield* await places.all();
    },
    maxOpen: options.maxOpen ?? 500,
    waitMs: 5_000,
  });
  tenants.start();

  // A tenant that closes and opens again is another chat, with another listener.
  const listeners = new WeakMap<Chat, Listener>();
  const listenerOf = (chat: Chat, id: string) => {
    const listener = listeners.get(chat) ?? requestListener(chat, { prefix: `/${id}` });
    listeners.set(chat, listener);
    return listener;
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id = ''] = (request.url ?? '').split(/[/?]/);
    const ended = once(response, 'close');
    try {
      await tenants.with(id, async (chat) => {
        listenerOf(chat, id)(request, response);
        await ended;
      });
    } catch (error) {
      if (error instanceof UnknownTenant) return void response.writeHead(404).end('There is no such organization.\n');
      const isTemporary = error instanceof StorageError && TEMPORARY.has(error.reason);
      if (!isTemporary) console.error(error);
      const headers = isTemporary ? { 'Retry-After': RETRY_AFTER } : {};
      response.writeHead(isTemporary ? 503 : 500, headers).end('Try again later.\n');
    }
  }

  const server = createServer({ maxHeaderSize: 131_072 }, (request, response) => void answer(request, response));
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tenants,
    places,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Ends waiting polls. Otherwise the server would wait for them.
      await tenants.close();
      server.closeAllConnections();
      await closed;
      await Promise.all([places.close(), ...pools.map(({ pool }) => pool.end())]);
    },
  };
}

/** Organizations of a dead server fail at once, and keep no others waiting for a place or a turn. */
async function checkAnswers(place: { pool: pg.Pool; downUntil: number }): Promise<void> {
  const down = new StorageError('The server of this organization does not answer.', 'unreachable');
  if (performance.now() < place.downUntil) throw down;
  const answered = place.pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
  if (await Promise.race([answered, delay(ANSWER_MS, false, { ref: false })])) return;
  place.downUntil = performance.now() + DOWN_MS;
  throw down;
}

function newPool(connectionString: string, max: number, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    keepAlive: true,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 8_000,
    query_timeout: 10_000,
    ...options,
  });
  // The pool replaces broken connections. Without a listener, the error would end the process.
  pool.on('error', ({ message }) => console.error(message));
  return pool;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = process.argv.slice(2);
  const at = args.indexOf('--move');
  const servers = at < 0 ? args : args.slice(0, at);
  if (at >= 0) {
    const places = await openPlaces(servers);
    console.log(await moveTenant(places, servers, args[at + 1] ?? '', Number(args[at + 2])));
    await places.close();
  } else {
    const { url, places, tenants, close } = await startServer({ servers, port: 8080 });
    for (const [at, id] of ['acme', 'bolt', 'corp'].entries()) {
      if ((await places.find(id)) === undefined) await places.put(id, at % servers.length);
      const owner = { email: `ada@${id}.example`, full_name: 'Ada' };
      const key = await tenants.with(id, async (chat) => {
        await chat.ensureOrganization({ name: id, owner });
        return chat.apiKeyOf(owner.email);
      });
      console.log(`${url}/${id}: ${owner.email}, API key ${key}`);
    }
    process.once('SIGINT', close);
  }
}
