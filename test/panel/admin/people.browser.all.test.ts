import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { codeOf } from '../../support/authenticator.ts';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { goTo, heading, openApp, quietSite, sidebarLink } from '../app/app.ts';
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
    await until('the question is in the middle', async () => {
      const { y = 0, height = 0 } = (await question.boundingBox()) ?? {};
      return Math.round(2 * y + height) === page.viewportSize()?.height;
    });
    await assertGood(page, 'change of a role');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await untilEqual(() => page.getByLabel('Role', { exact: true }).inputValue(), '400');
    await select(page, 'Role', 'Moderator');
    await question.getByRole('button', { name: 'Change role' }).click();
    await question.waitFor({ state: 'detached' });
    await list(other.page, 'People').getByText('Moderator').waitFor();
    const { user } = await site.owner.users.get({ user_id: site.people.ben });
    assert.equal(user.role, 300);
    assert.deepEqual([complaints, other.complaints], [[], []]);
  });

  it('the profile card of a person leads administrators to the account, and nobody else', async (t) => {
    const site = await quietSite(t);
    const { ada, ben, cleo } = site.people;
    const card = (page: Page, name: string) => page.getByRole('dialog', { name: `Profile of ${name}` });
    const open = async (page: Page, id: number, name: string) => {
      await goTo(page, `#user/${id}`);
      await card(page, name).getByText('Role').waitFor();
      return card(page, name).getByRole('link', { name: 'Edit account' });
    };
    const member = await openApp(site, 'ben');
    assert.equal(await (await open(member.page, cleo, 'Cleo Montgomery')).count(), 0);
    const { page, complaints } = await openApp(site, 'ada');
    assert.equal(await (await open(page, ada, 'Ada')).count(), 0, 'the settings have the own account');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await (await open(page, ben, 'Ben')).click();
    await page.getByRole('heading', { name: 'Ben' }).waitFor();
    await card(page, 'Ben').waitFor({ state: 'detached' });
    await page.getByLabel('Role', { exact: true }).waitFor();
    assert.deepEqual([complaints, member.complaints], [[], []]);
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

  it('a reset link is made, logins are ended, and a refused name is explained beside its field', async (t) => {
    const site = await quietSite(t);
    await site.owner.organization.edit({ require_unique_names: true });
    const { page, complaints } = await openAdmin(site, 'ada', `people/${site.people.ben}`);
    await page.getByRole('button', { name: 'Create a reset link' }).click();
    await untilMatch(() => page.getByLabel('Reset link').inputValue(), /^http.*\/chat\//);
    const name = region(page, 'Profile').getByLabel('Name');
    await name.fill('Cleo Montgomery');
    await page.getByRole('button', { name: 'Save Name' }).click();
    await region(page, 'Profile').getByRole('alert').waitFor();
    await untilEqual(() => name.getAttribute('aria-invalid'), 'true');
    await assertGood(page, 'one person');
    await name.fill('Benjamin');
    await page.getByRole('button', { name: 'Save Name' }).click();
    await page.getByRole('heading', { name: 'Benjamin' }).waitFor();
    const keyOf = async () => (await site.owner.users.getApiKey({ user_id: site.people.ben })).api_key;
    const key = await keyOf();
    await page.getByRole('button', { name: 'End all logins' }).click();
    const question = page.getByRole('dialog', { name: 'End all logins of Benjamin?' });
    await question.getByRole('button', { name: 'End all logins' }).click();
    await question.waitFor({ state: 'detached' });
    assert.notEqual(await keyOf(), key);
    assert.deepEqual(complaints, []);
  });

  it('an administrator sees who has a second factor, and removes that of a person who lost the phone', async (t) => {
    const site = await quietSite(t);
    const password = 'a long and quiet password';
    const ben = site.as('ben');
    await ben.settings.edit({ new_password: password });
    const { url } = await ben.secondFactor.begin({ password });
    await ben.secondFactor.confirm({ code: codeOf(url, Date.now()) });
    const { page, complaints } = await openAdmin(site, 'ada', 'people');
    const lines = list(page, 'People').getByRole('listitem');
    await lines.filter({ hasText: 'second factor' }).waitFor();
    await untilMatch(() => lines.filter({ hasText: 'second factor' }).textContent(), /^Ben/);
    await select(page, 'Status', 'Active, without second factor');
    await lines.filter({ hasText: 'Ben' }).waitFor({ state: 'detached' });
    await untilEqual(() => lines.count(), 2);
    await select(page, 'Status', 'Active');
    await list(page, 'People').getByRole('link', { name: 'Ben' }).click();
    const login = region(page, 'Password and logins');
    await login.getByText('This account has a second factor.').waitFor();
    await assertGood(page, 'person with a second factor');
    await login.getByRole('button', { name: 'Remove second factor' }).click();
    const question = page.getByRole('dialog', { name: 'Remove the second factor of Ben?' });
    await question.getByRole('button', { name: 'Remove second factor' }).click();
    await login.getByText('This account has no second factor.').waitFor();
    assert.equal((await ben.secondFactor.get()).is_on, false);
    assert.deepEqual(complaints, []);
  });

  it('a member finds no administration, and an administrator cannot change an owner', async (t) => {
    const site = await quietSite(t);
    const member = await openAdmin(site, 'ben', 'people');
    await member.page.getByText('Only administrators and moderators can open this page.').waitFor();
    await untilEqual(() => sidebarLink(member.page, 'Administration').count(), 0);
    await site.owner.users.edit({ user_id: site.people.ben, role: 200 });
    await list(member.page, 'People').waitFor();
    await list(member.page, 'People').getByRole('link', { name: 'Ada' }).click();
    await member.page.getByLabel('Role', { exact: true }).waitFor();
    await untilEqual(() => member.page.getByLabel('Role', { exact: true }).isDisabled(), true);
    await untilEqual(() => member.page.getByRole('button', { name: 'Deactivate' }).count(), 0);
    assert.deepEqual(member.complaints, []);
  });
});
