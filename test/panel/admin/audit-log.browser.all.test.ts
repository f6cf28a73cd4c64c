import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, list, openAdmin, region } from './admin.ts';

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

  it('an administrator sees no audit log, and numbers of people and channels', async (t) => {
    const site = await quietSite(t);
    await site.owner.users.edit({ user_id: site.people.ben, role: 200 });
    await site.owner.channels.create({ name: 'secret', subscribers: [site.people.ada], invite_only: true });
    await site.as('ben').presence.report({ status: 'active' });
    const { page, complaints } = await openAdmin(site, 'ben', 'usage');
    const facts = region(page, 'People').locator('dl');
    await facts.getByText('Active in the last: 24 hours').waitFor();
    await untilEqual(
      () => facts.locator('dd').allTextContents(),
      ['3', '1', '1', '1', '1', '1', '0', '1', '0', '0', '0'],
    );
    await assertGood(page, 'usage');
    const sections = page.getByRole('navigation', { name: 'Sections' });
    await untilEqual(() => sections.getByRole('link', { name: 'Audit log' }).count(), 0);
    assert.deepEqual(complaints, []);
  });
});
