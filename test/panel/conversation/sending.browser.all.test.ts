import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { type PanelSite, panelSite } from '../page.ts';
import { LUNCH, rowsWith, sendFrom, texts } from './conversation.ts';

describe('sending from a panel', { skip: NO_BROWSER }, () => {
  it('shows a message before the server responds, and one row afterwards', async (t) => {
    const site = await panelSite(t);
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('No messages yet').waitFor();
    let answer = (): void => undefined;
    site.intercept((req, res) => {
      if (req.method !== 'POST' || !req.url?.endsWith('/messages')) return false;
      site.intercept(undefined);
      answer = () => site.handle(req, res);
      return true;
    });
    await sendFrom(page, site, 'Soup?');
    await page.getByText('Sending…').waitFor();
    await untilEqual(() => rowsWith(page, 'Soup?').count(), 1);
    assert.equal(await countOf(site), 0);
    answer();
    await page.locator('article[data-id]', { hasText: 'Soup?' }).waitFor();
    await untilEqual(() => rowsWith(page, 'Soup?').count(), 1);
    await untilEqual(() => page.getByText('Sending…').count(), 0);
    assert.deepEqual(complaints, []);
  });

  it('keeps the text of a refused message, and sends it again', async (t) => {
    const site = await panelSite(t);
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('No messages yet').waitFor();
    refuse(site);
    await sendFrom(page, site, 'Soup?');
    await page.getByText('Not sent: Not today').first().waitFor();
    await untilEqual(() => rowsWith(page, 'Soup?').count(), 1);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.locator('article[data-id]', { hasText: 'Soup?' }).waitFor();
    await untilEqual(() => rowsWith(page, 'Soup?').count(), 1);

    refuse(site);
    await sendFrom(page, site, 'Bread?');
    // A sent message has a button "Edit message".
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await untilEqual(() => rowsWith(page, 'Bread?').count(), 0);
    await untilEqual(() => draftOf(page, site), 'Bread?');
    assert.deepEqual(complaints, []);
  });

  it('sends once if the connection breaks before the response', async (t) => {
    const site = await panelSite(t);
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('No messages yet').waitFor();
    site.intercept((req, res) => {
      if (req.method !== 'POST' || !req.url?.endsWith('/messages')) return false;
      site.intercept(undefined);
      // The chat stores the message. Its response is lost.
      res.writeHead = () => {
        req.socket.destroy();
        return res;
      };
      site.handle(req, res);
      return true;
    });
    await sendFrom(page, site, 'Soup?');
    await page.locator('article[data-id]', { hasText: 'Soup?' }).waitFor();
    await site.as('ada').messages.send({ type: 'channel', to: site.channelId, topic: 'lunch', content: 'After' });
    await page.getByText('After').first().waitFor();
    await untilEqual(() => texts(page), ['Soup?', 'After']);
    assert.equal(await countOf(site), 2);
    assert.deepEqual(complaints, []);
  });

  it('recovers after the server was away, and loses nothing', async (t) => {
    const site = await panelSite(t);
    await say(site, 'Before');
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('Before').waitFor();
    await page.locator('.composer').waitFor();
    await site.stop();
    await page.getByText('No connection.').first().waitFor();
    await say(site, 'While away');
    await sendFrom(page, site, 'Sent while away');
    await site.start();
    await page.getByRole('button', { name: 'Retry now' }).click({ timeout: 2000 }).catch(ignore);
    await page.getByText('While away', { exact: true }).waitFor();
    await page.locator('article[data-id]', { hasText: 'Sent while away' }).waitFor({ timeout: 60_000 });
    await untilEqual(() => texts(page), ['Before', 'While away', 'Sent while away']);
    // The panel shows for a moment that it is connected again.
    await page.locator('.banner').waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
  });
});

/** It may have recovered by itself. */
const ignore = () => undefined;

const say = (site: PanelSite, content: string) =>
  site.as('ada').messages.send({ type: 'channel', to: site.channelId, topic: 'lunch', content });

const countOf = async ({ owner }: PanelSite) =>
  (await owner.messages.list({ anchor: 'newest', num_before: 5, num_after: 0, narrow: [['topic', 'lunch']] })).messages
    .length;

/** The next message is refused. */
function refuse(site: PanelSite): void {
  site.intercept((req, res) => {
    if (req.method !== 'POST' || !req.url?.endsWith('/messages')) return false;
    site.intercept(undefined);
    req.resume();
    res.writeHead(400, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ result: 'error', msg: 'Not today', code: 'BAD_REQUEST' }));
    return true;
  });
}

const draftOf = (page: Page, { channelId }: PanelSite) =>
  page.evaluate(
    (id) => document.querySelector('parlance-panel')?.store?.drafts.of({ channelId: id, topic: 'lunch' }).get(),
    channelId,
  );
