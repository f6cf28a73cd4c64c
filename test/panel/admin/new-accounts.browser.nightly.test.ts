import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { quietSite } from '../app/app.ts';
import { openAdmin, region } from './admin.ts';

describe('administration of the settings of new accounts', { skip: NO_BROWSER }, () => {
  it('a change of another administrator appears', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'new-accounts');
    const sound = region(page, 'Notifications').getByLabel('Sound', { exact: true });
    await sound.waitFor();
    await site.owner.userSettingsDefaults.edit({ notification_sound: 'none' });
    await page.waitForFunction((select) => (select as HTMLSelectElement).value === 'none', await sound.elementHandle());
    assert.deepEqual(complaints, []);
  });
});
