import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { launched, NO_BROWSER } from '../client/pages.ts';
import { axeFindings } from '../panel/page.ts';
import { running } from './running.ts';

/** Folder for screenshots. Without it, none are taken. */
const SHOTS = process.env.PARLANCE_SHOTS;

interface View {
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
}

const NARROW = { width: 400, height: 800 };
const WIDE = { width: 1280, height: 900 };
export const NARROW_DARK: View = { ...NARROW, colorScheme: 'dark' };
export const OTHERS: readonly View[] = [
  { ...NARROW, colorScheme: 'light' },
  { ...WIDE, colorScheme: 'light' },
  { ...WIDE, colorScheme: 'dark' },
];
const PAGES = ['', '/messages', '/general', '/event-types', '/initial-state', '/customEmoji'];

export function apiReferenceIn(views: readonly View[]): void {
  for (const { width, height, colorScheme } of views)
    test(`the API reference is readable ${width} pixels wide, ${colorScheme}, accessible, and loads nothing from other sites`, {
      skip: NO_BROWSER,
    }, async (t) => {
      const { url } = await running(t);
      const { context } = await launched(t);
      const page = await context.newPage();
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
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
        assert.deepEqual(await axeFindings(page), [], path);
      }
      assert.deepEqual(outside, []);
      assert.deepEqual(complaints, []);
    });
}

export function apiReferenceLinks(): void {
  test('the API reference links to every operation from its first page', { skip: NO_BROWSER }, async (t) => {
    const { url } = await running(t, { prefix: '/chat' });
    const { context } = await launched(t);
    const page = await context.newPage();
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
}

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
// biome-ignore-end lint/suspicious/noExplicitAny: see above
