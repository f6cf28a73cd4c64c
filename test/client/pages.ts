/** Shared by the tests of sessions in browsers. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { after, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Renders the same pages in two thirds of the CPU time. Debian has it beside the browser. */
const SHELL = '/usr/bin/chromium-headless-shell';
/** The shell has no settings. */
export const WITH_PROFILES = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const BROWSER = process.env.CHROMIUM_PATH ?? (existsSync(SHELL) ? SHELL : WITH_PROFILES);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

/** Why tests are skipped. False if there is a browser. */
export const NO_BROWSER = existsSync(BROWSER) ? false : `no browser at ${BROWSER}`;

const LIBRARY = fileURLToPath(new URL('../../lib/client/browser.ts', import.meta.url));

const library = (names: string): BuildOptions & { write: false } => ({
  stdin: { contents: `export ${names} from ${JSON.stringify(LIBRARY)};`, resolveDir: import.meta.dirname },
  bundle: true,
  minify: true,
  platform: 'browser',
  format: 'esm',
  write: false,
  logLevel: 'silent',
});

/** The library for browsers as a page bundles it, without Node. `names`: only these exports. */
export async function bundle(names = '*'): Promise<string> {
  const { outputFiles, warnings } = await build(library(names));
  assert.deepEqual(warnings, []);
  return outputFiles[0]?.text ?? '';
}

/** The scripts that a page with these imports loads at first, without those that the library loads when it uses them. */
export async function firstScripts(names: string): Promise<string[]> {
  const { outputFiles, metafile } = await build({ ...library(names), splitting: true, outdir: 'out', metafile: true });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const first = new Set(['stdin.js']);
  for (const name of first) {
    for (const { path, kind } of metafile.outputs[`out/${name}`]?.imports ?? [])
      if (kind === 'import-statement') first.add(basename(path));
  }
  return [...first].map((name) => texts.get(name) ?? assert.fail(name));
}

/** For each launch: another file of this process may send it a SIGINT, and Playwright would exit. */
export const NO_HANDLERS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

/** @param flags beside those of the tests */
export const launch = (flags: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: BROWSER, args: [...FLAGS, ...flags], ...NO_HANDLERS });

/** The browser of this process. Starting it takes as long as many tests. */
let shared: Promise<Browser> | undefined;
after(async () => (await shared)?.close());

/** For tests that close what they open in it. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launch();
  return shared;
}

/** A browser whose contexts close when the test ends, and a context of it. Tests run one after another. */
export async function launched(t: TestContext): Promise<{ context: BrowserContext }> {
  const browser = await sharedBrowser();
  // After a hook that throws, no other runs.
  t.after(() => Promise.allSettled(browser.contexts().map((context) => context.close())));
  return { context: await browser.newContext() };
}

export interface WatchedPage {
  page: Page;
  /** Errors of scripts, errors in the console, and violations of the policy of the page. */
  complaints: string[];
}

/** A new page whose errors are collected. The test ends with the assertion that there are none. */
export async function watched(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`${error.stack}`));
  page.on('console', (message) => {
    // The browser reports each response above 399 and each failed connection.
    if (message.type() === 'error' && !/Failed to load resource|net::/.test(message.text()))
      complaints.push(message.text());
  });
  // tsx names functions by a helper that the page does not have.
  await page.addInitScript('globalThis.__name = (named) => named');
  // A text: there are no types of the DOM here.
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('violation of ' + event.violatedDirective + ': ' + event.blockedURI + ' ' + event.sample));`);
  return { page, complaints };
}
