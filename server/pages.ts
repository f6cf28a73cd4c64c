import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Chat, MethodNotAllowed, openApiDocument } from '../lib/index.ts';
import { reportFailure } from './failure.ts';
import { sendError, sendOptions } from './respond.ts';
import { startPage } from './start-page.ts';

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Seconds a browser may keep it. */
  readonly maxAge: number;
}

/** @param base path the chat is mounted at, without a trailing slash */
type MakeAsset = (base: string) => Promise<Asset>;

/** The script of the reference page styles itself; nothing is loaded from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DAY = 86_400;

/** What the server shows beside the API: files that clients are told of, a start page, the API's description and its reference page. */
export class Pages {
  readonly #assets: ReadonlyMap<string, MakeAsset>;
  readonly #chat: Chat;

  /** @param isForPeople whether there is more than what programs need */
  constructor(chat: Chat, isForPeople: boolean) {
    this.#chat = chat;
    const assets = new Map<string, MakeAsset>();
    assets.set('/api/v1/openapi.json', openApi);
    assets.set(
      '/static/emoji.json',
      once(() => file('emoji.json', 'application/json', DAY)),
    );
    for (const picture of ['organization-icon.png', 'unknown-user-avatar.png']) {
      assets.set(
        `/static/${picture}`,
        once(() => file(picture, 'image/png', DAY)),
      );
    }
    if (isForPeople) {
      assets.set('/', async (base) => ({ type: HTML, bytes: Buffer.from(await startPage(chat, base)), maxAge: 0 }));
      assets.set(
        '/api/docs',
        once(() => file('api-docs.html', HTML, 300)),
      );
      assets.set(
        '/api/docs/rapidoc-min.js',
        once(() => file('rapidoc-min.js', 'text/javascript; charset=utf-8', DAY)),
      );
    }
    this.#assets = assets;
  }

  has(path: string): boolean {
    return this.#assets.has(path);
  }

  async answer(req: IncomingMessage, res: ServerResponse, path: string, base: string): Promise<void> {
    if (req.method === 'OPTIONS') return sendOptions(res, METHODS);
    if (!METHODS.includes(req.method ?? '')) return sendError(res, new MethodNotAllowed(req.method ?? '', METHODS), []);
    try {
      const { type, bytes, maxAge } = await (this.#assets.get(path) as MakeAsset)(base);
      res.writeHead(200, {
        'Content-Type': type,
        'Content-Length': bytes.length,
        'Cache-Control': maxAge === 0 ? 'no-cache' : `public, max-age=${maxAge}`,
        'Content-Security-Policy': POLICY,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      });
      res.end(bytes);
    } catch (error) {
      reportFailure(this.#chat.logger, res, error, { method: req.method, path });
    }
  }
}

const METHODS = ['GET', 'HEAD'];
const HTML = 'text/html; charset=utf-8';

async function file(name: string, type: string, maxAge: number): Promise<Asset> {
  return { type, bytes: await readFile(new URL(`./pages/${name}`, import.meta.url)), maxAge };
}

/** The description names its own address, which depends on where the chat is mounted. */
async function openApi(base: string): Promise<Asset> {
  const document = { ...openApiDocument(), servers: [{ url: `${base}/api/v1` }] };
  return { type: 'application/json', bytes: Buffer.from(`${JSON.stringify(document)}\n`), maxAge: 300 };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
