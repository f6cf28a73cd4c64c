import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { Gate } from '../../support/gate.ts';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import {
  focused,
  fragmentOf,
  goTo,
  heading,
  INBOX,
  openApp,
  PHONE,
  quietSite,
  say,
  sidebar,
  sidebarLink,
} from './app.ts';

describe('navigation of the app', { skip: NO_BROWSER }, () => {
  it('the sidebar shows the link of the open topic or conversation, however far down it is', async (t) => {
    const site = await quietSite(t);
    for (let topic = 1; topic <= 12; topic++) await say(site, 'ada', `topic ${topic}`, 'Hello');
    const fragment = `#narrow/channel/${site.channelId}/topic/topic.201`;
    const { page, complaints } = await openApp(site, 'ben', { fragment, viewport: { width: 1000, height: 360 } });
    const link = sidebarLink(page, 'topic 1');
    await link.waitFor();
    const isInSight = () =>
      link.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const around = element.closest('.sidebar-scroll')?.getBoundingClientRect();
        return around !== undefined && top >= around.top - 1 && bottom <= around.bottom + 1;
      });
    await until('the link is in sight', isInSight);
    await site.as('ada').messages.send({ type: 'direct', to: [site.people.ben], content: 'Hello' });
    await sidebarLink(page, 'Ada').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('each view has an address, and back and forward lead through them', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch at 12.30', 'Soup?');
    const opened = await openApp(site, 'ben');
    const { page, complaints } = opened;
    await sidebarLink(page, 'general').click();
    await heading(page, 'general').waitFor();
    await untilEqual(() => fragmentOf(opened), `#narrow/channel/${site.channelId}-general`);
    await sidebarLink(page, 'lunch at 12.30').click();
    await heading(page, 'lunch at 12.30').waitFor();
    await untilEqual(() => fragmentOf(opened), `#narrow/channel/${site.channelId}-general/topic/lunch.20at.2012.2E30`);
    await page.getByText('Soup?').waitFor();
    await untilEqual(() => sidebarLink(page, 'lunch at 12.30').getAttribute('aria-current'), 'page');
    await sidebarLink(page, 'Starred messages').click();
    await heading(page, 'Starred messages').waitFor();
    await page.goBack();
    await heading(page, 'lunch at 12.30').waitFor();
    await page.goBack();
    await heading(page, 'general').waitFor();
    await page.goForward();
    await heading(page, 'lunch at 12.30').waitFor();
    await page.reload();
    await heading(page, 'lunch at 12.30').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('a new view has the focus on its heading and is announced', async (t) => {
    const site = await quietSite(t);
    const { page } = await openApp(site, 'ben');
    await sidebarLink(page, 'People').click();
    await heading(page, 'People').waitFor();
    await untilEqual(() => focused(page), 'H1 People');
    await page.getByRole('status').getByText('People').waitFor({ state: 'attached' });
    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await untilMatch(() => focused(page), /^INPUT/);
    await page.keyboard.type('soup');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await heading(page, 'New message').waitFor();
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.matches('input[type=search]'));
    await page.keyboard.type('Cleo');
    await untilEqual(() => page.getByRole('searchbox', { name: 'Search people' }).inputValue(), 'Cleo');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });

  it('the key to compose opens a new topic of a channel as soon as its part has loaded', async (t) => {
    const site = await quietSite(t);
    const { page } = await openApp(site, 'ben');
    const gate = new Gate();
    await page.route(/panel-overlays/, async (route) => {
      await gate.opened;
      await route.continue();
    });
    t.after(() => gate.open());
    await goTo(page, `#narrow/channel/${site.channelId}`);
    await heading(page, 'general').waitFor();
    await page.keyboard.press('c');
    gate.open();
    await untilFieldOfDialog(page);
    await page.keyboard.type('supper');
    await page.keyboard.press('Enter');
    await heading(page, 'supper').waitFor();
    await page.goBack();
    await heading(page, 'general').waitFor();
    await page.getByRole('button', { name: 'New topic', exact: true }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    // An archived channel offers no topic.
    const { id } = await site.owner.channels.create({ name: 'attic', subscribers: Object.values(site.people) });
    await site.owner.channels.archive({ stream_id: id });
    await goTo(page, `#narrow/channel/${id}`);
    await heading(page, 'attic').waitFor();
    await page.keyboard.press('c');
    await heading(page, 'New message').waitFor();
  });

  it('a user who has chosen a new topic or recipients can type at once', async (t) => {
    const site = await quietSite(t);
    const { page } = await openApp(site, 'ben', { fragment: `#narrow/channel/${site.channelId}` });
    await heading(page, 'general').waitFor();
    await page.getByRole('button', { name: 'New topic', exact: true }).waitFor();
    await page.keyboard.press('c');
    await untilFieldOfDialog(page);
    await page.keyboard.type('breakfast');
    await page.keyboard.press('Enter');
    await heading(page, 'breakfast').waitFor();
    await writesInto(page, 'Message to general › breakfast');
    await goTo(page, '#new-message');
    await page.getByRole('button', { name: 'Add Cleo' }).click();
    await page.getByRole('button', { name: 'Start conversation' }).click();
    await writesInto(page, 'Message to Cleo Montgomery');
    // A link opens the same conversation for reading.
    await page.goBack();
    await heading(page, 'New message').waitFor();
    await page.goForward();
    await heading(page, 'Cleo Montgomery').waitFor();
    await untilEqual(() => focused(page), 'H1 Cleo Montgomery');
  });

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

  it('a link to a channel in a message opens in place', async (t) => {
    const site = await quietSite(t);
    const { owner, people } = site;
    await owner.channels.create({ name: 'kitchen', subscribers: [people.ben] });
    await say(site, 'ada', 'lunch', 'See #**kitchen** and #**kitchen>soup**');
    const { page, complaints } = await openApp(site, 'ben', {
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    await page.getByRole('link', { name: '#kitchen', exact: true }).click();
    await heading(page, 'kitchen').waitFor();
    await page.goBack();
    await heading(page, 'lunch').waitFor();
    await page.getByRole('link', { name: '#kitchen > soup' }).click();
    await heading(page, 'soup').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('a phone shows one view at a time, with a way back', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    const { page, complaints } = await openApp(site, 'ben', PHONE);
    await heading(page, 'Inbox').waitFor();
    await untilEqual(() => sidebar(page).isVisible(), false);
    await page.getByRole('button', { name: 'All conversations' }).click();
    await sidebarLink(page, 'general').click();
    await heading(page, 'general').waitFor();
    await untilEqual(() => sidebar(page).isVisible(), false);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await sidebarLink(page, 'Inbox').click();
    await heading(page, 'Inbox').waitFor();
    await page.setViewportSize({ width: 1000, height: 700 });
    await sidebar(page).waitFor();
    assert.deepEqual(complaints, []);
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
