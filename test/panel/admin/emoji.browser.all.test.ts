import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, list, openAdmin, PICTURE } from './admin.ts';

describe('administration of custom emoji', { skip: NO_BROWSER }, () => {
  it('an emoji is added and removed, and a taken name is explained beside its field', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'emoji');
    await page.getByText('There is no custom emoji.').waitFor();
    const add = async () => {
      await page.getByLabel('Name of the emoji').fill('Gruel');
      await page.getByLabel('Picture of the emoji').setInputFiles(PICTURE);
      await page.getByRole('button', { name: 'Add emoji' }).click();
    };
    await add();
    await list(page, 'Custom emoji').getByText(':gruel:').waitFor();
    await add();
    await page.getByRole('alert').getByText('gruel').waitFor();
    await assertGood(page, 'emoji');
    await page.getByRole('button', { name: 'Remove gruel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('There is no custom emoji.').waitFor();
    assert.deepEqual(complaints, []);
  });
});
