import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { openAdmin } from './admin.ts';

describe('administration of the organization', { skip: NO_BROWSER }, () => {
  it('a change of another owner appears', async (t) => {
    const site = await quietSite(t);
    await site.owner.users.edit({ user_id: site.people.ben, role: 200 });
    const { page, complaints } = await openAdmin(site, 'ben', 'settings');
    const names = page.getByLabel('Only administrators can change names');
    await untilEqual(() => names.isChecked(), false);
    await site.owner.organization.edit({ name_changes_disabled: true });
    await page.waitForFunction(
      () => document.querySelector('parlance-panel')?.store?.organization.get()?.realm_name_changes_disabled,
    );
    await untilEqual(() => names.isChecked(), true);
    assert.deepEqual(complaints, []);
  });
});
