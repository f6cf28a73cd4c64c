/**
 * Customers of a shop and its staff: each order has a room, which only its customer and the staff see.
 * Run it with `npx tsx customers.ts`, and open http://localhost:8080/orders/17?login=ben.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { type Chat, localFiles, openChat, type Storage, sqlite } from 'parlance-chat';
import { requestListener } from 'parlance-chat/server';

const OWNER = { email: 'ada@example.com', full_name: 'Ada' };
/** The users and orders of your own program. Use random session IDs as cookies. */
const STAFF = new Map([['grace', { email: 'grace@example.com', full_name: 'Grace Li', role: 400 as const }]]);
const CUSTOMERS = new Map([
  ['ben', { email: 'ben@example.net', full_name: 'Ben Ngo' }],
  ['cleo', { email: 'cleo@example.net', full_name: 'Cleo Roy' }],
]);
const ORDERS = new Map([
  ['17', 'ben'],
  ['18', 'cleo'],
]);

export async function startShop({ storage, uploads, port }: { storage: Storage; uploads: string; port: number }) {
  const chat = await openChat({ storage, files: localFiles(uploads), baseUrl: `http://localhost:${port}/chat` });
  if (!(await chat.hasOrganization())) await organize(chat);
  chat.start();
  const authenticate = ({ headers }: { headers: { cookie?: string | undefined } }) => {
    const login = loginOf(headers.cookie);
    return (STAFF.get(login) ?? CUSTOMERS.get(login))?.email;
  };
  const listener = requestListener(chat, { prefix: '/chat', authenticate });
  const server = createServer({ maxHeaderSize: 131_072 }, async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://shop');
    if (/^\/chat(\/|$)/.test(pathname)) return listener(req, res);
    const chosen = searchParams.get('login');
    if (chosen !== null)
      return res
        .writeHead(303, { Location: pathname, 'Set-Cookie': `login=${chosen}; HttpOnly; SameSite=Lax; Path=/` })
        .end();
    const login = loginOf(req.headers.cookie);
    const order = /^\/orders\/(\d+)$/.exec(pathname)?.[1] ?? '';
    if (ORDERS.get(order) !== login) return res.writeHead(404).end('There is no such order.\n');
    await ensureRoom(chat, order, login);
    res.setHeader('Content-Type', 'text/html; charset=utf-8').end(page(order));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { chat, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function organize(chat: Chat): Promise<void> {
  await chat.createOrganization({ name: 'The shop', owner: OWNER, audience: 'customers' });
  const staff = await Promise.all([...STAFF.values()].map((person) => chat.system().users.ensure(person)));
  const members = staff.map(({ user_id }) => user_id);
  await chat.system().userGroups.create({ name: 'support', description: 'Answers customers', members });
}

/** Called whenever the page of an order opens. Customers become guests, as the audience of the organization says. */
async function ensureRoom(chat: Chat, order: string, login: string): Promise<void> {
  const { user_id } = await chat.system().users.ensure(CUSTOMERS.get(login) as { email: string; full_name: string });
  const room = { external_id: `order-${order}`, name: `Order ${order}`, members: [user_id], staff: 'support' };
  await chat.rooms.ensure(room);
}

const page = (order: string) => `<!doctype html>
<meta name="viewport" content="width=device-width">
<title>Order ${order}</title>
<style>parlance-panel { height: 70vh }</style>
<script type="module" src="/chat/static/panel.js"></script>
<h1>Order ${order}</h1>
<parlance-panel site="/chat" room="order-${order}" hide="header"></parlance-panel>
`;

const loginOf = (cookie = '') => /(?:^|; )login=(\w+)/.exec(cookie)?.[1] ?? '';

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await startShop({ storage: sqlite('shop.db'), uploads: 'shop.db-uploads', port: 8080 });
}
