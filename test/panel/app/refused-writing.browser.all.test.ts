import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { axeFindings } from '../page.ts';
import { goTo, heading, openApp, quietSite, say, sidebarLink } from './app.ts';

const ONLY_ADA = (id: number) => ({ new: { direct_members: [id], direct_subgroups: [] } });
const EVERYBODY = { new: { direct_members: [], direct_subgroups: [] as number[] } };

describe('the composer without permission to write', { skip: NO_BROWSER }, () => {
  it('a channel shows the reason in place of the composer, keeps the draft, and follows the permission', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    const channel = `#narrow/channel/${site.channelId}`;
    const { page, complaints } = await openApp(site, 'ben', { fragment: `${channel}/topic/lunch` });
    const asked: string[] = [];
    site.intercept(({ url = '' }) => {
      if (/\/why\/\d+\/messages(\?|$)/.test(url)) asked.push(url);
      return false;
    });
    await goTo(page, channel);
    await page.getByRole('button', { name: 'New topic', exact: true }).waitFor();
    await goTo(page, `${channel}/topic/lunch`);
    const composer = page.getByRole('textbox', { name: 'Message to general › lunch' });
    await composer.fill('Not without bread');
    assert.deepEqual(asked, [], 'the state shows that the user may write');
    const { stream } = await site.owner.channels.get({ stream_id: site.channelId });
    await site.owner.channels.edit({
      stream_id: site.channelId,
      can_send_message_group: ONLY_ADA(site.people.ada),
    });
    const reason = page.locator('.composer').getByText('You are not allowed to send messages in this channel.');
    await reason.waitFor();
    assert.notDeepEqual(asked, []);
    await untilEqual(() => composer.inputValue(), 'Not without bread');
    await untilEqual(() => composer.isEditable(), false);
    await untilEqual(() => page.getByRole('button', { name: /^Send/ }).count(), 0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await axeFindings(page), []);
    }
    await goTo(page, channel);
    await heading(page, 'general').waitFor();
    await reason.waitFor();
    await untilEqual(() => page.getByRole('button', { name: 'New topic', exact: true }).count(), 0);
    await site.owner.channels.edit({
      stream_id: site.channelId,
      can_send_message_group: { new: stream.can_send_message_group as number },
    });
    await page.getByRole('button', { name: 'New topic', exact: true }).waitFor();
    await goTo(page, `${channel}/topic/lunch`);
    await composer.and(page.locator(':not([readonly])')).waitFor();
    await untilEqual(() => composer.inputValue(), 'Not without bread');
    assert.deepEqual(complaints, []);
  });

  it('a conversation with a deactivated user shows this and marks the user, until the account is active again', async (t) => {
    const site = await quietSite(t);
    const { cleo, ada } = site.people;
    await site.as('cleo').messages.send({ type: 'direct', to: [site.people.ben], content: 'Bye!' });
    await site.as('ben').messages.markAllRead();
    const { page, complaints } = await openApp(site, 'ben', { fragment: `#narrow/dm/${cleo}` });
    const composer = page.getByRole('textbox', { name: 'Message to Cleo Montgomery', exact: true });
    await composer.fill('See you');
    await site.owner.users.deactivate({ user_id: cleo });
    const said = 'Cleo Montgomery is deactivated and cannot receive messages.';
    const reason = page.locator('.composer').getByText(said);
    await reason.waitFor();
    await heading(page, 'Cleo Montgomery (deactivated)').waitFor();
    await sidebarLink(page, 'Cleo Montgomery (deactivated)').waitFor();
    await site.owner.users.reactivate({ user_id: cleo });
    await composer.and(page.locator(':not([readonly])')).waitFor();
    await untilEqual(() => composer.inputValue(), 'See you');
    await site.owner.organization.edit({ direct_message_permission_group: EVERYBODY });
    await page.locator('.composer').getByText('direct messages').waitFor();
    await site.owner.organization.edit({ direct_message_permission_group: ONLY_ADA(ada) });
    await goTo(page, `#narrow/dm/${ada}`);
    await page.getByRole('textbox', { name: 'Message to Ada', exact: true }).fill('Hello');
    assert.deepEqual(complaints, []);
  });
});
