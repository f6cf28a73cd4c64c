/**
 * A chat in an Express application, with the login of the application. Users need no API key.
 *
 *   npm install express
 *   npx tsx examples/express.ts
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import express, { type Request } from 'express';
import { type Chat, openChat, sqlite } from 'parlance-chat';
import { requestListener } from 'parlance-chat/server';

const PEOPLE = new Map([
  ['ada', { email: 'ada@example.com', full_name: 'Ada', password: 'analytical' }],
  ['ben', { email: 'ben@example.com', full_name: 'Ben', password: 'lightning' }],
]);

export async function startApplication(options: { database: string; port: number }) {
  const chat = await openChat({ storage: sqlite(options.database), baseUrl: `http://127.0.0.1:${options.port}/chat` });
  await createAccounts(chat);
  chat.start();

  const application = express();
  const logins = new Map<string, string>();
  const whoIs = (request: Pick<Request, 'headers'>) =>
    logins.get(/(?:^|; )login=([0-9a-f]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');

  application.post('/login', express.json(), (request, response) => {
    const person = PEOPLE.get(request.body.name);
    if (!person || person.password !== request.body.password) return void response.status(401).send('No.\n');
    const token = randomBytes(16).toString('hex');
    logins.set(token, person.email);
    response.cookie('login', token, { httpOnly: true, sameSite: 'lax' }).send(`Hello, ${person.full_name}.\n`);
  });

  // `authenticate` returns the e-mail address of the user, or undefined.
  application.use('/chat', requestListener(chat, { authenticate: whoIs }));

  application.get('/', (request, response) => {
    response.send(whoIs(request) ? 'Your chat is at /chat/api/v1\n' : 'Log in at /login\n');
  });

  const server = application.listen(options.port, '127.0.0.1');
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

/** Creates a chat account for each user of the application. */
async function createAccounts(chat: Chat): Promise<void> {
  if (await chat.hasOrganization()) return;
  const [first, ...others] = [...PEOPLE.values()].map(({ email, full_name }) => ({ email, full_name }));
  if (!first) throw new Error('Add at least one user: the first user owns the organization.');
  const { user_id } = await chat.createOrganization({ name: 'The application', owner: first });
  const owner = chat.as(user_id);
  const subscribers = [user_id];
  for (const person of others) subscribers.push((await owner.users.create(person)).user_id);
  await owner.channels.create({ name: 'general', subscribers });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url, close } = await startApplication({ database: 'application.db', port: 8080 });
  console.log(`Application: ${url}, chat: ${url}/chat`);
  process.once('SIGINT', close);
}
