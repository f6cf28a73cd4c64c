import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../client/pages.ts';
import { until, untilEqual } from '../support/until.ts';
import { LUNCH, sayMany } from './conversation/conversation.ts';
import { type PanelSite, panelSite } from './page.ts';

const say = (site: PanelSite, content: string, topic: string) =>
  site.as('ada').messages.send({ type: 'channel', to: site.channelId, topic, content });

/** The list has loaded what it loads after scrolling: nothing moves for a second. */
async function untilResting(page: Page): Promise<void> {
  const place = () =>
    page.locator('.list').evaluate(({ scrollTop, scrollHeight }: Element) => [scrollTop, scrollHeight].join());
  await until('the list is at rest', async () => {
    const before = await place();
    await page.waitForTimeout(1000);
    return before === (await place());
  });
}

describe('the element', { skip: NO_BROWSER }, () => {
  it('shows the newest message after it was hidden at the newest, and its old place after another place', async (t) => {
    const site = await panelSite(t);
    await sayMany(site, 60);
    const { page, complaints } = await site.open('ben', LUNCH);
    const list = page.locator('.list');
    await page.getByText('New messages', { exact: true }).waitFor();
    await page.getByRole('feed').press('End');
    await page.getByText('Message 59', { exact: true }).waitFor();
    const show = (isShown: boolean) =>
      page.evaluate(
        (display) => {
          (document.querySelector('parlance-panel') as HTMLElement).style.display = display;
          return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        },
        isShown ? '' : 'none',
      );
    const rowTop = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((row) => row.getBoundingClientRect().y);
    const isInSight = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((row) => {
        const list = row.closest('.list')?.getBoundingClientRect();
        const { top, bottom } = row.getBoundingClientRect();
        return list !== undefined && top >= list.top && bottom <= list.bottom;
      });
    await until('the end is in sight', () => isInSight('Message 59'));
    await show(false);
    await say(site, 'While hidden', 'lunch');
    await page.getByText('While hidden', { exact: true }).waitFor({ state: 'attached' });
    await show(true);
    await until('the new message is in sight', () => isInSight('While hidden'));

    await list.evaluate((element) => {
      element.scrollTop = 500;
    });
    await untilResting(page);
    const shown = await page.locator('article[data-id]').nth(20).locator('.rendered_markdown').textContent();
    const before = await rowTop(shown ?? '');
    await show(false);
    await say(site, 'Hidden again', 'lunch');
    await page.getByText('Hidden again', { exact: true }).waitFor({ state: 'attached' });
    await show(true);
    await until('the reader is where they were', async () => Math.abs((await rowTop(shown ?? '')) - before) < 1);
    assert.deepEqual(complaints, []);
  });

  it('finds a channel whose name is a number, and shows a topic under the name that the server stores', async (t) => {
    const site = await panelSite(t);
    const { id } = await site.owner.channels.create({ name: '2024', subscribers: Object.values(site.people) });
    const long = 'a topic that has many more characters than the sixty of the limit';
    const { page, complaints } = await site.open(
      'ben',
      `<parlance-panel site="/chat" channel="2024" topic=" ${long} "></parlance-panel>`,
    );
    await page.getByText('No messages yet').waitFor();
    await page.locator('.composer textarea').fill('Soup?');
    await page.keyboard.press('Control+Enter');
    await page.locator('article[data-id]', { hasText: 'Soup?' }).waitFor();
    const { topics } = await site.owner.topics.list({ stream_id: id });
    assert.deepEqual(
      topics.map(({ name }) => name),
      [`${long.slice(0, 57)}...`],
    );
    const topic = page.locator('.conversation-header .topic');
    await untilEqual(async () => (await topic.textContent())?.replace('›', '').trim(), `${long.slice(0, 57)}...`);
    await page.evaluate(() => document.querySelector('parlance-panel')?.setAttribute('channel', '2025'));
    await page.getByText('There is no channel “2025”').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('loads emoji from its own site, although the chat has another base URL', async (t) => {
    const site = await panelSite(t);
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.context().addCookies([{ name: 'login', value: 'ben', url: 'http://localhost' }]);
    await page.goto(page.url().replace('127.0.0.1', 'localhost'));
    await page.getByRole('button', { name: 'Insert emoji' }).click();
    await page.getByRole('option', { name: 'grinning', exact: true }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('sends with the key that its attribute names, and shows that key', async (t) => {
    const site = await panelSite(t);
    const { page, complaints } = await site.open('ben', LUNCH.replace('></', ' enter="newline"></'));
    const field = page.locator('.composer textarea');
    await page.getByText('Send (Ctrl+Enter)', { exact: true }).waitFor();
    await field.fill('Soup?');
    await field.press('Enter');
    await untilEqual(() => field.inputValue(), 'Soup?\n');
    await site.as('ben').settings.edit({ enter_sends: false });
    await page.evaluate(() => document.querySelector('parlance-panel')?.setAttribute('enter', 'send'));
    await page.getByText('Send (Enter)', { exact: true }).waitFor();
    await field.press('Enter');
    await page.locator('article[data-id]', { hasText: 'Soup?' }).waitFor();
    await page.evaluate(() => document.querySelector('parlance-panel')?.removeAttribute('enter'));
    await untilEqual(() => page.getByRole('checkbox', { name: 'Enter sends' }).isChecked(), false);
    assert.deepEqual(complaints, []);
  });
});
