import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, list, openAdmin } from './admin.ts';

describe('the audit log and usage in administration', { skip: NO_BROWSER }, () => {
  it('an owner reads who changed whom, filters by action and person, and pages', async (t) => {
    const site = await quietSite(t);
    await site.owner.users.edit({ user_id: site.people.ben, role: 200 });
    await site.as('ben').users.edit({ user_id: site.people.cleo, role: 300 });
    const { page, complaints } = await openAdmin(site, 'ada', 'audit-log');
    const entries = list(page, 'Audit log');
    await entries.getByText('user_id: Cleo Montgomery, role: 300').waitFor();
    await assertGood(page, 'audit log');
    await page.getByLabel('Action').fill('users.edit');
    await page.getByRole('button', { name: 'Show the actions of one person' }).click();
    await page.getByLabel('Find a person').fill('ben');
    await page.getByRole('button', { name: 'Add Ben' }).click();
    await page.getByText('Only actions of Ben').waitFor();
    await entries.getByText('user_id: Ben, role: 200').waitFor({ state: 'detached' });
    await untilEqual(() => entries.getByRole('listitem').count(), 1);
    assert.deepEqual(complaints, []);
  });
});
