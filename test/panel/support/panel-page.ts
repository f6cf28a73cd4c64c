import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Chat, localFiles, openChat, sqlite } from '../../../lib/index.ts';
import { type Listener, requestListener } from '../../../server/index.ts';

/** The policy of the web app. */
export const CONTENT_SECURITY_POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:"],
  ...["media-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", 'trusted-types parlance'],
].join('; ');

const styles: Plugin = {
  name: 'styles',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.css$/ }, async ({ path }) => ({ contents: await readFile(path, 'utf8'), loader: 'text' }));
  },
};

/**
 * A script of a test, bundled for a page.
 *
 * @param file from the root of the project
 */
export async function bundled(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../../${file}`, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    write: false,
    plugins: [styles],
  });
  return outputFiles[0]?.text ?? '';
}

export interface PanelServer {
  chat: Chat;
  /** The address of the chat. */
  site: string;
  owner: { user_id: number; email: string; api_key: string };
  /** Opens the page with the script. */
  open(browser: Browser, options?: BrowserContextOptions): Promise<OpenPage>;
}

export interface OpenPage {
  page: Page;
  /** Violations of the content security policy, errors of scripts, and requests to other hosts. */
  complaints: string[];
}

export interface PanelServerOptions {
  /**
   * The page is on another site and its requests need the key: the query of its address has `site`, `email` and `key`.
   * It has no policy.
   */
  isOtherSite?: boolean;
}

/** A chat whose requests are made as the owner, and a page at `/page` with this script under the policy of the app. */
export async function panelServer(
  t: Pick<TestContext, 'after'>,
  script: string,
  { isOtherSite = false }: PanelServerOptions = {},
): Promise<PanelServer> {
  const folder = await mkdtemp(join(tmpdir(), 'panel-'));
  let listener: Listener | undefined;
  const answer: Listener = (req, res) => listener?.(req, res);
  const pages = createServer((req, res) => {
    if (req.url === '/page.js') res.setHeader('content-type', 'text/javascript').end(script);
    else if (req.url?.startsWith('/page')) {
      if (!isOtherSite) res.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
      res.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE);
    } else if (isOtherSite) res.writeHead(404).end();
    else answer(req, res);
  });
  const own = await listening(t, pages);
  const site = isOtherSite ? await listening(t, createServer(answer)) : own;
  const origin = isOtherSite ? own.replace('127.0.0.1', 'localhost') : own;
  const chat = await openChat({
    storage: sqlite(':memory:'),
    files: localFiles(folder),
    baseUrl: site,
    maxUploadMebibytes: 5,
  });
  t.after(async () => {
    await chat.close();
    await rm(folder, { recursive: true, force: true });
  });
  const owner = await chat.createOrganization({
    name: 'Harbour & Sons',
    owner: { email: 'olga@example.com', full_name: 'Olga' },
  });
  const login = isOtherSite ? {} : { authenticate: () => owner.user_id };
  listener = requestListener(chat, { ...login, trustedOrigins: [origin], rateLimits: false });
  const query = new URLSearchParams({ site, email: owner.email, key: owner.api_key });
  const address = `${origin}/page${isOtherSite ? `?${query}` : ''}`;
  return {
    chat,
    site,
    owner,
    open: async (browser, options = {}) => {
      const context = await browser.newContext(options);
      t.after(() => context.close());
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      const complaints: string[] = [];
      const hosts = [site, address].map((own) => new URL(own).host);
      page.on('request', (request) => {
        if (!hosts.includes(new URL(request.url()).host) && !/^(data|blob):/.test(request.url()))
          complaints.push(request.url());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (/violat|Content Security Policy|Trusted/i.test(message.text())) complaints.push(message.text());
      });
      await page.goto(address);
      await page.waitForFunction(() => (globalThis as { isReady?: true }).isReady);
      return { page, complaints };
    },
  };
}

const PAGE = `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">
<title>Panel</title><script type="module" src="/page.js"></script></head>
<body><main><h1>Panel</h1><div id="panel"></div></main></body></html>`;

async function listening(t: Pick<TestContext, 'after'>, server: Server): Promise<string> {
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Folder for screenshots. Without it, none are taken. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.PARLANCE_SHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
