import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual, untilMatch } from '../../support/until.ts';
import { axeFindings, untilAnswered } from '../page.ts';
import { goTo, heading, openApp, quietSite, sidebarLink } from './app.ts';

describe('channels in the app', { skip: NO_BROWSER }, () => {
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
    await untilEqual(isInvalid, true);
    await page.keyboard.type('o');
    await untilEqual(isInvalid, false);
    await field.fill('');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await heading(page, 'board').waitFor();
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
