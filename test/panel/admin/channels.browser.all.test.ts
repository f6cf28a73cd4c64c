import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, list, openAdmin, select } from './admin.ts';

const channelOf = async (site: Awaited<ReturnType<typeof quietSite>>) =>
  (await site.owner.channels.get({ stream_id: site.channelId })).stream;

describe('administration of channels', { skip: NO_BROWSER }, () => {
  it('privacy, posting, folder and retention of a channel are changed, each after what follows is shown', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'channels');
    await page.getByLabel('New folder').fill('Teams');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Edit Teams' }).waitFor();
    await assertGood(page, 'channels');
    await list(page, 'Channels').last().getByRole('link', { name: 'general' }).click();
    await select(page, 'Folder', 'Teams');
    await select(page, 'Who can post', 'Moderators and above');
    await select(page, 'Keep messages', 'For a number of days');
    await page.getByLabel('Days', { exact: true }).fill('30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const retention = page.getByRole('dialog', { name: 'Change how long messages stay?' });
    await retention.getByRole('button', { name: 'Save' }).click();
    await retention.waitFor({ state: 'detached' });
    await select(page, 'Privacy', 'Private, shared history: new subscribers read earlier messages');
    const privacy = page.getByRole('dialog', { name: 'Change who can read #general?' });
    await assertGood(page, 'privacy of a channel');
    await privacy.getByRole('button', { name: 'Save' }).click();
    await privacy.waitFor({ state: 'detached' });
    await assertGood(page, 'one channel');
    const { invite_only, message_retention_days, folder_id, can_send_message_group } = await channelOf(site);
    const { user_groups } = await site.owner.userGroups.list();
    assert.equal(can_send_message_group, user_groups.find(({ name }) => name === 'role:moderators')?.id);
    assert.deepEqual([invite_only, message_retention_days, folder_id === null], [true, 30, false]);
    assert.deepEqual(complaints, []);
  });

  it('a channel is archived and unarchived', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', `channels/${site.channelId}`);
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('This channel is archived.').waitFor();
    assert.equal((await channelOf(site)).is_archived, true);
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('button', { name: 'Archive', exact: true }).waitFor();
    assert.equal((await channelOf(site)).is_archived, false);
    assert.deepEqual(complaints, []);
  });
});
