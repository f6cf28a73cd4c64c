import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type Chat, type ChatOptions, type Logger, openChat, sqlite } from '../../lib/index.ts';
import type { Operation } from '../../lib/operation/operation.ts';
import { type ServeOptions, serve } from '../../server/index.ts';
import { buildListener } from '../../server/listener.ts';
import type { ListenerOptions } from '../../server/options.ts';
import { migratedFile } from '../support/engines.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body as received. */
  text: string;
  /** The body parsed as JSON. Undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the response
  body: any;
}

export interface Running {
  chat: Chat;
  owner: { user_id: number; email: string; api_key: string };
  /** Authorization header of the owner. */
  auth: string;
  url: string;
  port: number;
  /** Log entries at level error. */
  logged: object[];
  /** Sends one request. `path` is sent unchanged. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** All data that a test might change by accident. */
  state(): Promise<unknown>;
}

export interface SendOptions {
  /** The default is the owner's; null sends none. */
  auth?: string | null;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Fields sent as an urlencoded body. */
  form?: Record<string, string>;
}

export function basic(email: string, key: string): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}

/** A new chat, served on a free port. Everything closes when the test ends. */
export async function running(
  t: TestContext,
  options: ServeOptions = {},
  chatOptions: Partial<ChatOptions> = {},
): Promise<Running> {
  const made = await newChat(chatOptions);
  const { url, server, close } = await serve(made.chat, { port: 0, ...options });
  t.after(async () => {
    await close();
    await made.close();
  });
  return handle(made, url, (server.address() as AddressInfo).port);
}

/** Operations defined by a test, served by a bare `node:http` server. */
export async function runningOperations(
  t: TestContext,
  // biome-ignore lint/suspicious/noExplicitAny: any operation is accepted
  operations: readonly Operation<any, any, any, any, any>[],
  options: ListenerOptions = {},
  chatOptions: Partial<ChatOptions> = {},
): Promise<Running> {
  const made = await newChat(chatOptions);
  const port = await listening(t, createServer(buildListener(made.chat, options, { operations }).listener));
  t.after(() => made.close());
  return handle(made, `http://127.0.0.1:${port}`, port);
}

/** The port of a server that closes when the test ends. */
export async function listening(t: TestContext, server: Server): Promise<number> {
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface NewChat {
  chat: Chat;
  owner: Running['owner'];
  logged: object[];
  close(): Promise<void>;
}

async function newChat(chatOptions: Partial<ChatOptions>): Promise<NewChat> {
  const logged: object[] = [];
  const logger: Logger = { debug() {}, info() {}, warn() {}, error: (data) => void logged.push(data) };
  // A copy with all tables: migrations take longer than most tests.
  const { path, remove } = await migratedFile();
  const chat = await openChat({ storage: sqlite(path), logger, ...chatOptions });
  const owner = await chat.createOrganization({
    name: 'Harbour & Sons',
    owner: { email: 'olga@example.com', full_name: 'Olga', password: 'a long password' },
  });
  const close = async () => {
    await chat.close();
    await remove();
  };
  return { chat, owner, logged, close };
}

function handle({ chat, owner, logged }: NewChat, url: string, port: number): Running {
  const auth = basic(owner.email, owner.api_key);
  return {
    chat,
    owner,
    auth,
    url,
    port,
    logged,
    send: (method, path, options = {}) => send(port, method, path, { auth, ...options }),
    state: async () => {
      const session = chat.as(owner.user_id);
      return [await session.channels.list(), await session.users.list(), await session.subscriptions.list()];
    },
  };
}

export function send(port: number, method: string, path: string, options: SendOptions = {}): Promise<Answer> {
  const headers: Record<string, string | string[]> = { ...options.headers };
  if (options.auth) headers.authorization = options.auth;
  let body = options.body;
  if (options.form) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    body = new URLSearchParams(options.form).toString();
  }
  if (body !== undefined && headers['transfer-encoding'] === undefined) {
    headers['content-length'] ??= String(Buffer.byteLength(body));
  }
  return new Promise((resolve, reject) => {
    const req = request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (piece: string) => {
        text += piece;
      });
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text, body: json(text) }));
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end(body);
  });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
