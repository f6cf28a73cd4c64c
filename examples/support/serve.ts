/**
 * A support chat in the pages of a shop. Customers who are logged in write to the staff, who answers in any client.
 * Each customer has a private channel and cannot see other customers or their messages.
 *
 *   npm install ./parlance-0.1.0.tgz esbuild     # made by `npm pack`, see the README
 *   npx tsx serve.ts
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { type Chat, isChatError, openChat, sqlite } from 'parlance';
import { requestListener } from 'parlance/server';

const GUEST = 600;
const OWNER = { email: 'ada@example.com', full_name: 'Ada' };
/** The staff, in addition to the owner. */
const STAFF = [{ email: 'grace@example.com', full_name: 'Grace' }];
/** The customers of the shop by login cookie. In your own program, use random session IDs. */
const CUSTOMERS = new Map([
  ['ben', { email: 'ben@example.net', full_name: 'Ben' }],
  ['cleo', { email: 'cleo@example.net', full_name: 'Cleo' }],
]);

export interface ShopOptions {
  database: string;
  port: number;
  /** Import aliases for esbuild. Default: the installed packages. */
  alias?: Record<string, string>;
}

export async function startShop({ database, port, alias = {} }: ShopOptions) {
  const script = await bundle(alias);
  const chat = await openChat({ storage: sqlite(database), baseUrl: `http://localhost:${port}/chat` });
  if (!(await chat.hasOrganization())) await organize(chat);
  chat.start();

  /** Cached accounts of customers by login. */
  const accounts = new Map<string, Promise<number>>();
  const accountOf = (cookie = ''): Promise<number> | undefined => {
    const login = /(?:^|; )login=(\w+)/.exec(cookie)?.[1] ?? '';
    const customer = CUSTOMERS.get(login);
    if (!customer) return undefined;
    const known = accounts.get(login) ?? welcome(chat, customer);
    accounts.set(login, known);
    // Retry with the next request after an error.
    known.catch(() => accounts.delete(login));
    return known;
  };

  const chatListener = requestListener(chat, {
    prefix: '/chat',
    authenticate: ({ headers }) => accountOf(headers.cookie),
  });
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://shop');
    if (/^\/chat(\/|$)/.test(pathname)) return chatListener(req, res);
    if (pathname === '/support.js') return send(res, 'text/javascript', script);
    const login = searchParams.get('login');
    if (login && CUSTOMERS.has(login)) res.setHeader('Set-Cookie', `login=${login}; HttpOnly; SameSite=Lax; Path=/`);
    send(res, 'text/html; charset=utf-8', PAGE);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chat,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await chat.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Creates the staff. Guests see only users they share a channel or conversation with. */
async function organize(chat: Chat): Promise<void> {
  const owner = chat.as(await chat.createOrganization({ name: 'The shop', owner: OWNER }));
  const { user_groups } = await owner.userGroups.list();
  const members = user_groups.find(({ name }) => name === 'role:members');
  if (members)
    await owner.organization.edit({
      can_access_all_users_group: { new: members.id },
      // Do not show messages about new channels to customers.
      send_channel_events_messages: false,
    });
  await owner.users.createMany({ people: STAFF });
}

/** Finds or creates the account of a customer and the private channel with the staff. */
async function welcome(chat: Chat, customer: { email: string; full_name: string }): Promise<number> {
  const owner = chat.as(OWNER.email);
  const { user_id } = await owner.users.ensure({ ...customer, role: GUEST });
  const { members } = await owner.users.list();
  const staff = members.filter(({ role, is_bot, is_active }) => role < GUEST && !is_bot && is_active);
  const subscribers = [user_id, ...staff.map((person) => person.user_id)];
  try {
    await owner.channels.create({
      name: `customer ${user_id}`,
      description: customer.full_name,
      invite_only: true,
      history_public_to_subscribers: true,
      subscribers,
    });
  } catch (error) {
    if (!isChatError(error, 'CHANNEL_ALREADY_EXISTS')) throw error;
  }
  return user_id;
}

/** Bundles the script of the page. */
async function bundle(alias: Record<string, string>): Promise<string> {
  const entryPoints = [fileURLToPath(new URL('support.js', import.meta.url))];
  const { outputFiles } = await build({ entryPoints, alias, bundle: true, minify: true, format: 'esm', write: false });
  return outputFiles[0]?.text ?? '';
}

const PAGE = `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The shop</title>
<h1>The shop</h1>
<p>Log in as <a href="/?login=ben">Ben</a> or <a href="/?login=cleo">Cleo</a>.</p>
<script type="module" src="/support.js"></script>
</html>
`;

function send(res: ServerResponse, type: string, text: string): void {
  res.setHeader('Content-Type', type).end(text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url, chat, close } = await startShop({ database: 'shop.db', port: 8080 });
  console.log(`Shop: ${url}. Answer in any client at ${url}/chat as ${OWNER.email}`);
  console.log(`with the API key ${await chat.apiKeyOf(OWNER.email)}`);
  process.once('SIGINT', close);
}
