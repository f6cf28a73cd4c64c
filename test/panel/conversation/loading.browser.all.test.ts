/** Parts of the panel that load after the first messages: what happens before they are there, and if they do not come. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { panelSite } from '../page.ts';
import { holdDeferred, LUNCH, sayMany } from './conversation.ts';

describe('parts of a panel that load later', { skip: NO_BROWSER }, () => {
  it('shows messages without its composer, which loads later and moves nothing', async (t) => {
    const site = await panelSite(t);
    await sayMany(site, 40);
    const { page } = await site.open('ben', LUNCH);
    await page.getByRole('textbox', { name: /^Message to/ }).waitFor();
    let isOffline = true;
    await page.route(/panel-deferred/, (route) => (isOffline ? route.abort() : route.continue()));
    await page.reload();
    const last = page.locator('article[data-id]').last();
    const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await alert.waitFor();
    await last.hover();
    await untilEqual(() => alert.count(), 1);

    isOffline = false;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('textbox', { name: /^Message to/ }).waitFor();
    // What did not load either.
    await last.hover();
    await page.getByRole('button', { name: 'More actions' }).waitFor();
    await last.focus();
    await page.keyboard.press('ArrowUp');
    await page.locator('article[data-id]').nth(-2).and(page.locator(':focus')).waitFor();

    const load = await holdDeferred(page);
    await page.reload();
    await last.waitFor();
    const before = await page.locator('.list').boundingBox();
    // The browser would leave the page to show a dropped file.
    const isRefused = await page.locator('.list').evaluate((list) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['soup'], 'menu.txt', { type: 'text/plain' }));
      return !list.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
    });
    assert.ok(isRefused, 'a file is not accepted');
    load();
    await page.getByRole('textbox', { name: /^Message to/ }).waitFor();
    await untilEqual(() => page.locator('.list').boundingBox(), before);
  });
});
