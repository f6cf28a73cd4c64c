import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { openApp, quietSite, sidebarLink } from './app.ts';

describe('settings and users in the app', { skip: NO_BROWSER }, () => {
  it('a link to a section of the settings scrolls the settings, not the app', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ben', { fragment: '#settings' });
    await page.getByRole('button', { name: 'Muted topics' }).waitFor();
    const before = await sidebarLink(page, 'Inbox').boundingBox();
    await page.getByRole('button', { name: 'Muted topics' }).click();
    await page.getByRole('button', { name: 'Muted topics' }).and(page.locator('[aria-current]')).waitFor();
    assert.deepEqual(await sidebarLink(page, 'Inbox').boundingBox(), before);
    assert.deepEqual(complaints, []);
  });

  it('muted topics, and muted and blocked users, are listed in the settings and unmuted there', async (t) => {
    const site = await quietSite(t);
    const ben = site.as('ben');
    await ben.userTopics.set({ stream_id: site.channelId, topic: 'lunch', visibility_policy: 1 });
    await ben.users.block({ user_id: site.people.cleo });
    const { page, complaints } = await openApp(site, 'ben');
    await sidebarLink(page, 'Settings').click();
    await page.getByRole('button', { name: 'Unblock Cleo Montgomery' }).click();
    await page.getByRole('button', { name: 'Unblock Cleo Montgomery' }).waitFor({ state: 'detached' });
    await ben.mutedUsers.add({ muted_user_id: site.people.cleo });
    await page.getByRole('button', { name: 'Unmute #general › lunch' }).click();
    await page.getByRole('button', { name: 'Unmute #general › lunch' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Unmute Cleo Montgomery' }).click();
    await page.getByRole('button', { name: 'Unmute Cleo Montgomery' }).waitFor({ state: 'detached' });
    const { user_topics } = await ben.userTopics.list();
    assert.equal(user_topics.filter(({ visibility_policy }) => visibility_policy === 1).length, 0);
    assert.deepEqual(complaints, []);
  });
});
