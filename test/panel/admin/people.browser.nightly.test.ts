import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { codeOf } from '../../support/authenticator.ts';
import { untilEqual, untilMatch } from '../../support/until.ts';
import { goTo, openApp, quietSite, sidebarLink } from '../app/app.ts';
import { assertGood, list, openAdmin, region, select } from './admin.ts';

describe('administration of people', { skip: NO_BROWSER }, () => {
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
