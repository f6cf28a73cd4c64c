/**
 * A program that embeds the chat, as a host writes it: a Fastify application with its own users, login and orders in
 * PostgreSQL. The chat is below `/chat`, on the pool of the application.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type pg from 'pg';
import { type Chat, isChatError, openChat, type SyncUser, users } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { requestListener } from '../../server/index.ts';

export interface Person {
  /** The ID in the table of the host, and the external ID in the chat. */
  id: string;
  name: string;
  password: string;
  isActive?: boolean;
}

/** The content security policy of the pages. `chat`: the origin of the chat in pages of another site. */
const policy = (chat = '') =>
  [
    `default-src 'none'; script-src 'self' ${chat}; connect-src 'self' ${chat}; img-src 'self' data: ${chat}`,
    "base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types parlance",
  ].join('; ');

export async function startHost(pool: pg.Pool, schema: string, people: readonly Person[]) {
  const chat = await openChat({ storage: postgres({ pool }, { schema }), baseUrl: 'http://127.0.0.1/chat' });
  await chat.createOrganization({ name: 'Shop', owner: { email: 'root@shop.example', full_name: 'Shop' } });
  await pool.query(`CREATE TABLE ${schema}.orders (number integer PRIMARY KEY)`);
  chat.start();
  const app = Fastify({ forceCloseConnections: true });
  const logins = new Map<string, string>();
  const userOf = (request: Pick<FastifyRequest['raw'], 'headers'>) =>
    logins.get(/\blogin=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');

  app.post('/login', async (request, reply) => {
    const { id, password } = request.body as { id?: string; password?: string };
    const person = people.find((one) => one.id === id && one.password === password && one.isActive !== false);
    if (!person) return reply.code(401).send('Wrong password.');
    const session = randomBytes(16).toString('hex');
    logins.set(session, person.id);
    return reply.header('set-cookie', `login=${session}; HttpOnly; SameSite=Lax; Path=/`).send('Hello.');
  });
  app.get('/', async (request, reply) => {
    const panel = userOf(request.raw) && '<parlance-panel site="/chat" channel="orders" topic="new"></parlance-panel>';
    const page = `<!doctype html><title>Shop</title><script type="module" src="/chat/static/panel.js"></script>${panel}`;
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy()).send(page);
  });
  app.post('/orders', async (request, reply) => {
    const user = userOf(request.raw);
    if (!user) return reply.code(401).send('Log in first.');
    const { number, fails = false } = request.body as { number: number; fails?: boolean };
    try {
      await placeOrder({ pool, schema, chat }, { number, user, fails });
      return 'Thank you.';
    } catch (error) {
      return reply.code(409).send(String(error));
    }
  });
  await app.register(async (scope) => mountChat(scope), { prefix: '/chat' });
  app.addHook('preClose', () => chat.close());
  await app.listen({ port: 0, host: '127.0.0.1' });

  function mountChat(scope: FastifyInstance): void {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    const authenticate = (request: FastifyRequest['raw']) => {
      const external_id = userOf(request);
      return external_id === undefined ? undefined : { external_id };
    };
    const listener = requestListener(chat, { prefix: scope.prefix, authenticate, loginUrl: '/' });
    for (const url of ['/', '/*'])
      scope.all(url, (request, reply) => {
        reply.hijack();
        listener(request.raw, reply.raw);
      });
  }

  return {
    chat,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    /** Syncs the accounts of the chat with the table of the host. */
    mirror: () =>
      chat.sync(
        { channels: [{ external_id: 'c-orders', name: 'orders' }], users: people.map(rowOf) },
        { deactivateMissing: true, lock: ['name', 'is_active'] },
      ),
    close: () => app.close(),
  };
}

const rowOf = ({ id, name, isActive }: Person): SyncUser => ({
  external_id: id,
  name: users.toValidName(name),
  is_active: isActive,
  channels: ['c-orders'],
});

/** One transaction of the host: the order and its message. */
async function placeOrder(
  { pool, schema, chat }: { pool: pg.Pool; schema: string; chat: Chat },
  { number, user, fails }: { number: number; user: string; fails: boolean },
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`INSERT INTO ${schema}.orders VALUES ($1)`, [number]);
    const { messages } = chat.as({ external_id: user }).within(client);
    await messages.send({ type: 'channel', to: 'orders', topic: 'new', content: `Order **${number}**` });
    if (fails) throw new Error('The card was refused.');
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const PARTNER_SCRIPT = `
  document.querySelector('parlance-panel').token = async () => {
    const answer = await fetch('/chat-token', { method: 'POST' });
    if (answer.status === 401) return '';
    if (!answer.ok) throw new Error('No token');
    return answer.text();
  };`;

/** A partner's site on another origin. Its page shows the chat with tokens that the host creates for one user. */
export async function startPartner(host: { chat: Chat; url: string }, external_id: string, ttlSeconds: number) {
  const app = Fastify({ forceCloseConnections: true });
  const tokens: string[] = [];
  app.post('/chat-token', async (_request, reply) => {
    try {
      const { token } = await host.chat.tokens.create({ user: { external_id }, ttlSeconds });
      tokens.push(token);
      return reply.header('cache-control', 'no-store').send(token);
    } catch (error) {
      return reply.code(isChatError(error, 'UNAUTHORIZED') ? 401 : 500).send('No token.');
    }
  });
  app.get('/page.js', (_request, reply) => reply.type('text/javascript').send(PARTNER_SCRIPT));
  app.get('/', (_request, reply) => {
    const panel = `<parlance-panel site="${host.url}/chat" channel="orders" topic="new"></parlance-panel>`;
    const scripts = ['/page.js', `${host.url}/chat/static/panel.js`].map(
      (src) => `<script type="module" src="${src}"></script>`,
    );
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy(host.url))
      .send(`<!doctype html><title>Partner</title>${scripts.join('')}${panel}`);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  // Another site for the browser, not only another port.
  const url = `http://localhost:${(app.server.address() as AddressInfo).port}`;
  return { url, tokens, close: () => app.close() };
}
