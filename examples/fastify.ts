/**
 * A chat inside a Fastify application, behind the login that the application has already.
 *
 *   npm install fastify
 *   npx tsx examples/fastify.ts
 */
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { type Chat, localFiles, openChat, sqlite } from 'parlance';
import { requestListener } from 'parlance/server';

export async function startApplication(options: { database: string; port: number }) {
  const chat = await openChat({
    storage: sqlite(options.database),
    files: localFiles(`${options.database}-uploads`),
    baseUrl: `http://localhost:${options.port}/chat`,
  });
  if (!(await chat.hasOrganization())) {
    await chat.createOrganization({ name: 'The application', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  }
  chat.start();

  const application = Fastify({ forceCloseConnections: true });
  application.post('/login', async (request, reply) => {
    const { name, password } = request.body as { name?: string; password?: string };
    if (name !== 'ada' || password !== 'analytical') return reply.code(401).send('No.\n');
    // In your own program: something that cannot be guessed.
    return reply.header('set-cookie', 'login=ada; HttpOnly; SameSite=Lax; Path=/').send('Hello, Ada.\n');
  });
  await application.register(async (scope) => mountChat(scope, chat), { prefix: '/chat' });
  // Polls are let go before the server waits for them.
  application.addHook('preClose', () => chat.close());

  await application.listen({ port: options.port, host: '127.0.0.1' });
  return {
    url: `http://127.0.0.1:${(application.server.address() as AddressInfo).port}`,
    close: () => application.close(),
  };
}

/** In a scope of its own, so that the rest of the application goes on reading bodies as it did. */
function mountChat(scope: FastifyInstance, chat: Chat): void {
  // The chat reads bodies itself, and forms and files are none that Fastify knows.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  const listener = requestListener(chat, {
    prefix: scope.prefix,
    authenticate: ({ headers }) => (/\blogin=ada\b/.test(headers.cookie ?? '') ? 'ada@example.com' : undefined),
  });
  for (const url of ['/', '/*']) {
    scope.all(url, (request, reply) => {
      reply.hijack();
      listener(request.raw, reply.raw);
    });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url, close } = await startApplication({ database: 'application.db', port: 8080 });
  console.log(`The application is at ${url}, its chat at ${url}/chat`);
  process.once('SIGINT', close);
}
