import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { quietSite } from '../app/app.ts';
import { openAdmin, region } from './admin.ts';

describe('administration of channels', { skip: NO_BROWSER }, () => {
  it('a change of another administrator appears, and a refused one is explained beside its field', async (t) => {
    const site = await quietSite(t);
    await site.owner.channels.create({ name: 'random', subscribers: [] });
    const { page, complaints } = await openAdmin(site, 'ada', `channels/${site.channelId}`);
    const name = region(page, 'General').getByLabel('Name');
    await name.fill('random');
    await page.getByRole('button', { name: 'Save Name' }).click();
    await region(page, 'General').getByRole('alert').getByText('random').waitFor();
    await site.owner.channels.edit({ stream_id: site.channelId, new_name: 'town square' });
    await page.getByRole('heading', { name: '#town square' }).waitFor();
    await page.getByRole('button', { name: 'Unsubscribe Cleo Montgomery' }).click();
    await page
      .getByRole('dialog', { name: 'Unsubscribe Cleo Montgomery from #town square?' })
      .getByRole('button', { name: 'Unsubscribe' })
      .click();
    await page.getByRole('button', { name: 'Unsubscribe Cleo Montgomery' }).waitFor({ state: 'detached' });
    await page.getByLabel('Subscribe a person').fill('cleo');
    await page.getByRole('button', { name: 'Add Cleo Montgomery' }).click();
    const addition = page.getByRole('dialog', { name: 'Subscribe a person' });
    await addition.getByText('Cleo Montgomery: subscribed to #town square.').waitFor();
    await addition.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Unsubscribe Cleo Montgomery' }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
