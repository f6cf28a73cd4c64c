import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { until } from '../../support/until.ts';
import { type PanelSite, panelSite } from '../page.ts';
import { LUNCH, sayMany } from './conversation.ts';

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

describe('reading in a panel', { skip: NO_BROWSER }, () => {
  it('leaves messages behind a dialog unread until it closes', async (t) => {
    const site = await panelSite(t);
    await sayMany(site, 12);
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByRole('feed').press('End');
    await until('all messages are read', async () => (await unreadOnServer(site, 'ben')) === 0);
    const say = (content: string) =>
      site.as('ada').messages.send({ type: 'channel', to: site.channelId, topic: 'lunch', content });

    await page.locator('article', { hasText: 'Message 11' }).hover();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Move messages' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await say('Behind the dialog');
    await page.getByText('Behind the dialog', { exact: true }).waitFor();
    await page.waitForTimeout(1500);
    assert.equal(await unreadOnServer(site, 'ben'), 1);
    await page.keyboard.press('Escape');
    await until('it is read', async () => (await unreadOnServer(site, 'ben')) === 0);

    await page.evaluate(() => {
      const own = document.body.appendChild(document.createElement('dialog'));
      own.showModal();
    });
    await say('Behind a dialog of the page');
    await page.getByText('Behind a dialog of the page', { exact: true }).waitFor();
    await page.waitForTimeout(1500);
    assert.equal(await unreadOnServer(site, 'ben'), 1);
    await page.evaluate(() => document.querySelector('dialog')?.close());
    await until('it is read', async () => (await unreadOnServer(site, 'ben')) === 0);
    assert.deepEqual(complaints, []);
  });

  it('calls the day of a message Yesterday after midnight, on a page that stays open', async (t) => {
    const site = await panelSite(t);
    await sayMany(site, 2);
    const { page } = await site.open('ben', LUNCH);
    await page.clock.install();
    await page.reload();
    const day = page.locator('.day-line').last();
    await day.getByText('Today').waitFor();
    await page.clock.fastForward('24:00:00');
    await day.getByText('Yesterday').waitFor();
  });
});
