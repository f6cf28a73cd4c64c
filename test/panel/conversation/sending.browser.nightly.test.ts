import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { type PanelSite, panelSite } from '../page.ts';
import { LUNCH, sendFrom, untilComplete } from './conversation.ts';

describe('sending from a panel', { skip: NO_BROWSER }, () => {
  it('says at once that the browser has no network, and sends as soon as it has one again', async (t) => {
    const site = await panelSite(t);
    const { page, context } = await site.open('ben', LUNCH);
    await untilComplete(page);
    // No pause before a retry ends: only the event of the browser starts one.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1000);
    // The open stream hears nothing of it.
    await context.setOffline(true);
    await page.locator('.banner', { hasText: 'No connection.' }).waitFor();
    await sendFrom(page, site, 'Anybody?');
    await page.getByText('This message may not have arrived').waitFor();
    await context.setOffline(false);
    await page.locator('article[data-id]', { hasText: 'Anybody?' }).waitFor();
    assert.equal(await countOf(site), 1);
  });

  it('attaches files that are dropped on the messages, and takes none where one cannot write', async (t) => {
    const site = await panelSite(t);
    const { page, complaints } = await site.open('ben', LUNCH);
    await untilComplete(page);
    const drop = (selector: string) =>
      page.locator(selector).evaluate((target) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['soup'], 'menu.txt', { type: 'text/plain' }));
        const events = ['dragover', 'drop'].map(
          (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
        );
        return events.map((event) => !target.dispatchEvent(event));
      });
    assert.deepEqual(await drop('.list'), [true, true]);
    await page.waitForFunction(() => {
      const field = document.querySelector('parlance-panel')?.shadowRoot?.querySelector('textarea');
      return /^\[menu\.txt\]\(\//.test(field?.value ?? '');
    });
    await page.evaluate(() => document.querySelector('parlance-panel')?.setAttribute('readonly', ''));
    await page.locator('.composer').waitFor({ state: 'detached' });
    // The browser shows no file in place of the page, since it may not drop one here.
    await untilEqual(() => drop('.list'), [true, false]);
    assert.deepEqual(complaints, []);
  });
});

const countOf = async ({ owner }: PanelSite) =>
  (await owner.messages.list({ anchor: 'newest', num_before: 5, num_after: 0, narrow: [['topic', 'lunch']] })).messages
    .length;
