import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { fragmentOf, goTo, heading, INBOX, openApp, quietSite, say } from './app.ts';

describe('navigation of the app', { skip: NO_BROWSER }, () => {
  it('an answer that has not arrived stands below a bar of its own topic', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    await say(site, 'ada', 'dinner', 'Bread?');
    const { page, complaints } = await openApp(site, 'ben', { fragment: `#narrow/channel/${site.channelId}` });
    const bars = page.locator('.place-line');
    await bars.first().getByRole('button', { name: 'Reply' }).click();
    await page.getByRole('textbox', { name: 'Message to general › lunch' }).fill('Yes');
    const held: Parameters<typeof site.handle>[] = [];
    site.intercept((req, res) => {
      const isSend = req.method === 'POST' && /\/messages$/.test(req.url ?? '');
      if (isSend) held.push([req, res]);
      return isSend;
    });
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.locator('.outgoing', { hasText: 'Yes' }).waitFor();
    await untilEqual(() => bars.allTextContents(), ['lunch', 'dinner', 'lunch']);
    site.intercept(undefined);
    for (const [req, res] of held) site.handle(req, res);
    await page.locator('.message:not(.outgoing)', { hasText: 'Yes' }).waitFor();
    await untilEqual(() => bars.allTextContents(), ['lunch', 'dinner', 'lunch']);
    assert.deepEqual(complaints, []);
  });

  it('a panel with one channel opens a new topic with the focus in its composer', async (t) => {
    const site = await quietSite(t);
    const { page } = await site.open('ben', '<parlance-panel site="/chat" channel="general"></parlance-panel>');
    await page.getByRole('button', { name: 'New topic' }).click();
    await untilFieldOfDialog(page);
    await page.keyboard.type('breakfast');
    await page.keyboard.press('Enter');
    await writesInto(page, 'Message to general › breakfast');
  });

  it('older addresses work, a moved topic is found by its message, and unknown addresses say so', async (t) => {
    const site = await quietSite(t);
    const id = await say(site, 'ada', 'lunch', 'Soup?');
    await site.as('ada').messages.edit({ message_id: id, topic: 'dinner', propagate_mode: 'change_all' });
    const { people } = site;
    const opened = await openApp(site, 'ben', {
      fragment: `#narrow/stream/${site.channelId}-old-name/topic/lunch/with/${id}`,
    });
    const { page } = opened;
    await heading(page, 'dinner').waitFor();
    await goTo(page, `#narrow/pm-with/${people.ada},${people.ben},${people.cleo}-group`);
    await heading(page, 'Ada and Cleo Montgomery').waitFor();
    await goTo(page, '#nonsense');
    await page.getByRole('alert').getByText('This link is not valid.').waitFor();
    await heading(page, 'Inbox').waitFor();
  });

  it('a link to a channel that the user cannot read says so once', async (t) => {
    const site = await quietSite(t);
    const { id } = await site.owner.channels.create({ name: 'secret', subscribers: [], invite_only: true });
    const { page } = await openApp(site, 'ben', { fragment: `#narrow/channel/${id}-secret` });
    await page.getByText(/This place does not exist any more, or you may not see it/).waitFor();
    await untilEqual(() => page.getByText('Could not load messages.').count(), 1);
  });

  it('an embedded inbox leaves keys of the page to it while the focus is elsewhere', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    const { page, complaints } = await openApp(site, 'ben', { panel: `<input aria-label="Other">${INBOX}` });
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await page.getByRole('textbox', { name: 'Other' }).focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Alt+ArrowDown');
    await page.waitForTimeout(300);
    await heading(page, 'Inbox').waitFor();
    await untilEqual(() => page.getByRole('dialog').count(), 0);
    await page.getByRole('link', { name: /^lunch/ }).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^lunch/ }).focus();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await heading(page, 'lunch').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('an embedded inbox leaves the address and the title of the page alone', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    const opened = await openApp(site, 'ben', { panel: INBOX });
    const { page, complaints } = opened;
    await page.getByRole('link', { name: /^lunch/ }).click();
    await page.getByText('Soup?').waitFor();
    assert.equal(fragmentOf(opened), '');
    await untilEqual(() => page.title(), 'Page');
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await heading(page, 'Inbox').waitFor();
    assert.deepEqual(complaints, []);
  });
});

/** A dialog takes the focus into its field. */
const untilFieldOfDialog = (page: Page) => page.locator('dialog input:focus').waitFor();

/** Text that is typed without a click goes into this field. */
async function writesInto(page: Page, label: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label }).or(page.getByRole('textbox', { name: label }));
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Tea?');
  await untilEqual(() => field.inputValue(), 'Tea?');
}
