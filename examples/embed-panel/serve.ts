/**
 * A chat in a page of another site. The page is a plain HTML file with a script tag. Cookies of the chat do not work
 * there, so the panel fetches a short-lived token from the server of the page.
 * Run in a copy of this folder:
 *
 *   npm init -y && npm pkg set type=module
 *   npm install ./parlance-chat-0.1.0.tgz     # made by `npm pack`, see the README
 *   npx tsx serve.ts
 *
 * Then open http://127.0.0.1:8080. The chat is at http://localhost:9991, which is another site for a browser.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { type Chat, localFiles, openChat, sqlite } from 'parlance-chat';
import { requestListener } from 'parlance-chat/server';

const OWNER = { email: 'ada@example.com', full_name: 'Ada' };
const VISITOR = { email: 'ben@example.net', full_name: 'Ben' };
/** The address of the chat in the files of the page. `ROOM` stands for the ID of the channel. */
const CHAT = 'http://localhost:9991';
const FILES = new Map([
  ['/', { name: 'index.html', type: 'text/html; charset=utf-8' }],
  ['/page.js', { name: 'page.js', type: 'text/javascript; charset=utf-8' }],
  ['/page.css', { name: 'page.css', type: 'text/css; charset=utf-8' }],
]);

export interface Options {
  database: string;
  /** Ports of the chat and of the page. */
  chatPort: number;
  pagePort: number;
  /** Seconds until a token expires. */
  tokenSeconds: number;
}

export async function startBoth({ database, chatPort, pagePort, tokenSeconds }: Options) {
  const chat = await openChat({
    storage: sqlite(database),
    files: localFiles(`${database}-uploads`),
    baseUrl: `http://localhost:${chatPort}`,
  });
  const { userId, room } = await visit(chat);
  chat.start();
  const chatServer = createServer({ maxHeaderSize: 131_072 }, requestListener(chat));
  const chatUrl = `http://localhost:${await listen(chatServer, chatPort)}`;

  const pageServer = createServer(async (req, res) => {
    try {
      if (req.method === 'POST' && req.url === '/chat-token') {
        // In your own program, check the login of the page here, and take the user from it.
        const { token } = await chat.tokens.create({ user: userId, ttlSeconds: tokenSeconds });
        return res.setHeader('Cache-Control', 'no-store').end(token);
      }
      const file = FILES.get(req.url ?? '');
      if (!file) return res.writeHead(404).end('Not found.\n');
      const text = await readFile(new URL(file.name, import.meta.url), 'utf8');
      res.setHeader('Content-Type', file.type).setHeader('Content-Security-Policy', policyWith(chatUrl));
      res.end(text.replaceAll(CHAT, chatUrl).replace('ROOM', String(room)));
    } catch (error) {
      console.error(error);
      res.writeHead(500).end('Internal error.\n');
    }
  });
  return {
    url: `http://127.0.0.1:${await listen(pageServer, pagePort)}`,
    chatUrl,
    chat,
    async close() {
      const servers = [chatServer, pageServer];
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      await chat.close();
      for (const server of servers) server.closeAllConnections();
      await Promise.all(closed);
    },
  };
}

/** What the page allows. The scripts, connections and pictures of the chat come from its address. */
const policyWith = (chatUrl: string) =>
  [
    `default-src 'none'; script-src 'self' ${chatUrl}; style-src 'self'; connect-src 'self' ${chatUrl}`,
    `img-src ${chatUrl} data:; media-src ${chatUrl}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    "require-trusted-types-for 'script'; trusted-types parlance",
  ].join('; ');

/** The account of the visitor, a guest, and the room of the order with the staff. */
async function visit(chat: Chat): Promise<{ userId: number; room: number }> {
  if (!(await chat.hasOrganization())) {
    const ada = await chat.createOrganization({ name: 'The chat', owner: OWNER, audience: 'customers' });
    await chat.system().userGroups.create({ name: 'support', description: 'Answers', members: [ada.user_id] });
  }
  const { user_id } = await chat.system().users.ensure(VISITOR);
  const order = { external_id: 'order-17', name: 'Order 17', members: [user_id], staff: 'support' };
  const { stream_id } = await chat.rooms.ensure(order);
  return { userId: user_id, room: stream_id };
}

/** @returns the port */
async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const options = { database: 'chat.db', chatPort: 9991, pagePort: 8080, tokenSeconds: 600 };
  const { url, chatUrl, close } = await startBoth(options);
  console.log(`Page: ${url}. Chat: ${chatUrl}`);
  process.once('SIGINT', close);
}
