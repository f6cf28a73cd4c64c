import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { heading, openApp, quietSite, sidebarLink } from '../app/app.ts';
import { assertGood, list, openAdmin, region, select } from './admin.ts';

describe('administration of people', { skip: NO_BROWSER }, () => {
  it('an owner finds a person and changes the role after seeing what follows; another administrator sees it', async (t) => {
    const site = await quietSite(t);
    await site.owner.users.edit({ user_id: site.people.cleo, role: 200 });
    await site.as('ben').presence.report({ status: 'active' });
    const { page, complaints } = await openApp(site, 'ada');
    await sidebarLink(page, 'Administration').click();
    await heading(page, 'Administration').waitFor();
    const people = list(page, 'People');
    await people.getByText('Ben', { exact: true }).waitFor();
    await people.getByRole('listitem').filter({ hasText: 'Ben' }).getByText('active now').waitFor();
    await assertGood(page, 'people');
    await select(page, 'Role', 'Administrator');
    await people.getByText('Ben', { exact: true }).waitFor({ state: 'detached' });
    await select(page, 'Role', 'All roles');
    await page.getByLabel('Search people').fill('bén');
    await people.getByText('Cleo Montgomery').waitFor({ state: 'detached' });
    const other = await openAdmin(site, 'cleo', 'people');
    await list(other.page, 'People').getByRole('link', { name: 'Ben' }).waitFor();
    await people.getByRole('link', { name: 'Ben' }).click();
    await select(page, 'Role', 'Moderator');
    const question = page.getByRole('dialog', { name: 'Change the role of Ben?' });
    await question.getByText('Ben gets the role Moderator.').waitFor();
    await assertGood(page, 'change of a role');
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.getByLabel('Role', { exact: true }).inputValue(), '400');
    await select(page, 'Role', 'Moderator');
    await question.getByRole('button', { name: 'Change role' }).click();
    await question.waitFor({ state: 'detached' });
    await list(other.page, 'People').getByText('Moderator').waitFor();
    const { user } = await site.owner.users.get({ user_id: site.people.ben });
    assert.equal(user.role, 300);
    assert.deepEqual([complaints, other.complaints], [[], []]);
  });

  it('a deactivation shows which channels and groups the person leaves, and is undone', async (t) => {
    const site = await quietSite(t);
    await site.owner.userGroups.create({ name: 'crew', description: '', members: [site.people.ben] });
    const { page, complaints } = await openAdmin(site, 'ada', `people/${site.people.ben}`);
    await region(page, 'Account').getByRole('button', { name: 'Deactivate' }).click();
    const question = page.getByRole('dialog', { name: 'Deactivate Ben?' });
    await question.getByText('Ben is deactivated and signed out.').waitFor();
    await question.getByText('Ben: removed from the group crew.').waitFor();
    await question.getByText('Ben: no longer a subscriber of #general.').waitFor();
    await assertGood(page, 'deactivation');
    await question.getByRole('button', { name: 'Deactivate' }).click();
    await question.waitFor({ state: 'detached' });
    await region(page, 'Account').getByRole('button', { name: 'Reactivate' }).click();
    const undo = page.getByRole('dialog', { name: 'Reactivate Ben?' });
    await undo.getByRole('button', { name: 'Reactivate' }).click();
    await region(page, 'Account').getByRole('button', { name: 'Deactivate' }).waitFor();
    const { user } = await site.owner.users.get({ user_id: site.people.ben });
    assert.equal(user.is_active, true);
    assert.deepEqual(complaints, []);
  });

  it('a reset link is made, and a refused name is explained beside its field', async (t) => {
    const site = await quietSite(t);
    await site.owner.organization.edit({ require_unique_names: true });
    const { page, complaints } = await openAdmin(site, 'ada', `people/${site.people.ben}`);
    await page.getByRole('button', { name: 'Create a reset link' }).click();
    assert.match(await page.getByLabel('Reset link').inputValue(), /^http.*\/chat\//);
    const name = region(page, 'Profile').getByLabel('Name');
    await name.fill('Cleo Montgomery');
    await page.getByRole('button', { name: 'Save Name' }).click();
    await region(page, 'Profile').getByRole('alert').waitFor();
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    await assertGood(page, 'one person');
    await name.fill('Benjamin');
    await page.getByRole('button', { name: 'Save Name' }).click();
    await page.getByRole('heading', { name: 'Benjamin' }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('a member finds no administration, and an administrator cannot change an owner', async (t) => {
    const site = await quietSite(t);
    const member = await openAdmin(site, 'ben', 'people');
    await member.page.getByText('Only administrators and moderators can open this page.').waitFor();
    assert.equal(await sidebarLink(member.page, 'Administration').count(), 0);
    await site.owner.users.edit({ user_id: site.people.ben, role: 200 });
    await list(member.page, 'People').waitFor();
    await list(member.page, 'People').getByRole('link', { name: 'Ada' }).click();
    await member.page.getByLabel('Role', { exact: true }).waitFor();
    assert.equal(await member.page.getByLabel('Role', { exact: true }).isDisabled(), true);
    assert.equal(await member.page.getByRole('button', { name: 'Deactivate' }).count(), 0);
    assert.deepEqual(member.complaints, []);
  });
});
