import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { launched, NO_BROWSER, watched } from '../client/pages.ts';
import { sqliteEngine } from '../support/engines.ts';
import { FOUND, type Login, shop, testNoLeaks, testOlderShop } from './customer-sites.ts';
import { type Fetch, LEAKS, leaksOf } from './leaks.ts';

test('each leak is found in one of the older set-ups', () => {
  assert.deepEqual([...new Set(Object.values(FOUND).flat())].sort(), Object.keys(LEAKS).sort());
});

testNoLeaks(sqliteEngine);
testOlderShop('public channels and members');

test('the pages of three browsers show no customer to another, also with a token of the room', {
  skip: NO_BROWSER,
}, async (t) => {
  const site = await shop(t, sqliteEngine.open);
  const { chat, url, victim, curious } = site;
  const { context } = await launched(t);
  const open = async (login: Login, path: string): Promise<Page> => {
    const browser = (await context.browser()?.newContext()) as BrowserContext;
    const { page } = await watched(browser);
    await browser.addCookies([{ name: 'login', value: login, url }]);
    await page.goto(url + path);
    return page;
  };
  const [ben, cleo, grace] = [
    await open('ben', '/orders/17'),
    await open('cleo', '/orders/18'),
    await open('grace', '/chat/'),
  ];
  const { token } = await chat.tokens.create({ user: victim, rooms: ['order-17'] });
  await ben.evaluate((token) => {
    const panel = document.querySelector('parlance-panel');
    if (panel) Object.assign(panel, { token: () => token });
  }, token);
  for (const [page, text] of [
    [ben, 'Where is it?'],
    [cleo, 'Hello'],
  ] as const) {
    await page.getByRole('textbox').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article').getByText(text).waitFor();
  }
  await grace.getByText('Order 17').first().waitFor();
  await cleo.evaluate(() => document.querySelector('parlance-panel')?.setAttribute('room', 'order-17'));
  await cleo.getByText('This conversation does not exist, or you cannot see it.').waitFor();

  const fetchIn =
    (page: Page, authorization?: string): Fetch =>
    async (method, path, form) =>
      page.evaluate(
        async ([method, path, body, authorization]) => {
          const headers = authorization ? { authorization } : undefined;
          const credentials = authorization ? 'omit' : 'same-origin';
          const init = { method, redirect: 'manual', credentials, ...(headers && { headers }) } as RequestInit;
          const answer = await fetch(
            path as string,
            body === null ? init : { ...init, body: new URLSearchParams(body) },
          );
          return { status: answer.status, text: await answer.text() };
        },
        [method, path, form ? form.toString() : null, authorization ?? null] as const,
      );
  assert.deepEqual([...(await leaksOf({ ...site, fetch: fetchIn(cleo) }))], []);
  const exchanged = { room: site.own, own: site.room, victim: curious, curious: victim, secret: 'kingfisher' };
  const found = await leaksOf({ ...site, ...exchanged, fetch: fetchIn(ben, `Bearer ${token}`) });
  assert.deepEqual([...found], []);
});
