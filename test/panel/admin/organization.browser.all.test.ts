import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, openAdmin, PICTURE, region, select } from './admin.ts';

describe('administration of the organization', { skip: NO_BROWSER }, () => {
  it('name, permissions and limits are changed', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'settings');
    await page.getByLabel('Name of the organization').fill('Harbour Ltd');
    await page.getByRole('button', { name: 'Save Name of the organization' }).click();
    await page.locator('.organization-name').getByText('Harbour Ltd').waitFor();
    await select(page, 'Who can create public channels', 'Moderators and above');
    await select(page, 'How long messages can be edited', '1 hour');
    await assertGood(page, 'organization');
    await page.waitForFunction(() => {
      const organization = document.querySelector('parlance-panel')?.store?.organization.get();
      return organization?.realm_message_content_edit_limit_seconds === 3600;
    });
    assert.deepEqual(complaints, []);
  });

  it('a logo replaces the name in the sidebar, a refused file is explained, and a removal is asked about', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'settings');
    const logo = region(page, 'Logo');
    await logo.getByText('There is none.').waitFor();
    await logo.getByLabel('Upload a logo').setInputFiles({ ...PICTURE, buffer: Buffer.from('To be') });
    await logo.getByRole('alert').getByText('not a PNG').waitFor();
    await logo.getByLabel('Upload a logo').setInputFiles(PICTURE);
    await logo.getByRole('img', { name: 'Logo' }).waitFor();
    const shown = page.locator('.organization-logo img');
    await shown.waitFor();
    const isLoaded = await shown.evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return image.naturalWidth;
    });
    assert.equal(isLoaded, 1);
    await untilEqual(() => page.locator('.organization-name').count(), 0);
    await region(page, 'Icon').getByLabel('Upload an icon').setInputFiles(PICTURE);
    await region(page, 'Icon').getByRole('img', { name: 'Icon' }).waitFor();
    await assertGood(page, 'pictures');
    await page.getByRole('button', { name: 'Remove Logo', exact: true }).click();
    await page.getByRole('dialog', { name: 'Remove the logo?' }).getByRole('button', { name: 'Remove' }).click();
    await logo.getByText('There is none.').waitFor();
    await page.locator('.organization-name').waitFor();
    assert.deepEqual(complaints, []);
  });
});
