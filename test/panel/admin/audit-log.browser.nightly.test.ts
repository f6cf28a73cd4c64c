import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, openAdmin, region } from './admin.ts';

describe('the audit log and usage in administration', { skip: NO_BROWSER }, () => {
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
