import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { until, untilEqual } from '../../support/until.ts';
import { axeFindings } from '../page.ts';
import { focused, goTo, heading, openApp, quietSite, say, sidebarLink } from './app.ts';

const PAGE = 'Drafts and scheduled';
const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const rows = (page: Page, name: string) => section(page, name).getByRole('listitem');
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

/** Waits until the list of the section has as many rows. */
async function untilRows(page: Page, name: string, count: number): Promise<void> {
  await page.waitForFunction(
    ([label, wanted]) =>
      document
        .querySelector('parlance-panel')
        ?.shadowRoot?.querySelectorAll(`section[aria-label="${label}"] li.text-row`).length === wanted,
    [name, count] as const,
  );
}

describe('drafts, scheduled messages, reminders and snippets in the app', { skip: NO_BROWSER }, () => {
  it('a draft is listed, opened, deleted and restored', async (t) => {
    const site = await quietSite(t);
    const lunch = `#narrow/channel/${site.channelId}/topic/lunch`;
    const { page, complaints } = await openApp(site, 'ben', { fragment: lunch });
    await composer(page).fill('Half a sentence');
    await sidebarLink(page, PAGE).click();
    await heading(page, PAGE).waitFor();
    await rows(page, 'Drafts').getByText('Half a sentence').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await button(rows(page, 'Drafts'), 'Open').click();
    await composer(page).waitFor();
    await untilEqual(() => composer(page).inputValue(), 'Half a sentence');
    await until('the composer has the focus', async () => /^TEXTAREA/.test(await focused(page)));
    await page.goBack();
    await heading(page, PAGE).waitFor();
    await button(rows(page, 'Drafts'), 'Delete').click();
    await untilRows(page, 'Drafts', 0);
    await until('the server has no draft', async () => (await site.as('ben').drafts.list()).count === 0);
    await button(page, 'Undo').click();
    await untilRows(page, 'Drafts', 1);
    await goTo(page, lunch);
    await composer(page).waitFor();
    await untilEqual(() => composer(page).inputValue(), 'Half a sentence');
    assert.deepEqual(complaints, []);
  });

  it('a message is sent later: scheduled by keyboard, taken back, scheduled again, edited, canceled', async (t) => {
    const site = await quietSite(t);
    const ben = site.as('ben');
    const lunch = `#narrow/channel/${site.channelId}/topic/lunch`;
    const { page, complaints } = await openApp(site, 'ben', { fragment: lunch });
    const schedule = async () => {
      await page.locator('[aria-label="Schedule message"]:enabled').focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Schedule message' });
      await dialog.getByLabel('Tomorrow morning').waitFor();
      return dialog;
    };
    await button(page, 'Schedule message').waitFor();
    await until('there is no message yet', () => button(page, 'Schedule message').isDisabled());
    await composer(page).fill('Soup tomorrow?');
    let dialog = await schedule();
    assert.deepEqual(await axeFindings(page), []);
    await dialog.getByLabel('Tomorrow morning').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.scheduled-notice').waitFor();
    await page.waitForFunction(() =>
      document.querySelector('parlance-panel')?.shadowRoot?.activeElement?.matches('textarea'),
    );
    await untilEqual(() => composer(page).inputValue(), '');
    const [planned] = (await ben.scheduledMessages.list()).scheduled_messages;
    const at = new Date((planned?.scheduled_delivery_timestamp ?? 0) * 1000);
    assert.deepEqual([planned?.content, planned?.topic, at.getHours()], ['Soup tomorrow?', 'lunch', 9]);
    await button(page, 'Undo').click();
    await page.waitForFunction(
      () => document.querySelector('parlance-panel')?.shadowRoot?.querySelector('textarea')?.value === 'Soup tomorrow?',
    );
    const contents = async () =>
      (await ben.scheduledMessages.list()).scheduled_messages.map(({ content }) => content).join();
    await until('the server has none', async () => (await contents()) === '');
    // A time that is over: the dialog says why, and nothing is lost.
    dialog = await schedule();
    await dialog.getByLabel('Date and time').fill('2020-01-01T10:00');
    await button(dialog, 'Schedule').click();
    await dialog.getByText(/in the future/).waitFor();
    await dialog.getByLabel('In one hour').check();
    await button(dialog, 'Schedule').click();
    await dialog.waitFor({ state: 'detached' });

    await goTo(page, '#scheduled');
    await heading(page, PAGE).waitFor();
    const row = rows(page, 'Scheduled messages').first();
    await button(row, 'Edit').click();
    dialog = page.getByRole('dialog', { name: 'Edit scheduled message' });
    await dialog.getByLabel('Message', { exact: true }).fill('Soup on Monday?');
    assert.deepEqual(await axeFindings(page), []);
    await button(dialog, 'Save').click();
    await row.getByText('Soup on Monday?').waitFor();
    await button(row, 'Cancel').click();
    await untilRows(page, 'Scheduled messages', 0);
    await button(page, 'Undo').click();
    await untilRows(page, 'Scheduled messages', 1);
    await until('the server has it again', async () => (await contents()) === 'Soup on Monday?');
    assert.deepEqual(complaints, []);
  });

  it('a reminder is set from the menu of a message, listed, and deleted', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Order the soup');
    const { page, complaints } = await openApp(site, 'ben', {
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    await page.locator('article[data-id]').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Remind me' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remind me' });
    await dialog.getByLabel('Note').fill('For all of us');
    assert.deepEqual(await axeFindings(page), []);
    await button(dialog, 'Set reminder').click();
    await dialog.waitFor({ state: 'detached' });
    await goTo(page, '#reminders');
    await rows(page, 'Reminders').getByText('For all of us').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await rows(page, 'Reminders').getByRole('link').first().click();
    await heading(page, 'lunch').waitFor();
    await page.goBack();
    await button(rows(page, 'Reminders'), 'Delete').click();
    await untilRows(page, 'Reminders', 0);
    await until('the server has none', async () => (await site.as('ben').reminders.list()).reminders.length === 0);
    assert.deepEqual(complaints, []);
  });

  it('a snippet is saved from the composer, inserted, edited and deleted', async (t) => {
    const site = await quietSite(t);
    const lunch = `#narrow/channel/${site.channelId}/topic/lunch`;
    const { page, complaints } = await openApp(site, 'ben', { fragment: lunch });
    await composer(page).fill('Welcome to **our** table');
    await button(page, 'Snippets').click();
    await button(page, 'Save this text as a snippet').click();
    let dialog = page.getByRole('dialog', { name: 'New snippet' });
    await dialog.getByLabel('Title').fill('Greeting');
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    await composer(page).fill('Hi! ');
    await button(page, 'Snippets').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Greeting/ }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await page.waitForFunction(() =>
      document.querySelector('parlance-panel')?.shadowRoot?.activeElement?.matches('.snippets button'),
    );
    await page.keyboard.press('Enter');
    await untilEqual(() => composer(page).inputValue(), 'Hi! Welcome to **our** table');
    await goTo(page, '#drafts');
    const row = rows(page, 'Saved snippets').first();
    await button(row, 'Edit').click();
    dialog = page.getByRole('dialog', { name: 'Edit snippet' });
    await dialog.getByLabel('Text').fill('Welcome');
    await button(dialog, 'Save').click();
    await row.getByText('Welcome', { exact: true }).waitFor();
    await button(row, 'Delete').click();
    await untilRows(page, 'Saved snippets', 0);
    assert.deepEqual(complaints, []);
  });
});
