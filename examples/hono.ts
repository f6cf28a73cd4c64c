/**
 * A chat in a Hono application, with the login of the application.
 *
 *   npm install hono @hono/node-server
 *   npx tsx examples/hono.ts
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { localFiles, openChat, sqlite } from 'parlance-chat';
import { fetchHandler } from 'parlance-chat/server';

export async function startApplication(options: { database: string; port: number }) {
  const chat = await openChat({
    storage: sqlite(options.database),
    files: localFiles(`${options.database}-uploads`),
    baseUrl: `http://127.0.0.1:${options.port}/chat`,
  });
  await chat.ensureOrganization({ name: 'The application', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  chat.start();

  const application = new Hono();
  application.post('/login', async (context) => {
    const { name, password } = await context.req.json();
    if (name !== 'ada' || password !== 'analytical') return context.text('No.\n', 401);
    // In your own program, use a random session ID.
    setCookie(context, 'login', 'ada@example.com', { httpOnly: true, sameSite: 'Lax' });
    return context.text('Hello, Ada.\n');
  });

  // The handler passes the context to `authenticate` and `address`.
  const handler = fetchHandler<[Context]>(chat, {
    prefix: '/chat',
    authenticate: (_request, context) => getCookie(context, 'login'),
    address: (_request, context) => getConnInfo(context).remote.address,
  });
  application.all('/chat/*', (context) => handler(context.req.raw, context));

  const server = serve({ fetch: application.fetch, port: options.port, hostname: '127.0.0.1' }) as Server;
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await chat.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url, close } = await startApplication({ database: 'application.db', port: 8080 });
  console.log(`Application: ${url}, chat: ${url}/chat`);
  process.once('SIGINT', close);
}
