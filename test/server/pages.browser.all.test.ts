import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { launch, NO_BROWSER } from '../client/pages.ts';
import { running } from './running.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Folder for screenshots. Without it, none are taken. */
const SHOTS = process.env.PARLANCE_SHOTS;

const WINDOWS = [
  { width: 400, height: 800, colorScheme: 'light' },
  { width: 400, height: 800, colorScheme: 'dark' },
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
] as const;
const PAGES = ['', '/messages', '/general', '/event-types', '/initial-state', '/customEmoji'];

describe('the API reference in a browser', {
  skip: NO_BROWSER,
}, () => {
  let browser: Browser;
  before(async () => {
    browser = await launch();
    if (SHOTS) await mkdir(SHOTS, { recursive: true });
  });
  after(() => browser.close());

  for (const { width, height, colorScheme } of WINDOWS)
    it(`is readable ${width} pixels wide, ${colorScheme}, accessible, and loads nothing from other sites`, async (t) => {
      const { url } = await running(t);
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      t.after(() => context.close());
      const page = await context.newPage();
      const outside: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => !request.url().startsWith(url) && outside.push(request.url()));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      for (const path of PAGES) {
        await page.goto(`${url}/api/docs${path}`);
        const shot = `reference${path.replace('/', '-')}-${width}-${colorScheme}.png`;
        if (SHOTS) await page.screenshot({ path: `${SHOTS}/${shot}` });
        assert.equal((await groundOf(page)) < 128, colorScheme === 'dark', `${path} is ${colorScheme}`);
        await page.evaluate(openAll);
        if (SHOTS)
          await page.screenshot({
            path: `${SHOTS}/open-${shot}`,
            clip: { x: 0, y: 0, width, height: 4000 },
            fullPage: true,
          });
        assert.equal(await page.evaluate(isTooWide), false, `${path} is wider than the window`);
        assert.doesNotMatch(await page.content(), /\{missing-type-info\}|undefined|\[object /);
        // Checks four sections of each page with all rules. The others are alike.
        await page.evaluate(shorten);
        assert.deepEqual(await violationsOf(page), [], path);
      }
      assert.deepEqual(outside, []);
      assert.deepEqual(complaints, []);
    });

  it('links to every operation from its first page', async (t) => {
    const { url } = await running(t, { prefix: '/chat' });
    const page = await browser.newPage();
    t.after(() => page.close());
    await page.goto(`${url}/api/docs`);
    const links = await page.evaluate(linksOf);
    const names = (catalogue as readonly Operation[]).map(({ name }) => name);
    const seen = new Map<string, string>();
    for (const link of links.filter(([, hash]) => hash !== '')) seen.set(link[1].slice(1), link[0]);
    assert.deepEqual([...seen.keys()].sort(), [...names].sort());
    await page.getByRole('link', { name: 'Send a message to a channel or to users' }).click();
    await page.getByRole('heading', { name: 'Send a message to a channel or to users' }).waitFor();
    assert.match(page.url(), /\/chat\/api\/docs\/messages#messages\.send$/);
  });
});

/* Evaluated in the page, whose types are not available here. */
// biome-ignore-start lint/suspicious/noExplicitAny: see above

const openAll = () => {
  for (const one of (globalThis as any).document.querySelectorAll('details')) one.open = true;
};

/** With all sections open, axe takes half a minute for a page of fifty. */
const shorten = () => {
  for (const one of [...(globalThis as any).document.querySelectorAll('section')].slice(4)) one.remove();
  for (const link of (globalThis as any).document.querySelectorAll('a[href^="#"]'))
    if (!(globalThis as any).document.getElementById(decodeURIComponent(link.hash.slice(1)))) link.remove();
  for (const item of (globalThis as any).document.querySelectorAll('main > ul.plain > li'))
    if (!item.firstChild) item.remove();
};

const isTooWide = () => {
  const root = (globalThis as any).document.documentElement;
  return root.scrollWidth > root.clientWidth;
};

const linksOf = () =>
  [...(globalThis as any).document.querySelectorAll('main a')].map((link: any): [string, string] => [
    link.pathname,
    link.hash,
  ]);

/** The brightness of the page, 0 to 255. */
async function groundOf(page: Page): Promise<number> {
  const color: string = await page.evaluate(
    () => (globalThis as any).getComputedStyle((globalThis as any).document.body).backgroundColor,
  );
  return Math.max(...[...color.matchAll(/\d+/g)].map(Number));
}

async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = globalThis as any;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await axe.run({ runOnly: tags });
    return violations.map(
      (one: any) =>
        `${one.id}: ${one.help} (${one.nodes
          .slice(0, 3)
          .map((node: any) => node.html.slice(0, 200))
          .join(', ')})`,
    );
  });
}
// biome-ignore-end lint/suspicious/noExplicitAny: see above
