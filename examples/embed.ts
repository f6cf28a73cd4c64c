/**
 * A shop with a chat: one `node:http` server with the routes of the shop and the chat, and one database file. The shop
 * sends messages with function calls. Users connect to the same chat with any client.
 *
 *   npx tsx examples/embed.ts
 *   curl -X POST localhost:8080/orders/42/ship
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { openChat, sqlite } from 'parlance-chat';
import { requestListener } from 'parlance-chat/server';

const OWNER = { email: 'ada@example.com', full_name: 'Ada' };

export async function startShop(options: { database: string; port: number }) {
  const chat = await openChat({ storage: sqlite(options.database), baseUrl: `http://127.0.0.1:${options.port}/chat` });
  const { user_id, is_new } = await chat.ensureOrganization({ name: 'The shop', owner: OWNER });
  if (is_new) await chat.as(user_id).channels.create({ name: 'orders', subscribers: [user_id] });
  chat.start();

  const shop = chat.as(OWNER.email, { client: 'Shop' });
  const chatListener = requestListener(chat, { prefix: '/chat' });

  const server = createServer(async (req, res) => {
    if (/^\/chat(\/|\?|$)/.test(req.url ?? '')) return chatListener(req, res);
    const order = req.method === 'POST' && /^\/orders\/(\d+)\/ship$/.exec(req.url ?? '')?.[1];
    if (!order) return res.writeHead(404).end('Not found.\n');
    try {
      const content = `Order ${order} has been shipped.`;
      const { id } = await shop.messages.send({ type: 'channel', to: 'orders', topic: `order ${order}`, content });
      res.end(`Shipped; the chat knows it as message ${id}.\n`);
    } catch (error) {
      console.error(error);
      res.writeHead(500).end('The order could not be shipped.\n');
    }
  });
  await new Promise<void>((resolve) => server.listen(options.port, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chat,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Ends waiting polls. Otherwise the server would wait for them.
      await chat.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url, chat, close } = await startShop({ database: 'shop.db', port: 8080 });
  console.log(`Shop: ${url}, chat: ${url}/chat`);
  console.log(`Log in to the chat as ${OWNER.email} with the API key ${await chat.apiKeyOf(OWNER.email)}`);
  process.once('SIGINT', close);
}
