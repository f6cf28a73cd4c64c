import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { PHONE } from '../app/app.ts';
import { type PanelSite, panelSite } from '../page.ts';
import { holdDeferred, LUNCH, rowsWith, sayMany, toucher, untilComplete } from './conversation.ts';

const say = (site: PanelSite, login: 'ada' | 'ben' | 'cleo', content: string, topic = 'lunch') =>
  site.as(login).messages.send({ type: 'channel', to: site.channelId, topic, content });

describe('parts of a panel that load later', { skip: NO_BROWSER }, () => {
  it('Enter opens the menu of a message also before the part that listens to keys has loaded', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ben', 'Soup at noon');
    const { page, complaints } = await site.open('ben', LUNCH);
    const load = await holdDeferred(page);
    await page.reload();
    await rowsWith(page, 'Soup at noon').focus();
    await page.keyboard.press('Enter');
    load();
    await page.getByRole('menuitem', { name: 'Edit message' }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('End leads to the newest message also before the part that listens to keys has loaded', async (t) => {
    const site = await panelSite(t);
    await sayMany(site, 60);
    const { page, complaints } = await site.open('ben', LUNCH);
    const load = await holdDeferred(page);
    await page.reload();
    await page.getByText('New messages', { exact: true }).waitFor();
    await page.getByRole('feed').press('End');
    load();
    await rowsWith(page, 'Message 59').waitFor();
    await page.waitForFunction(() => {
      const rows = document.querySelector('parlance-panel')?.shadowRoot?.querySelectorAll('article[data-id]');
      const { bottom = Number.POSITIVE_INFINITY } = [...(rows ?? [])].at(-1)?.getBoundingClientRect() ?? {};
      return bottom <= innerHeight;
    });
    assert.deepEqual(complaints, []);
  });

  it('clicks on a sender and a link before the part that listens to them has loaded are kept', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ada', 'At dinner', 'dinner');
    await say(site, 'cleo', 'See #**general>dinner**');
    const { page, complaints } = await site.open('ben', LUNCH);
    const address = page.url();
    for (const [clicked, shown] of [
      [page.locator('.sender', { hasText: 'Cleo' }), page.getByRole('dialog', { name: 'Profile of Cleo Montgomery' })],
      [page.getByRole('link', { name: /dinner/ }), page.getByText('At dinner')],
    ] as const) {
      const load = await holdDeferred(page);
      await page.reload();
      await clicked.click();
      load();
      await shown.waitFor();
    }
    assert.equal(page.url(), address);
    assert.deepEqual(complaints, []);
  });

  it('announces a message that arrives before the part for it has loaded', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ada', 'First');
    const { page, complaints } = await site.open('ben', LUNCH);
    const load = await holdDeferred(page);
    await page.reload();
    await rowsWith(page, 'First').waitFor();
    await say(site, 'cleo', 'Hello **all**');
    await rowsWith(page, 'Hello all').waitFor();
    load();
    await page.locator('[role="status"]').getByText('Cleo Montgomery: Hello all').waitFor({ state: 'attached' });
    assert.deepEqual(complaints, []);
  });

  it('a long press opens the menu also if it began before the part that listens to it has loaded', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ben', 'Soup at noon');
    const { page, complaints } = await site.open('ben', LUNCH, PHONE);
    const row = rowsWith(page, 'Soup at noon');
    const menu = page.getByRole('menu', { name: 'Message actions' });
    for (const isLifted of [true, false]) {
      const load = await holdDeferred(page);
      await page.reload();
      await row.waitFor();
      const touch = await toucher(page, row);
      await touch('touchStart');
      if (isLifted) await touch('touchEnd');
      load();
      await untilComplete(page);
      if (isLifted) {
        // Longer than a long press takes.
        await page.waitForTimeout(1000);
        assert.equal(await menu.count(), 0);
      } else {
        await menu.waitFor();
        await touch('touchEnd');
        await menu.getByRole('menuitem', { name: 'Star message' }).tap();
        await menu.waitFor({ state: 'detached' });
      }
    }
    assert.deepEqual(complaints, []);
  });

  it('says that a part of it did not load, and loads it when the user retries', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ada', 'Soup?');
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.route(/panel-overlays/, (route) => route.abort());
    await page.getByText('Soup?').hover();
    await page.getByRole('button', { name: 'More actions' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await alert.waitFor();
    await page.unroute(/panel-overlays/);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    await untilEqual(() => alert.count(), 0);
    assert.ok(
      complaints.every((complaint) => /ERR_FAILED|panel-overlays/.test(complaint)),
      String(complaints),
    );
  });
});
