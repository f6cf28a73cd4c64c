import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, list, openAdmin, region, select } from './admin.ts';

describe('administration of groups', { skip: NO_BROWSER }, () => {
  it('a group is created, gets members, a subgroup and a permission, and is deactivated', async (t) => {
    const site = await quietSite(t);
    const { group_id } = await site.owner.userGroups.create({ name: 'ops', description: '', members: [] });
    const { page, complaints } = await openAdmin(site, 'ada', 'groups');
    await list(page, 'Groups').getByText('ops').waitFor();
    await assertGood(page, 'groups');
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByLabel('Name', { exact: true }).fill('OPS');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('crew');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'crew' }).waitFor();
    await page.getByLabel('Add a person').fill('ben');
    await page.getByRole('button', { name: 'Add Ben' }).click();
    await page.getByRole('button', { name: 'Remove Ben' }).waitFor();
    await select(page, 'Add a group', 'ops');
    await page.getByRole('button', { name: 'Remove ops' }).waitFor();
    await select(page, 'Who can leave', 'Nobody');
    await assertGood(page, 'one group');
    const { user_groups } = await site.owner.userGroups.list();
    const crew = user_groups.find(({ name }) => name === 'crew');
    assert.deepEqual([crew?.members, crew?.direct_subgroup_ids], [[site.people.ben], [group_id]]);
    await region(page, 'Deactivate group').getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Reactivate group' }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
