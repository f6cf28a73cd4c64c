import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, openAdmin, select } from './admin.ts';

describe('administration of profile fields', { skip: NO_BROWSER }, () => {
  it('a list keeps the keys of its options when one is added, and asks before one is removed', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'profile-fields');
    await page.getByRole('button', { name: 'New field' }).click();
    await select(page, 'Kind of the field', 'List of options');
    await page.getByLabel('Name of the field').fill('Diet');
    await page.getByLabel('Options').fill('Vegan\nVegetarian');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Edit Diet' }).click();
    await page.getByLabel('Options').fill('Anything\nVegan\nVegetarian');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
    const optionsOf = async () => {
      const [field] = (await site.owner.profileFields.list()).custom_fields;
      return JSON.parse(field?.field_data ?? '');
    };
    const kept = { 0: { text: 'Vegan', order: '2' }, 1: { text: 'Vegetarian', order: '3' } };
    assert.deepEqual(await optionsOf(), { ...kept, 2: { text: 'Anything', order: '1' } });
    await page.getByLabel('Options').fill('Vegan');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Remove options? They disappear from all profiles.' });
    await question.getByRole('button', { name: 'Save' }).click();
    await question.waitFor({ state: 'detached' });
    assert.deepEqual(await optionsOf(), { 0: { text: 'Vegan', order: '1' } });
    await assertGood(page, 'profile fields');
    await site.owner.profileFields.create({ field_type: 1, name: 'Town' });
    await page.getByRole('button', { name: 'Move Town up' }).click();
    await page.getByRole('button', { name: 'Move Diet up' }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
