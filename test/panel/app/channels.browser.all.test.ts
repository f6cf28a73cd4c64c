import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { choose, goTo, heading, openApp, quietSite, say, sidebarLink } from './app.ts';

describe('channels in the app', { skip: NO_BROWSER }, () => {
  it('a channel is created, and a taken name is refused in place', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ada', { fragment: '#channels/browse' });
    await page.getByRole('button', { name: 'Create channel' }).click();
    await heading(page, 'Create channel').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('General');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/already exists|General/)
      .waitFor();
    await page.getByLabel('Name', { exact: true }).fill('kitchen');
    await page.getByLabel('Description').fill('Recipes');
    await page.getByLabel('Private: only subscribers see it').check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await heading(page, 'kitchen').waitFor();
    await sidebarLink(page, 'kitchen').waitFor();
    const { streams } = await site.owner.channels.list();
    const made = streams.find(({ name }) => name === 'kitchen');
    assert.deepEqual([made?.description, made?.invite_only], ['Recipes', true]);
    assert.deepEqual(complaints, []);
  });

  it('a user subscribes and unsubscribes in the browser of channels, and finds archived ones nowhere', async (t) => {
    const site = await quietSite(t);
    await site.owner.channels.create({ name: 'kitchen', description: 'Recipes', subscribers: [] });
    const { id } = await site.owner.channels.create({ name: 'attic', subscribers: [] });
    await site.owner.channels.archive({ stream_id: id });
    const { page, complaints } = await openApp(site, 'ben', { fragment: '#channels/browse' });
    await page.getByLabel('Search channels').fill('kit');
    await page.getByRole('button', { name: 'Subscribe kitchen' }).click();
    await page.getByRole('button', { name: 'Unsubscribe kitchen' }).waitFor();
    await sidebarLink(page, 'kitchen').waitFor();
    await page.getByRole('button', { name: 'Unsubscribe kitchen' }).click();
    await page.getByRole('button', { name: 'Subscribe kitchen', exact: true }).waitFor();
    await sidebarLink(page, 'kitchen').waitFor({ state: 'detached' });
    await page.getByLabel('Search channels').fill('');
    await page.getByRole('button', { name: 'Unsubscribe general' }).waitFor();
    await untilEqual(() => page.getByText('attic').count(), 0);
    // All are listed.
    await untilEqual(() => page.getByRole('button', { name: 'List all channels' }).count(), 0);
    for (let index = 0; index < 20; index++)
      await site.owner.channels.create({ name: `aisle ${index}`, subscribers: [] });
    await page.getByLabel('Search channels').fill('aisle');
    await page.getByRole('button', { name: 'List all channels' }).click();
    await page.getByLabel('Search channels').fill('');
    await page.getByRole('button', { name: 'Subscribe kitchen', exact: true }).waitFor();
    await untilEqual(() => page.getByText('attic').count(), 0);
    assert.deepEqual(complaints, []);
  });

  it('a renamed channel has its new name in the sidebar and the heading, also of others', async (t) => {
    const site = await quietSite(t);
    const fragment = `#narrow/channel/${site.channelId}`;
    const ada = await openApp(site, 'ada', { fragment });
    const ben = await openApp(site, 'ben', { fragment });
    await choose(ada.page, 'Actions for #general', 'Channel settings');
    await ada.page.getByRole('dialog').getByLabel('Name').fill('canteen');
    await ada.page.getByRole('button', { name: 'Save' }).click();
    for (const { page, complaints } of [ada, ben]) {
      await heading(page, 'canteen').waitFor();
      await sidebarLink(page, 'canteen').waitFor();
      assert.deepEqual(complaints, []);
    }
  });

  it('moving a topic moves its open list to the new topic, where an open list gets the messages', async (t) => {
    const site = await quietSite(t);
    const id = await say(site, 'ada', 'lunch', 'Soup?');
    await say(site, 'cleo', 'dinner', 'Fish.');
    await site.as('ben').messages.markAllRead();
    const lunch = await openApp(site, 'ben', { fragment: `#narrow/channel/${site.channelId}/topic/lunch` });
    const dinner = await openApp(site, 'ben', { fragment: `#narrow/channel/${site.channelId}/topic/dinner` });
    await lunch.page.getByText('Soup?').waitFor();
    await dinner.page.getByText('Fish.').waitFor();
    await site.as('ada').messages.edit({ message_id: id, topic: 'dinner', propagate_mode: 'change_all' });
    await dinner.page.getByText('Soup?').waitFor();
    await heading(lunch.page, 'dinner').waitFor();
    await lunch.page.getByText('Fish.').waitFor();
    assert.deepEqual([lunch.complaints, dinner.complaints], [[], []]);
  });

  it('a channel stays readable after the user is removed while it is open, and says so', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    const { page, complaints } = await openApp(site, 'ben', {
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    await page.getByText('Soup?').waitFor();
    await site.owner.subscriptions.remove({ subscriptions: ['general'], principals: [site.people.ben] });
    await sidebarLink(page, 'general').waitFor({ state: 'detached' });
    await page.getByText('You are not subscribed to this channel. New messages may be missing.').waitFor();
    await untilEqual(() => page.getByText('Soup?').isVisible(), true);
    await page.getByRole('link', { name: 'general' }).click();
    await choose(page, 'Actions for #general', 'Subscribe');
    await sidebarLink(page, 'general').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('the subscribers of a channel are listed, and a user is subscribed', async (t) => {
    const site = await quietSite(t);
    const { id } = await site.owner.channels.create({ name: 'kitchen', subscribers: [site.people.ada] });
    const { page, complaints } = await openApp(site, 'ada', { fragment: `#narrow/channel/${id}` });
    await choose(page, 'Actions for #kitchen', 'Subscribers');
    const column = page.getByRole('region', { name: 'People and files' });
    await column.getByText('1 subscriber').waitFor();
    await column.getByLabel('Find or add people').fill('cleo');
    await column.getByRole('button', { name: 'Add Cleo Montgomery' }).click();
    await column.getByText('2 subscribers').waitFor();
    // Also from a list in which the channel is not open.
    await goTo(page, '#inbox');
    await heading(page, 'Inbox').waitFor();
    await site.as('cleo').messages.send({ type: 'channel', to: id, topic: 'soup', content: 'Salt?' });
    await page.getByRole('main').getByRole('button', { name: 'Actions for #kitchen' }).click();
    await page.getByRole('menuitem', { name: 'Subscribers' }).click();
    await heading(page, 'kitchen').waitFor();
    await column.getByText('2 subscribers').waitFor();
    assert.deepEqual(complaints, []);
  });
});
