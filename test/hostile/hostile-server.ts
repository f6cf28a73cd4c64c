import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Chat, localFiles, openChat, type Storage, sqlite } from '../../lib/index.ts';
import { serve } from '../../server/index.ts';
import { answer } from '../bench/children/answering.ts';
import { type Population, populate, type Sizes } from './population.ts';

/** The server under attack. It has the default settings, with rate limits. */

export interface Figures {
  /** In bytes. */
  rss: number;
  heap: number;
  /** Memory outside the heap: mostly responses that clients have not read. */
  external: number;
  /** Longest block of the event loop since the previous call, in milliseconds. */
  held: number;
  /** Logged errors: the first of each kind, and how often it was logged. */
  errors: [said: string, times: number][];
}

export interface Place {
  database: string;
  /** Requires PostgreSQL. */
  schema?: string;
  folder: string;
}

const delay = monitorEventLoopDelay({ resolution: 5 });
const errors = new Map<string, number>();
let chat: Chat;

const note = (context: object, message: string) => {
  const { error } = context as { error?: Error };
  const said = `${message}: ${error?.stack?.slice(0, 1_000) ?? JSON.stringify(context).slice(0, 300)}`;
  if (errors.size < 50 || errors.has(said)) errors.set(said, (errors.get(said) ?? 0) + 1);
};
const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: note };

async function start({ database, schema, folder }: Place): Promise<number> {
  let storage: Storage;
  if (schema === undefined) storage = sqlite(database);
  else {
    const { postgres } = await import('../../lib/storage/postgres/postgres.ts');
    storage = postgres(database, { schema });
  }
  chat = await openChat({
    storage,
    logger,
    files: localFiles(join(folder, 'files')),
    outgoingWebhooks: { allowPrivateAddresses: true },
  });
  const { server } = await serve(chat, { port: 0 });
  delay.enable();
  return (server.address() as AddressInfo).port;
}

async function fill(sizes: Sizes): Promise<Population> {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  return populate(chat, sizes, `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
}

function figures(): Figures {
  const { rss, heapUsed: heap, arrayBuffers: external } = process.memoryUsage();
  const held = delay.max / 1e6;
  delay.reset();
  return { rss, heap, external, held, errors: [...errors] };
}

answer({ start, fill, figures });
