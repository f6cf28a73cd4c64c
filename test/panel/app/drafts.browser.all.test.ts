import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { until } from '../../support/until.ts';
import { heading, openApp, quietSite, sidebarLink } from './app.ts';

const composer = (page: Page) => page.locator('textarea');

const untilWritten = (page: Page) =>
  page.waitForFunction(() => {
    const root = document.querySelector('parlance-panel')?.shadowRoot;
    return root?.querySelector('textarea')?.value === 'Half a sent';
  });

describe('drafts in the app', { skip: NO_BROWSER }, () => {
  it('a draft survives other views and a reload, and appears in a second browser', async (t) => {
    const site = await quietSite(t);
    const fragment = `#narrow/channel/${site.channelId}/topic/lunch`;
    const { page, complaints } = await openApp(site, 'ben', { fragment });
    await composer(page).fill('Half a sent');
    await sidebarLink(page, 'Inbox').click();
    await heading(page, 'Inbox').waitFor();
    await page.goBack();
    await untilWritten(page);
    await page.reload();
    await untilWritten(page);
    await until('the server has the draft', async () => (await site.as('ben').drafts.list()).count > 0, { every: 100 });
    const other = await openApp(site, 'ben', { fragment });
    await untilWritten(other.page);
    assert.deepEqual([complaints, other.complaints], [[], []]);
  });
});
