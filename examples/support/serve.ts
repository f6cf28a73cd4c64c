/**
 * A support chat in the pages of a shop. Customers who are logged in write to the staff, who answers in the web app.
 * Each customer has a room and cannot see other customers or their messages. The page shows the room with
 * `<parlance-panel>`, which uses the login cookie of the shop. A customer who has left the page gets the answer by
 * e-mail, and can reply to it.
 * Run in a copy of this folder:
 *
 *   npm init -y && npm pkg set type=module
 *   npm install ./parlance-chat-0.1.0.tgz     # made by `npm pack`, see the README
 *   npx tsx serve.ts
 *
 * For e-mail, set SMTP_URL. For replies to it, also set REPLY_DOMAIN and INBOUND_MAIL_SECRET (docs/notifications.md).
 */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { type Chat, type ChatOptions, openChat, smtp, sqlite } from 'parlance-chat';
import { requestListener } from 'parlance-chat/server';

const MEMBER = 400;
const GUEST = 600;
const OWNER = { email: 'ada@example.com', full_name: 'Ada' };
/** The staff, in addition to the owner, and the customers, by login cookie. In your own program, use random session IDs. */
const STAFF = new Map([['grace', { email: 'grace@example.com', full_name: 'Grace' }]]);
const CUSTOMERS = new Map([
  ['ben', { email: 'ben@example.net', full_name: 'Ben' }],
  ['cleo', { email: 'cleo@example.net', full_name: 'Cleo' }],
]);

/** Empty or absent: no e-mail, and no replies to it. */
const { SMTP_URL, REPLY_DOMAIN, INBOUND_MAIL_SECRET } = process.env;
const FROM = 'The shop <chat@shop.example.com>';

/** What the pages of the shop allow. The panel needs no more than this. */
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:",
  "media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "require-trusted-types-for 'script'; trusted-types parlance",
].join('; ');

interface ShopOptions extends Pick<ChatOptions, 'clock' | 'mail'> {
  database: string;
  port: number;
}

export async function startShop({ database, port, ...options }: ShopOptions) {
  const site = `http://127.0.0.1:${port}`;
  const chat = await openChat({
    storage: sqlite(database),
    baseUrl: `${site}/chat`,
    // In e-mail, customers get a link to the shop. The staff gets one to the web app.
    messageUrl: (_place, _message, { role }) => (role === GUEST ? `${site}/` : undefined),
    ...options,
  });
  if (!(await chat.hasOrganization())) await organize(chat);
  chat.start();

  /** Cached accounts and rooms of customers by login. */
  const accounts = new Map<string, Promise<Customer>>();
  const customerOf = (login: string): Promise<Customer> | undefined => {
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
    authenticate: async ({ headers }) =>
      STAFF.get(loginOf(headers.cookie))?.email ?? (await customerOf(loginOf(headers.cookie)))?.account,
    loginUrl: '/',
    // Your provider of e-mail posts replies to /chat/inbound/mail.
    ...(INBOUND_MAIL_SECRET ? { inboundMailSecret: INBOUND_MAIL_SECRET } : {}),
  });
  const server = createServer({ maxHeaderSize: 131_072 }, async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://shop');
    if (/^\/chat(\/|$)/.test(pathname)) return chatListener(req, res);
    try {
      if (pathname === '/support.js') return send(res, 'text/javascript', await ownFile('support.js'));
      if (pathname === '/support.css') return send(res, 'text/css', await ownFile('support.css'));
      const chosen = searchParams.get('login') ?? '';
      if (CUSTOMERS.has(chosen) || STAFF.has(chosen)) {
        const cookie = `login=${chosen}; HttpOnly; SameSite=Lax; Path=/`;
        return res.writeHead(303, { 'Set-Cookie': cookie, Location: '/' }).end();
      }
      const login = loginOf(req.headers.cookie);
      const customer = await customerOf(login);
      const part = customer === undefined ? '' : supportChat(customer);
      send(res, 'text/html; charset=utf-8', page(STAFF.has(login) ? STAFF_LINK : part));
    } catch (error) {
      console.error(error);
      res.writeHead(500).end('Internal error.\n');
    }
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

/** Creates the staff. The audience makes the customers guests, who do not see each other. */
async function organize(chat: Chat): Promise<void> {
  const owner = await chat.createOrganization({ name: 'The shop', owner: OWNER, audience: 'customers' });
  const members = [owner.user_id];
  for (const person of STAFF.values())
    members.push((await chat.system().users.ensure({ ...person, role: MEMBER })).user_id);
  await chat.system().userGroups.create({ name: 'support', description: 'Answers customers', members });
}

interface Customer {
  account: number;
  /** The channel of the room. */
  channel: number;
}

/** Finds or creates the account of a customer and the room, which only the customer and the staff see. */
async function welcome(chat: Chat, customer: { email: string; full_name: string }): Promise<Customer> {
  const { user_id: account } = await chat.system().users.ensure(customer);
  const room = { external_id: `customer-${account}`, name: `customer ${account}`, members: [account] };
  const { stream_id: channel } = await chat.rooms.ensure({ ...room, staff: 'support' });
  return { account, channel };
}

const page = (part: string) => `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The shop</title>
<link rel="stylesheet" href="/support.css">
<script type="module" src="/chat/static/panel.js"></script>
<script type="module" src="/support.js"></script>
<h1>The shop</h1>
<p>Log in as the customer <a href="/?login=ben">Ben</a> or <a href="/?login=cleo">Cleo</a>, or as
<a href="/?login=grace">Grace</a> of the staff.</p>
${part}</html>
`;

/** The staff has the whole web app, with the same login. */
const STAFF_LINK = '<p><a href="/chat/">Answer customers</a></p>\n';

/** What customers with a login have at the end of the page. */
const supportChat = ({ channel }: Customer) => `<details class="support">
<summary>Write to us <b></b></summary>
<parlance-panel site="/chat" channel="${channel}" hide="header"></parlance-panel>
</details>
`;

const loginOf = (cookie = '') => /(?:^|; )login=(\w+)/.exec(cookie)?.[1] ?? '';

const ownFile = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

function send(res: ServerResponse, type: string, text: string): void {
  res.setHeader('Content-Type', type).setHeader('Content-Security-Policy', POLICY).end(text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url, chat, close } = await startShop({
    database: 'shop.db',
    port: 8080,
    ...(SMTP_URL
      ? { mail: smtp({ url: SMTP_URL, from: FROM, ...(REPLY_DOMAIN ? { replies: { domain: REPLY_DOMAIN } } : {}) }) }
      : {}),
  });
  console.log(`Shop: ${url}. The staff answers at ${url}/chat/, or in any client, for example as ${OWNER.email}`);
  console.log(`with the API key ${await chat.apiKeyOf(OWNER.email)}`);
  process.once('SIGINT', close);
}
