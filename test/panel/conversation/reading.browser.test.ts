import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { type PanelSite, panelSite } from '../page.ts';
import { LUNCH, sayMany, texts } from './conversation.ts';

const unreadOf = (page: Page) =>
  page.evaluate(() => document.querySelector('parlance-panel')?.store?.unread.get().total);

const unreadOnServer = async (site: PanelSite, login: 'ada' | 'ben') => {
  const { messages } = await site.as(login).messages.list({
    ...{ anchor: 'newest', num_before: 1000, num_after: 0 },
    narrow: [
      ['topic', 'lunch'],
      ['is', 'unread'],
    ],
  });
  return messages.length;
};

/** Waits until the panel has this many unread messages. */
const untilUnread = (page: Page, count: number) =>
  page.waitForFunction((n) => document.querySelector('parlance-panel')?.store?.unread.get().total === n, count);

describe('reading in a panel', { skip: NO_BROWSER }, () => {
  it('opens at the first unread message, and jumps to the newest', async (t) => {
    const site = await panelSite(t);
    const ids = await sayMany(site, 300);
    await site.as('ben').messages.updateFlags({ op: 'add', flag: 'read', messages: ids.slice(0, 150) });
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('New messages', { exact: true }).waitFor();
    const line = await page.locator('.unread-line').boundingBox();
    const first = await page.locator(`article[data-id="${firstUnread(ids)}"]`).boundingBox();
    assert.ok(line && first && line.y > 52 && line.y < 400, `the line is in sight, at ${line?.y}`);
    assert.ok(first.y > line.y && first.y < line.y + 60, 'the first unread message is below the line');
    const jump = page.getByRole('button', { name: /new messages below$/ });
    await jump.click();
    await page.getByText('Message 299', { exact: true }).waitFor();
    await jump.waitFor({ state: 'detached' });
    assert.ok(await page.getByText('Message 299', { exact: true }).isVisible());
    await site.as('ada').messages.send({ type: 'channel', to: site.channelId, topic: 'lunch', content: 'One more' });
    await page.getByText('One more', { exact: true }).waitFor();
    assert.ok(await isAtEnd(page), 'the reader stays at the end');
    assert.deepEqual(complaints, []);
  });

  it('counts what was read here, in a second tab and in another client', async (t) => {
    const site = await panelSite(t);
    const ids = await sayMany(site, 12);
    const { page, context, complaints } = await site.open('ben', LUNCH);
    await page.getByText('Message 11', { exact: true }).waitFor();
    await page.getByRole('feed').press('End');
    await untilUnread(page, 0);
    const second = await context.newPage();
    await second.goto(page.url());
    await second.getByText('Message 11', { exact: true }).waitFor();
    await until(async () => (await unreadOnServer(site, 'ben')) === 0);
    assert.equal(await unreadOf(second), 0);

    const { page: ada } = await site.open('ada', '<parlance-panel site="/chat"></parlance-panel>');
    // Own messages count too: `messages.send` was not told that the sender has read them.
    await untilUnread(ada, 12);
    await site.as('ada').messages.updateFlags({ op: 'add', flag: 'read', messages: ids });
    await untilUnread(ada, 0);
    assert.deepEqual(complaints, []);
  });

  it('keeps the place to the pixel while 1,000 messages with images load above', async (t) => {
    const site = await panelSite(t);
    const images = await Promise.all([40, 160, 320].map((height) => uploadImage(site, height)));
    await sayMany(site, 1000, (index) =>
      index % 5 === 2
        ? `Message ${index}\n${images[index % 3]}`
        : `Message ${index}${' and more text'.repeat(index % 17)}`,
    );
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('New messages', { exact: true }).waitFor();
    await page.locator('.jump').click();
    await page.getByText(/^Message 999/).waitFor();
    const { drift, steps } = await page.evaluate(scrollBack);
    assert.ok(steps >= 5, `loaded ${steps} times`);
    assert.ok(drift < 1, `moved by ${drift} pixels`);
    assert.match((await texts(page))[0] ?? '', /^Message 0/);
    assert.deepEqual(complaints, []);
  });
});

/** Messages of `sayMany` are of Ada, Ben and Cleo, three each: the first of the others after the 150th. */
const firstUnread = (ids: readonly number[]) => ids.find((_, index) => index >= 150 && Math.floor(index / 3) % 3 !== 1);

const isAtEnd = (page: Page) =>
  page.locator('.list').evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop < 2);

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('it did not happen');
}

/** Scrolls to the top again and again, and measures how far the topmost message moves while more arrives. */
async function scrollBack(): Promise<{ drift: number; steps: number }> {
  const list = document.querySelector('parlance-panel')?.shadowRoot?.querySelector('.list');
  if (!list) throw new Error('There is no list.');
  const frame = () => new Promise(requestAnimationFrame);
  const rows = () => [...list.querySelectorAll<HTMLElement>('article[data-id]')];
  const textTop = (row: Element) => row.querySelector('.body')?.getBoundingClientRect().top ?? 0;
  let [drift, steps] = [0, 0];
  for (let attempt = 0; attempt < 60; attempt++) {
    const first = rows()[0]?.dataset.id;
    list.scrollTop = Math.min(list.scrollTop, 200);
    await frame();
    const top = list.getBoundingClientRect().top;
    const anchor = rows().find((row) => row.getBoundingClientRect().bottom > top + 1);
    if (!anchor) throw new Error('There is no row.');
    const before = textTop(anchor);
    for (let wait = 0; wait < 60; wait++) {
      await frame();
      drift = Math.max(drift, Math.abs(textTop(anchor) - before));
    }
    if (rows()[0]?.dataset.id !== first) steps += 1;
    else if (rows()[0]?.textContent?.includes('Message 0') || list.querySelector('.start')) break;
  }
  return { drift, steps };
}

/** Markdown of an image of this height, without its size in the HTML if the server cannot read it. */
async function uploadImage(site: PanelSite, height: number): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="${height}"><rect width="200" height="${height}" fill="teal"/></svg>`;
  const { url } = await site
    .as('ada')
    .uploads.send({ file: new File([svg], `${height}.svg`, { type: 'image/svg+xml' }) });
  return `![${height}.svg](${url})`;
}
