import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual, untilMatch } from '../../support/until.ts';
import { untilAnswered } from '../page.ts';
import { choose, goTo, openApp, quietSite } from './app.ts';

const people = { fragment: '#people' };

async function openInvite(page: Page) {
  await page.getByRole('button', { name: 'Invite people' }).click();
  return page.getByRole('dialog', { name: 'Invite people' });
}

describe('invitations in the app', { skip: NO_BROWSER }, () => {
  it('a link is created with a role, a validity and channels, joined with, and revoked', async (t) => {
    const site = await quietSite(t);
    await site.owner.channels.create({ name: 'news', is_default_stream: true, subscribers: [] });
    await site.owner.channels.create({ name: 'attic', invite_only: true, subscribers: [site.people.ada] });
    const { page, complaints } = await openApp(site, 'ada', people);
    const dialog = await openInvite(page);
    await dialog.getByLabel('Role').selectOption('Guest');
    await dialog.getByLabel('Valid for').selectOption('7 days');
    await untilEqual(() => dialog.getByLabel('Default channels: news').isChecked(), true);
    await dialog.getByLabel('attic').check();
    await dialog.getByRole('button', { name: 'Create a link for many' }).click();
    await untilMatch(() => dialog.getByLabel('Invitation link').inputValue(), /./);
    const link = await dialog.getByLabel('Invitation link').inputValue();
    const key = link.split('/').at(-2) ?? '';
    const visitor = site.chat.anonymous();
    const { channels, invited_as, expiry_date } = await visitor.invites.preview({ key });
    const { invites } = await site.owner.invites.list();
    assert.deepEqual([channels, invited_as], [['attic', 'news'], 600]);
    assert.equal(expiry_date, (invites[0]?.invited ?? 0) + 7 * 86_400);
    await visitor.invites.accept({ key, email: 'dan@example.com', full_name: 'Dan' });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByLabel('Search people').fill('dan');
    await page.getByText('Dan', { exact: true }).waitFor();

    await page.getByText('Pending invitations (1)').click();
    await choose(page, 'Actions for Invitation link', 'Revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Pending invitations').waitFor({ state: 'detached' });
    await assert.rejects(visitor.invites.preview({ key }), { code: 'INVITATION_UNUSABLE' });
    assert.deepEqual(complaints, []);
  });

  it('only users with a permission can invite, in the ways that it allows', async (t) => {
    const site = await quietSite(t);
    const { user_groups } = await site.owner.userGroups.list();
    const groupId = (name: string) => user_groups.find((group) => group.name === name)?.id as number;
    await site.owner.organization.edit({
      can_invite_users_group: { new: groupId('role:administrators') },
      create_multiuse_invite_group: { new: groupId('role:administrators') },
    });
    const { page, complaints } = await openApp(site, 'ben');
    await goTo(page, '#people');
    for (const path of ['/invites', '/invites/multiuse']) await untilAnswered(page, new RegExp(`/why/.*${path}$`));
    await page.getByRole('button', { name: 'Profile Ada' }).waitFor();
    await untilEqual(() => page.getByRole('button', { name: 'Invite people' }).count(), 0);
    await site.owner.organization.edit({ create_multiuse_invite_group: { new: groupId('role:members') } });
    const again = await openApp(site, 'ben', people);
    const dialog = await openInvite(again.page);
    await dialog.getByRole('button', { name: 'Create a link for many' }).waitFor();
    await untilEqual(() => dialog.getByLabel('E-mail addresses').count(), 0);
    assert.deepEqual([complaints, again.complaints], [[], []]);
  });
});
