import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { request } from 'undici';
import { type Chat, ChatError, connect, type Session } from '../../lib/index.ts';
import { type Operation, routesOf } from '../../lib/internal.ts';
import { fetchHandler, requestListener } from '../../server/index.ts';
import type { Params } from './case.ts';
import { assertDescribed } from './described-answers.ts';
import type { UserName } from './fixture.ts';
import type { World } from './world.ts';

export type Outcome =
  | { answer: Record<string, unknown> }
  | {
      refusal: {
        code: string | null;
        /** Undefined if the shell does not report it. */
        status: number | undefined;
        message: string;
        data: Record<string, unknown>;
        error?: ChatError;
      };
    };

/** A way to call an operation. */
export interface Transport {
  name: string;
  call(world: World, as: UserName | 'anonymous', operation: Operation, params: Params): Promise<Outcome>;
}

export const libraryTransport: Transport = {
  name: 'library',
  call: (world, as, operation, params) =>
    throughSession(as === 'anonymous' ? world.chat.anonymous() : world.as(as), operation, params),
};

/** Handwritten forms over a real socket, as another client sends them. */
export const httpTransport: Transport = {
  name: 'HTTP',
  call: (world, as, operation, params) =>
    served(world, async (site) => {
      const { route, address, headers: ownHeaders, body: sent } = await foreignRequest(operation, params);
      const { statusCode, headers, body } = await request(`${site}${address}`, {
        method: route.method,
        headers: {
          ...(as === 'anonymous' ? {} : { authorization: await basic(world, as) }),
          ...ownHeaders,
        },
        body: sent,
      });
      return foreignOutcome(route, statusCode, String(headers['content-type']), await body.text());
    }),
};

/** `fetchHandler`, as a web framework calls it. */
export const fetchTransport: Transport = {
  name: 'fetch',
  call: async (world, as, operation, params) => {
    const { route, address, headers, body } = await foreignRequest(operation, params);
    const handle = memoized(handlers, world.chat, () => fetchHandler(world.chat, { rateLimits: false }));
    const request = new Request(`http://chat.example.com${address}`, {
      method: route.method,
      headers: {
        ...(as === 'anonymous' ? {} : { authorization: await basic(world, as) }),
        ...headers,
      },
      body,
    });
    const answer = await handle(request);
    return foreignOutcome(route, answer.status, String(answer.headers.get('content-type')), await answer.text());
  },
};

type ForeignRoute = { method: 'GET'; path: string };

/** A request written from the documentation. The field of a file may have any name. */
async function foreignRequest(operation: Operation, params: Params) {
  const [route] = routesOf(operation) as [ForeignRoute];
  const rest = { ...params };
  const path = route.path.replace(/\{(\w+)\*?\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const form = new URLSearchParams();
  const multipart = new FormData();
  for (const [name, value] of Object.entries(rest)) {
    if (value instanceof Blob) multipart.append('a file', value, value instanceof File ? value.name : 'picture');
    else if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const hasFile = multipart.has('a file');
  for (const [name, text] of form) multipart.append(name, text);
  const headers: Record<string, string> = {};
  if (route.method === 'GET') return { route, address: `/api/v1${path}?${form}`, headers, body: null };
  const encoded = new Response(hasFile ? multipart : form);
  headers['content-type'] = encoded.headers.get('content-type') as string;
  return { route, address: `/api/v1${path}`, headers, body: Buffer.from(await encoded.arrayBuffer()) };
}

function foreignOutcome(route: ForeignRoute, statusCode: number, type: string, text: string): Outcome {
  assert.match(type, /^application\/json/);
  assert.ok(text.endsWith('\n'), 'a body ends with a newline');
  const { result, msg, code, ...data } = JSON.parse(text);
  assert.equal(typeof msg, 'string');
  assertDescribed(route, statusCode, code);
  if (result === 'error') return { refusal: { code, status: statusCode, message: msg, data } };
  assert.deepEqual([statusCode, result, msg, code], [200, 'success', '', undefined]);
  return { answer: data };
}

/** `connect({ … })`, the session over HTTP. */
export const remoteTransport: Transport = {
  name: 'remote session',
  call: (world, as, operation, params) =>
    served(world, async (site) => {
      const credentials =
        as === 'anonymous' ? {} : { email: world.emails[as], api_key: await world.chat.apiKeyOf(world.users[as]) };
      const session = connect({ site, ...credentials });
      try {
        return await throughSession(session, operation, params);
      } finally {
        await session.close();
      }
    }),
};

/** One server in this process, for one case after another. */
let shared: Promise<Server> | undefined;
let listener: RequestListener | undefined;

after(async () => {
  (await shared)?.closeAllConnections();
  (await shared)?.close();
});

async function served<T>(world: World, work: (site: string) => Promise<T>): Promise<T> {
  shared ??= listening(createServer((req, res) => listener?.(req, res)));
  listener = memoized(listeners, world.chat, () => requestListener(world.chat, { rateLimits: false }));
  return work(addressOf(await shared));
}

// One listener for each chat: creating one takes longer than most calls.
const listeners = new WeakMap<Chat, RequestListener>();
const handlers = new WeakMap<Chat, ReturnType<typeof fetchHandler>>();

function memoized<T>(known: WeakMap<Chat, T>, chat: Chat, build: () => T): T {
  const value = known.get(chat) ?? build();
  known.set(chat, value);
  return value;
}

async function throughSession(session: Session, operation: Operation, params: Params): Promise<Outcome> {
  const [group, action] = operation.name.split('.') as [string, string | undefined];
  const methods = session as unknown as Record<string, unknown>;
  const method = (action === undefined ? methods[group] : (methods[group] as Record<string, unknown>)[action]) as (
    params: Params,
  ) => Promise<Record<string, unknown>>;
  try {
    return { answer: await method(params) };
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    const { code, status, message, data } = error;
    return { refusal: { code, status, message, data, error } };
  }
}

async function basic(world: World, as: UserName): Promise<string> {
  // A deactivated account has an API key too, which must not work.
  const key = await world.chat.apiKeyOf(world.users[as]);
  return `Basic ${Buffer.from(`${world.emails[as]}:${key}`).toString('base64')}`;
}

/** Serves the world for the duration of the work. */
export async function serving<T>(world: World, work: (site: string) => Promise<T>): Promise<T> {
  const server = await listening(createServer(requestListener(world.chat, { rateLimits: false })));
  try {
    return await work(addressOf(server));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
