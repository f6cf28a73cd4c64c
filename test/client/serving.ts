import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { TestContext } from 'node:test';
import { connect, openChat, sqlite } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { migratedFile } from '../support/engines.ts';

type Intercept = (req: IncomingMessage, res: Parameters<Parameters<typeof createServer>[1] & object>[1]) => boolean;

/** A chat over HTTP. `intercept` may respond to a request itself. */
export async function serving(t: TestContext, intercept: Intercept = () => false) {
  const { path, remove } = await migratedFile();
  const chat = await openChat({ storage: sqlite(path) });
  const ada = await chat.createOrganization({ name: 'Club', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const channel = await chat.as(ada).channels.create({ name: 'general', subscribers: [ada.user_id] });
  const listener = requestListener(chat, { rateLimits: false });
  const paths: string[] = [];
  const server: Server = createServer((req, res) => {
    paths.push((req.url ?? '').split('?', 1)[0] as string);
    if (!intercept(req, res)) listener(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const session = connect({ site, email: 'ada@example.com', api_key: ada.api_key, patienceMs: 10_000 });
  t.after(async () => {
    await session.close().catch(() => undefined);
    await chat.close();
    server.closeAllConnections();
    server.close();
    await remove();
  });
  const say = (content: string) =>
    chat.as(ada).messages.send({ type: 'channel', to: channel.id, topic: 'lunch', content });
  const count = (path: string) => paths.filter((one) => one === `/api/v1${path}`).length;
  return { chat, ada, session, say, count, server, site };
}

export type Serving = Awaited<ReturnType<typeof serving>>;
