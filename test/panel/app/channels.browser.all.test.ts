import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual, untilMatch } from '../../support/until.ts';
import { axeFindings, untilAnswered } from '../page.ts';
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

  it('a private channel is created with two people in one step, by the keyboard alone', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ada', { fragment: '#channels/new' });
    await page.getByLabel('Add people').waitFor();
    // It appears when the server has answered.
    await page.getByLabel('Private: only subscribers see it').waitFor();
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('board');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    for (const name of ['Ben', 'Cleo Montgomery']) {
      await page.keyboard.type(name.slice(0, 3).toLowerCase());
      // The matches may come after it.
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    }
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await heading(page, 'board').waitFor();
    const { streams } = await site.owner.channels.list();
    const made = streams.find(({ name }) => name === 'board');
    const { subscribers } = await site.owner.channels.subscribers({ stream_id: made?.stream_id ?? 0 });
    assert.deepEqual([made?.invite_only, subscribers], [true, Object.values(site.people)]);
    assert.deepEqual(complaints, []);
  });

  it('a channel is not created while a name is typed that was not chosen', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ada', { fragment: '#channels/new' });
    await page.getByLabel('Name', { exact: true }).fill('board');
    const field = page.getByLabel('Add people');
    await field.fill('cle');
    await page.getByRole('button', { name: 'Add Cleo Montgomery' }).waitFor();
    const isInvalid = () => field.evaluate((input) => input.matches(':invalid'));
    assert.equal(await isInvalid(), false, 'while the name is being typed');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await field.and(page.locator(':focus')).waitFor();
    await untilMatch(
      () => field.evaluate((input: HTMLInputElement) => input.validationMessage),
      /^Choose a person from the list, or clear this field\.$/,
    );
    const names = async () => (await site.owner.channels.list()).streams.map(({ name }) => name);
    assert.ok(!(await names()).includes('board'));
    assert.equal(await isInvalid(), true);
    await page.keyboard.type('o');
    await untilEqual(isInvalid, false);
    await field.fill('');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await heading(page, 'board').waitFor();
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

  it('the heading and the list of channels show the description of a channel, not its Markdown', async (t) => {
    const site = await quietSite(t);
    const description = 'All about **food**, see [the menu](https://example.com/menu)';
    await site.owner.channels.edit({ stream_id: site.channelId, description });
    const { page, complaints } = await openApp(site, 'ben', { fragment: `#narrow/channel/${site.channelId}` });
    const detail = page.locator('.view-detail');
    await detail.getByRole('link', { name: 'the menu' }).waitFor();
    await untilEqual(() => detail.textContent(), 'All about food, see the menu');
    assert.deepEqual(await axeFindings(page), []);
    await goTo(page, '#channels/browse');
    const line = page.locator('.channel-line');
    await line.getByRole('link', { name: 'the menu' }).waitFor();
    await untilMatch(() => line.textContent(), /All about food, see the menu\s*3 subscribers/);
    assert.deepEqual(await axeFindings(page), []);
    await site.owner.channels.edit({ stream_id: site.channelId, description: 'Only *drinks*' });
    await line.getByText('Only drinks').waitFor();
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

  it('an archived or unknown channel offers no new topic', async (t) => {
    const site = await quietSite(t);
    const { id } = await site.owner.channels.create({ name: 'attic', subscribers: [site.people.ben] });
    const { page } = await openApp(site, 'ben', { fragment: `#narrow/channel/${id}` });
    const newTopic = page.getByRole('button', { name: 'New topic', exact: true });
    await newTopic.waitFor();
    await site.owner.channels.archive({ stream_id: id });
    await page.getByText('This channel is archived.').waitFor();
    await untilEqual(() => newTopic.count(), 0);
    await goTo(page, '#narrow/channel/999');
    await page.getByText(/This place does not exist any more, or you may not see it/).waitFor();
    await untilEqual(() => newTopic.count(), 0);
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

  it('a guest sees no actions that guests may not use', async (t) => {
    const site = await quietSite(t);
    await site.owner.users.edit({ user_id: site.people.cleo, role: 600 });
    const { page, complaints } = await openApp(site, 'cleo');
    await sidebarLink(page, 'general').click();
    await page.getByRole('button', { name: 'Actions for #general' }).first().click();
    await page.getByRole('menuitem', { name: 'Subscribers' }).waitFor();
    await untilAnswered(page, /\/why\/.*\/streams/);
    assert.equal(await page.getByRole('menuitem', { name: 'Channel settings' }).count(), 0);
    await page.keyboard.press('Escape');
    await sidebarLink(page, 'Browse channels').click();
    await heading(page, 'Browse channels').waitFor();
    await untilAnswered(page, /\/why\/.*\/channels\/create/);
    assert.equal(await page.getByRole('button', { name: 'Create channel' }).count(), 0);
    assert.deepEqual(complaints, []);
  });
});
