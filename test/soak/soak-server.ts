import type { AddressInfo } from 'node:net';
import { type Chat, openChat, type Storage, smtp, sqlite } from '../../lib/index.ts';
import { serve } from '../../server/index.ts';
import { answer } from '../bench/children/answering.ts';
import { countTimers } from './live-timers.ts';

/** One of the processes that serve the chat, with default options except for the rate limits. */

export interface Figures {
  /** Bytes. */
  rss: number;
  /** Bytes, after garbage collection. */
  heap: number;
  timers: number;
  /** Resources that keep the process alive, by type, as Node reports them. */
  handles: Record<string, number>;
  /** Since the start. */
  statements: number;
  requests: number;
  errors: number;
  /** The first of them. */
  said: string[];
}

const timers = countTimers();
const said: string[] = [];
let errors = 0;
let requests = 0;
let chat: Chat;
let storage: Storage & { readonly statements: number };

const noted = (context: object, message: string) => {
  errors++;
  const { error } = context as { error?: Error };
  if (said.length < 5) said.push(`${message}: ${error?.stack ?? JSON.stringify(context)}`);
};
const logger = { debug: () => undefined, info: () => undefined, warn: noted, error: noted };

async function start({ database, schema, mail }: { database: string; schema?: string; mail: string }) {
  if (schema === undefined) storage = sqlite(database);
  else {
    const { postgres } = await import('../../lib/storage/postgres/postgres.ts');
    storage = postgres(database, { schema });
  }
  // One address for both, as behind a load balancer.
  const baseUrl = 'https://chat.example.com';
  chat = await openChat({ storage, logger, baseUrl, mail: smtp({ url: mail, from: 'chat@example.com' }) });
  const { server } = await serve(chat, { port: 0, rateLimits: false });
  server.on('request', () => requests++);
  return (server.address() as AddressInfo).port;
}

/** The organization and its owner, who logs in with a password. */
function found({ password }: { password: string }) {
  return chat.createOrganization({ name: 'Soak', owner: { email: 'owner@example.com', full_name: 'Owner', password } });
}

function keyOf({ user }: { user: number }) {
  return chat.apiKeyOf(user);
}

async function figures(): Promise<Figures> {
  for (let pass = 0; pass < 2; pass++) globalThis.gc?.();
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  const { rss, heapUsed: heap } = process.memoryUsage();
  return { rss, heap, timers: timers(), handles, statements: storage.statements, requests, errors, said };
}

answer({ start, found, keyOf, figures });
