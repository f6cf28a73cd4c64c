import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { axeFindings } from '../page.ts';
import { goTo, heading, openApp, quietSite, say } from './app.ts';

describe('the composer without permission to write', { skip: NO_BROWSER }, () => {
  it('a topic of an archived channel, and one that the channel does not accept, show the reason', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    const fragment = `#narrow/channel/${site.channelId}/topic/lunch`;
    const { page, complaints } = await openApp(site, 'ben', { fragment });
    const composer = page.locator('.composer');
    await composer.getByRole('textbox').waitFor();
    await site.owner.channels.archive({ stream_id: site.channelId });
    await composer.getByText('This channel is archived. You cannot send messages to it.').waitFor();
    await untilEqual(() => page.locator('.main').getByText('This channel is archived.').count(), 1);
    const subscribers = Object.values(site.people);
    const single = { name: 'single', topics_policy: 'empty_topic_only', subscribers } as const;
    const { id } = await site.owner.channels.create(single);
    await goTo(page, `#narrow/channel/${id}/topic/lunch`);
    await composer.getByText('This channel only accepts messages in the topic "general chat".').waitFor();
    await goTo(page, `#narrow/channel/${id}`);
    await page.getByRole('button', { name: 'Write a message', exact: true }).click();
    await page.getByRole('textbox', { name: 'Message to single' }).waitFor();
    await untilEqual(() => page.getByRole('button', { name: 'New topic', exact: true }).count(), 0);
    assert.deepEqual(complaints, []);
  });

  it('a private channel that the user is removed from shows this, and keeps its name and the text', async (t) => {
    const site = await quietSite(t);
    const { ada, ben } = site.people;
    const { id } = await site.owner.channels.create({ name: 'vault', invite_only: true, subscribers: [ada, ben] });
    await site.owner.messages.send({ type: 'channel', to: id, topic: 'keys', content: 'Under the mat.' });
    await site.as('ben').messages.markAllRead();
    const { page, complaints } = await openApp(site, 'ben', { fragment: `#narrow/channel/${id}/topic/keys` });
    const composer = page.getByRole('textbox', { name: /^Message to/ });
    await composer.fill('Which mat?');
    await site.owner.subscriptions.remove({ subscriptions: ['vault'], principals: [ben] });
    const reason = page.locator('.composer').getByText('You have no access to this channel.');
    await reason.waitFor();
    await untilEqual(() => composer.inputValue(), 'Which mat?');
    await page.locator('.view-header').getByRole('link', { name: 'vault' }).click();
    await heading(page, 'Channel').waitFor();
    await reason.waitFor();
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(
      complaints.filter((complaint) => !/status of 4/.test(complaint)),
      [],
    );
  });

  it('the profile of a deactivated user is marked', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', '@**Cleo Montgomery**');
    await site.owner.users.deactivate({ user_id: site.people.cleo });
    const fragment = `#narrow/channel/${site.channelId}/topic/lunch`;
    const { page, complaints } = await openApp(site, 'ben', { fragment });
    await page.getByRole('feed').getByRole('button', { name: 'Cleo Montgomery' }).click();
    const dialog = page.getByRole('dialog', { name: 'Profile of Cleo Montgomery (deactivated)' });
    await dialog.locator('.profile-name').getByText('Cleo Montgomery (deactivated)').waitFor();
    assert.deepEqual(complaints, []);
  });
});
