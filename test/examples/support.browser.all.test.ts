import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { startShop } from '../../examples/support/serve.ts';
import { launched, NO_BROWSER, watched } from '../client/pages.ts';
import { untilEqual } from '../support/until.ts';
import { databasePath } from './folder.ts';

test('a customer writes from a page of the shop, staff responds, and other customers see none of it', {
  skip: NO_BROWSER,
}, async (t) => {
  const { url, chat, close } = await startShop({ database: await databasePath(t), port: 0 });
  t.after(close);
  const { context } = await launched(t);
  const ben = await watched(context);
  const answer = await ben.page.goto(url);
  assert.match(answer?.headers()['content-security-policy'] ?? '', /^default-src 'none'; .*trusted-types parlance$/);
  await ben.page.getByText('Log in as').waitFor();
  await untilEqual(() => ben.page.getByText('Write to us').count(), 0, 'no user is logged in');

  await ben.page.goto(`${url}/?login=ben`);
  await ben.page.getByText('Write to us').click();
  await write(ben.page, 'Where is **order** 42?');
  await ben.page.getByRole('article').getByText('Where is order 42?').waitFor();
  const grace = chat.as('grace@example.com');
  const { messages } = await grace.messages.list({ anchor: 'newest', num_before: 1, apply_markdown: false });
  assert.deepEqual([messages[0]?.content, messages[0]?.subject], ['Where is **order** 42?', 'general chat']);

  const staff = await watched((await context.browser()?.newContext()) as BrowserContext);
  await staff.page.goto(`${url}/chat/`);
  await staff.page.getByRole('link', { name: 'Grace' }).click();
  await staff.page.getByRole('link', { name: 'Answer customers' }).click();
  await staff.page
    .getByRole('link', { name: /customer \d+/ })
    .first()
    .click();
  await staff.page.getByText('Where is order 42?').first().waitFor();

  // The panel is closed: the message is unread, and is read when the customer opens it.
  await ben.page.getByText('Write to us').click();
  // Browsers tell the panel after the next frame that it is hidden. What arrives before, counts as seen.
  await ben.page.locator('parlance-panel').waitFor({ state: 'hidden' });
  for (let frame = 0; frame < 3; frame++)
    await ben.page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown))));
  const to = Number(messages[0]?.stream_id);
  await grace.messages.send({ type: 'channel', to, topic: '', content: 'On its way.' });
  const unread = ben.page.locator('.support b');
  await unread.getByText('1', { exact: true }).waitFor();
  await ben.page.getByText('Write to us').click();
  await ben.page.getByRole('article').getByText('On its way.').waitFor();
  await unread.getByText('1', { exact: true }).waitFor({ state: 'detached' });
  await ben.page.reload();
  await ben.page.getByText('Write to us').click();
  await ben.page.getByRole('article').getByText('On its way.').waitFor();

  const cleo = await watched((await context.browser()?.newContext()) as BrowserContext);
  await cleo.page.goto(`${url}/?login=cleo`);
  await cleo.page.getByText('Write to us').click();
  await write(cleo.page, 'Hello');
  await bodies(cleo.page).getByText('Hello').waitFor();
  await untilEqual(() => contents(cleo.page), ['Hello']);
  await untilEqual(() => contents(ben.page), ['Where is order 42?', 'On its way.']);
  const { members } = await chat.as('cleo@example.net').users.list();
  assert.ok(!members.some(({ full_name }) => full_name === 'Ben'), 'customers see no other customers');
  assert.deepEqual([...ben.complaints, ...staff.complaints, ...cleo.complaints], []);
});

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

/** Of messages that the server has. */
const bodies = (page: Page) => page.getByRole('article').locator('.rendered_markdown');
const contents = (page: Page) => bodies(page).allInnerTexts();
