/**
 * Many organizations in one process. Each customer has a chat in its own file, chosen by the host name of a request
 * (acme.chat.example.com) or by its path (/acme).
 *
 *   npx tsx examples/tenants.ts
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Chat, openTenants, StorageError, sqlite } from 'parlance-chat';
import { type Listener, requestListener } from 'parlance-chat/server';

/** Your table of customers. Its keys are safe as file names. */
const CUSTOMERS = new Map([
  ['acme', { name: 'Acme', owner: { email: 'ada@acme.example', full_name: 'Ada' } }],
  ['bolt', { name: 'Bolt', owner: { email: 'ben@bolt.example', full_name: 'Ben' } }],
]);

export async function startServer(options: { folder: string; port: number; maxOpen?: number }) {
  const tenants = openTenants({
    storage(id) {
      // Without this, any request could create a file, anywhere.
      if (!CUSTOMERS.has(id)) throw new Error(`There is no customer ${id}.`);
      return sqlite(join(options.folder, `${id}.db`), { footprint: 'small' });
    },
    chatOptions: (id) => ({ baseUrl: `http://127.0.0.1:${options.port}/${id}` }),
    async onOpen(chat, id) {
      const customer = CUSTOMERS.get(id);
      if (customer) await chat.ensureOrganization(customer);
    },
    ids: () => CUSTOMERS.keys(),
    maxOpen: options.maxOpen ?? 200,
    waitMs: 5_000,
  });
  tenants.start();

  // A tenant that closes and opens again is another chat, with another listener.
  const listeners = new WeakMap<Chat, Listener>();
  const listenerOf = (chat: Chat, id: string) => {
    const listener = listeners.get(chat) ?? requestListener(chat, { prefix: `/${id}` });
    listeners.set(chat, listener);
    return listener;
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = customerOf(request);
    if (id === undefined) return void response.writeHead(404).end('There is no such organization.\n');
    // The tenant stays open until the response has ended, also a long poll or a stream.
    const ended = once(response, 'close');
    try {
      await tenants.with(id, async (chat) => {
        listenerOf(chat, id)(request, response);
        await ended;
      });
    } catch (error) {
      const isBusy = error instanceof StorageError && error.reason === 'busy';
      if (!isBusy) console.error(error);
      response.writeHead(isBusy ? 503 : 500, isBusy ? { 'Retry-After': '5' } : {}).end('Try again later.\n');
    }
  }

  const server = createServer({ maxHeaderSize: 131_072 }, (request, response) => void answer(request, response));
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tenants,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Ends waiting polls. Otherwise the server would wait for them.
      await tenants.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The first part of the host name, or else of the path. */
function customerOf({ headers, url = '/' }: IncomingMessage): string | undefined {
  const [byHost = ''] = (headers.host ?? '').split('.');
  const [, byPath = ''] = url.split(/[/?]/);
  return [byHost, byPath].find((id) => CUSTOMERS.has(id));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url, tenants, close } = await startServer({ folder: '.', port: 8080 });
  for (const [id, { owner }] of CUSTOMERS) {
    console.log(
      `${url}/${id}: ${owner.email}, API key ${await tenants.with(id, (chat) => chat.apiKeyOf(owner.email))}`,
    );
  }
  process.once('SIGINT', close);
}
