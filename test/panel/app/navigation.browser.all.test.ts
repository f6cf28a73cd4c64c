import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { Gate } from '../../support/gate.ts';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { focused, fragmentOf, goTo, heading, openApp, PHONE, quietSite, say, sidebar, sidebarLink } from './app.ts';

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
