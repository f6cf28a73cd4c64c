import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { axeFindings } from '../page.ts';
import { goTo, heading, openApp, PHONE, quietSite } from './app.ts';

const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const rows = (page: Page, name: string) => section(page, name).getByRole('listitem');
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

const inOneHour = () => Math.floor(Date.now() / 1000) + 3600;

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
  it('drafts of other clients are listed too: several of one topic, without a recipient, and at once', async (t) => {
    const site = await quietSite(t);
    const ben = site.as('ben');
    const { page, complaints } = await openApp(site, 'ben', { fragment: '#drafts' });
    await untilRows(page, 'Drafts', 0);
    const lunch = { type: 'stream', to: [site.channelId], topic: 'lunch' } as const;
    await ben.drafts.create({ drafts: [{ ...lunch, content: 'Older', timestamp: 1_700_000_000 }] });
    await ben.drafts.create({
      drafts: [
        { ...lunch, content: 'Newer' },
        { type: '', to: [], topic: '', content: 'To whom' },
      ],
    });
    await untilRows(page, 'Drafts', 3);
    await rows(page, 'Drafts').filter({ hasText: 'Without a recipient' }).getByText('To whom').waitFor();
    await button(rows(page, 'Drafts').filter({ hasText: 'Older' }), 'Open').click();
    await composer(page).waitFor();
    await untilEqual(() => composer(page).inputValue(), 'Older\n\nNewer');
    await goTo(page, '#drafts');
    await untilRows(page, 'Drafts', 2);
    assert.deepEqual(complaints, []);
  });

  it('an account without drafts on the server is told so, and turns them on', async (t) => {
    const site = await quietSite(t);
    await site.as('ben').settings.edit({ enable_drafts_synchronization: false });
    const lunch = `#narrow/channel/${site.channelId}/topic/lunch`;
    const { page, complaints } = await openApp(site, 'ben', { fragment: lunch });
    await composer(page).fill('Only here');
    await goTo(page, '#drafts');
    await button(page, 'Keep drafts on the server').click();
    await rows(page, 'Drafts').getByText('Only here').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('a direct message is sent later, also one to oneself', async (t) => {
    const site = await quietSite(t);
    const { page } = await openApp(site, 'ben', { fragment: `#narrow/dm/${site.people.cleo}-dm` });
    for (const [at, to, name] of [
      [`#narrow/dm/${site.people.cleo}-dm`, site.people.cleo, 'Cleo Montgomery'],
      ['#narrow/dm/-dm', site.people.ben, 'Notes to yourself'],
    ] as const) {
      await goTo(page, at);
      await heading(page, name).waitFor();
      await page.getByRole('textbox', { name: `Message to ${name}` }).fill(`For ${to}`);
      await button(page, 'Schedule message').click();
      const dialog = page.getByRole('dialog', { name: 'Schedule message' });
      await button(dialog, 'Schedule').click();
      await dialog.waitFor({ state: 'detached' });
      const { scheduled_messages } = await site.as('ben').scheduledMessages.list();
      assert.deepEqual(scheduled_messages.find(({ content }) => content === `For ${to}`)?.to, [to]);
    }
  });

  it('a message that was not sent says so, and gets a new time', async (t) => {
    const site = await quietSite(t);
    const ben = site.as('ben');
    const { page } = await openApp(site, 'ben', { fragment: '#drafts' });
    // The next step comes before it.
    const soon = Math.floor(Date.now() / 1000) + 5;
    await ben.scheduledMessages.create({
      ...{ type: 'channel', to: site.channelId, topic: 'lunch', content: 'Too late' },
      scheduled_delivery_timestamp: soon,
    });
    await site.owner.channels.edit({ stream_id: site.channelId, can_send_message_group: { new: 2 } } as never);
    const row = rows(page, 'Scheduled messages').first();
    await row.getByText('Not sent.').waitFor();
    await button(row, 'Edit').click();
    const dialog = page.getByRole('dialog', { name: 'Edit scheduled message' });
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('Not sent.').waitFor({ state: 'detached' });
  });

  it('the page fits a phone and has no accessibility findings there', async (t) => {
    const site = await quietSite(t);
    const ben = site.as('ben');
    const long = 'A long text without an end '.repeat(20);
    await ben.drafts.create({
      drafts: [{ type: 'stream', to: [site.channelId], topic: 'x'.repeat(60), content: long }],
    });
    await ben.scheduledMessages.create({
      ...{ type: 'direct', to: [site.people.cleo], content: 'm'.repeat(300) },
      scheduled_delivery_timestamp: inOneHour(),
    });
    await ben.savedSnippets.create({ title: 'Greeting', content: long });
    const { page } = await openApp(site, 'ben', { ...PHONE, colorScheme: 'dark', fragment: '#drafts' });
    await untilRows(page, 'Saved snippets', 1);
    await untilRows(page, 'Drafts', 1);
    assert.deepEqual(await axeFindings(page), []);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 390);
  });
});
