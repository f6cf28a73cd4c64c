import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, list, openAdmin, region, select } from './admin.ts';

describe('administration of the organization', { skip: NO_BROWSER }, () => {
  it('name, permissions, limits and domains are changed, and a refused setting springs back', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'settings');
    await page.getByLabel('Name of the organization').fill('Harbour Ltd');
    await page.getByRole('button', { name: 'Save Name of the organization' }).click();
    await page.locator('.organization-name').getByText('Harbour Ltd').waitFor();
    const restriction = page.getByLabel('Accept only e-mail addresses of the domains below');
    await restriction.click();
    await region(page, 'Joining and signing in').getByRole('alert').waitFor();
    assert.equal(await restriction.isChecked(), false);
    await page.getByLabel('Domain', { exact: true }).fill('example.com');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('button', { name: 'Remove example.com' }).waitFor();
    await restriction.check();
    await select(page, 'Who can create public channels', 'Moderators and above');
    await select(page, 'How long messages can be edited', '1 hour');
    await assertGood(page, 'organization');
    await page.getByRole('button', { name: 'Remove example.com' }).click();
    const question = page.getByRole('dialog', { name: 'Remove example.com?' });
    await question.getByText('All e-mail domains are allowed again.').waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await list(page, 'Allowed e-mail domains').waitFor({ state: 'detached' });
    await page.waitForFunction(() => {
      const organization = document.querySelector('parlance-panel')?.store?.organization.get();
      return organization?.realm_message_content_edit_limit_seconds === 3600;
    });
    assert.equal(await restriction.isChecked(), false);
    assert.deepEqual(complaints, []);
  });

  it('an administrator sees what only owners can change, and a change of an owner appears', async (t) => {
    const site = await quietSite(t);
    await site.owner.users.edit({ user_id: site.people.ben, role: 200 });
    const { page, complaints } = await openAdmin(site, 'ben', 'settings');
    const invitations = page.getByLabel('Who can invite people by e-mail');
    assert.equal(await invitations.isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: 'Add domain' }).count(), 0);
    const names = page.getByLabel('Only administrators can change names');
    assert.equal(await names.isChecked(), false);
    await site.owner.organization.edit({ name_changes_disabled: true });
    await page.waitForFunction(
      () => document.querySelector('parlance-panel')?.store?.organization.get()?.realm_name_changes_disabled,
    );
    assert.equal(await names.isChecked(), true);
    assert.deepEqual(complaints, []);
  });
});
