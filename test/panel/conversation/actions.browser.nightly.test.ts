import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { type PanelSite, panelSite, untilAnswered } from '../page.ts';
import { LUNCH, rowsWith } from './conversation.ts';

const say = (site: PanelSite, login: 'ada' | 'ben' | 'cleo', content: string, topic = 'lunch') =>
  site.as(login).messages.send({ type: 'channel', to: site.channelId, topic, content });

/** Opens the menu of a message with the keyboard, and chooses an action. */
async function choose(page: Page, row: Locator, name: string): Promise<void> {
  await row.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name }).click();
}

describe('actions of messages in a panel', { skip: NO_BROWSER }, () => {
  it('Home, End, Up and Down move in the field of an edited message, with Shift too', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ada', 'First');
    await say(site, 'ben', 'one\ntwo');
    const { page, complaints } = await site.open('ben', LUNCH);
    const row = page.locator('article[data-id]').last();
    await choose(page, row, 'Edit message');
    const field = row.getByRole('textbox');
    await field.waitFor();
    const selection = () => field.evaluate((area: HTMLTextAreaElement) => [area.selectionStart, area.selectionEnd]);
    const places: number[][] = [];
    for (const key of ['Home', 'End', 'Shift+Home', 'ArrowUp', 'ArrowDown']) {
      await field.press(key);
      places.push(await selection());
    }
    assert.deepEqual(places, [
      [4, 4],
      [7, 7],
      [4, 7],
      [0, 0],
      [4, 4],
    ]);
    assert.ok(await field.evaluate((area) => (area.getRootNode() as ShadowRoot).activeElement === area));
    assert.deepEqual(complaints, []);
  });

  it('a message quoted in a whole channel opens its topic to write there', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ada', 'Soup at noon', 'dinner');
    const { page } = await site.open('ben', '<parlance-panel site="/chat" channel="general"></parlance-panel>');
    await choose(page, rowsWith(page, 'Soup at noon'), 'Quote message');
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.matches('.composer textarea'));
    await untilMatch(() => page.locator('.composer textarea').inputValue(), /```quote\nSoup at noon\n```\n$/);
  });

  it('the reaction picker shows faces first and is as wide as its emoji', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ben', 'Soup at noon');
    const { page } = await site.open('ben', LUNCH);
    await choose(page, rowsWith(page, 'Soup at noon'), 'Add reaction');
    const picker = page.getByRole('dialog', { name: 'Add reaction' });
    await untilMatch(() => picker.getByRole('option').first().getAttribute('aria-label'), /grinning/);
    await until('the picker is as wide as its field', async () => {
      const widths = [picker, picker.getByRole('searchbox')].map(async (one) => (await one.boundingBox())?.width);
      const [outer = 0, inner = 0] = await Promise.all(widths);
      return inner > 0 && outer - inner < 40;
    });
  });

  it('offers no block of an administrator', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ada', 'Of Ada');
    const { page, complaints } = await site.open('ben', LUNCH);
    await rowsWith(page, 'Of Ada').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Report message' }).waitFor();
    await untilAnswered(page, /\/why\/.*block/);
    assert.equal(await page.getByRole('menuitem', { name: 'Block Ada' }).count(), 0);
    assert.deepEqual(complaints, []);
  });

  it('shows who types, and for how long', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ada', 'First');
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('First').waitFor();
    await page.clock.install();
    await site.as('ada').typing.send({ type: 'channel', op: 'start', stream_id: site.channelId, topic: 'lunch' });
    await page.getByText('Ada is typing…').waitFor();
    // From here, its time passes only with the steps below.
    await page.clock.pauseAt(Date.now() + 1000);
    await page.clock.fastForward(10_000);
    await untilEqual(() => page.getByText('Ada is typing…').count(), 1);
    await page.clock.fastForward(10_000);
    await page.getByText('Ada is typing…').waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
  });
});
