/**
 * A chat in a Fastify application, with the login of the application.
 *
 *   npm install fastify
 *   npx tsx examples/fastify.ts
 */
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { type Chat, localFiles, openChat, sqlite } from 'parlance-chat';
import { requestListener } from 'parlance-chat/server';

export async function startApplication(options: { database: string; port: number }) {
  const chat = await openChat({
    storage: sqlite(options.database),
    files: localFiles(`${options.database}-uploads`),
    baseUrl: `http://127.0.0.1:${options.port}/chat`,
  });
  await chat.ensureOrganization({ name: 'The application', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  chat.start();

  const application = Fastify({ forceCloseConnections: true });
  application.post('/login', async (request, reply) => {
    const { name, password } = request.body as { name?: string; password?: string };
    if (name !== 'ada' || password !== 'analytical') return reply.code(401).send('No.\n');
    // In your own program, use a random session ID.
    return reply.header('set-cookie', 'login=ada; HttpOnly; SameSite=Lax; Path=/').send('Hello, Ada.\n');
  });
  await application.register(async (scope) => mountChat(scope, chat), { prefix: '/chat' });
  // Ends waiting polls. Otherwise the server would wait for them.
  application.addHook('preClose', () => chat.close());

  await application.listen({ port: options.port, host: '127.0.0.1' });
  return {
    url: `http://127.0.0.1:${(application.server.address() as AddressInfo).port}`,
    close: () => application.close(),
  };
}

/** Mounts the chat in its own scope. The rest of the application keeps its body parsers. */
function mountChat(scope: FastifyInstance, chat: Chat): void {
  // The chat parses bodies itself. Fastify would reject forms and files.
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
  console.log(`Application: ${url}, chat: ${url}/chat`);
  process.once('SIGINT', close);
}
