import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { until, untilEqual } from '../../support/until.ts';
import { type PanelSite, panelSite } from '../page.ts';
import { LUNCH, sayMany } from './conversation.ts';

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
    await until('the line is visible, and the first unread message below it', async () => {
      const line = await page.locator('.unread-line').boundingBox();
      const first = await page.locator(`article[data-id="${firstUnread(ids)}"]`).boundingBox();
      return line && first && line.y > 52 && line.y < 400 && first.y > line.y && first.y < line.y + 60;
    });
    const jump = page.getByRole('button', { name: /new messages below$/ });
    const messagesBelow = async () => {
      const lastInSight = await page.locator('.list').evaluate((list) => {
        const { bottom } = list.getBoundingClientRect();
        const rows = [...list.querySelectorAll<HTMLElement>('article[data-id]')];
        return Number(rows.findLast((row) => row.getBoundingClientRect().top < bottom)?.dataset.id);
      });
      return ids.filter((id) => id > lastInSight).length;
    };
    await until('the button has the number of messages below', async () => {
      const [count = ''] = /^[\d,]+/.exec((await jump.textContent()) ?? '') ?? [];
      return Number(count) === (await messagesBelow());
    });
    assert.ok((await messagesBelow()) > 100, 'more than the list has loaded');
    await jump.click();
    await jump.waitFor({ state: 'detached' });
    await page.getByText('Message 299', { exact: true }).waitFor();
    await site.as('ada').messages.send({ type: 'channel', to: site.channelId, topic: 'lunch', content: 'One more' });
    await page.getByText('One more', { exact: true }).waitFor();
    await until('the reader stays at the end', () => isAtEnd(page));
    assert.deepEqual(complaints, []);
  });

  it('counts messages that were read here, in a second tab and in another client', async (t) => {
    const site = await panelSite(t);
    const ids = await sayMany(site, 12);
    const { page, context, complaints } = await site.open('ben', LUNCH);
    await page.getByText('Message 11', { exact: true }).waitFor();
    await page.getByRole('feed').press('End');
    await untilUnread(page, 0);
    const second = await context.newPage();
    await second.goto(page.url());
    await second.getByText('Message 11', { exact: true }).waitFor();
    await until('all messages are read', async () => (await unreadOnServer(site, 'ben')) === 0);
    await untilEqual(() => unreadOf(second), 0);

    const { page: ada } = await site.open('ada', '<parlance-panel site="/chat"></parlance-panel>');
    // Your own messages count too: `messages.send` did not say that the sender has read them.
    await untilUnread(ada, 12);
    await site.as('ada').messages.updateFlags({ op: 'add', flag: 'read', messages: ids });
    await untilUnread(ada, 0);
    assert.deepEqual(complaints, []);
  });
});

/** Messages of `sayMany` are from Ada, Ben and Cleo, three each: the first by another user after the 150th. */
const firstUnread = (ids: readonly number[]) => ids.find((_, index) => index >= 150 && Math.floor(index / 3) % 3 !== 1);

const isAtEnd = (page: Page) =>
  page.locator('.list').evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop < 2);
