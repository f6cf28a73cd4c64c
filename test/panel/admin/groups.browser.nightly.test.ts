import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { list, openAdmin } from './admin.ts';

describe('administration of groups', { skip: NO_BROWSER }, () => {
  it('a moderator sees groups, and cannot change those of others', async (t) => {
    const site = await quietSite(t);
    const { group_id } = await site.owner.userGroups.create({ name: 'crew', description: '', members: [] });
    await site.owner.users.edit({ user_id: site.people.ben, role: 300 });
    const { page, complaints } = await openAdmin(site, 'ben', 'groups');
    await list(page, 'Groups').getByRole('link', { name: 'crew' }).click();
    await page.getByText('You may not manage this group.').waitFor();
    await untilEqual(() => page.getByLabel('Name', { exact: true }).isDisabled(), true);
    await untilEqual(() => page.getByLabel('Add a person').count(), 0);
    await site.owner.userGroups.edit({
      user_group_id: group_id,
      can_add_members_group: { new: { direct_members: [site.people.ben], direct_subgroups: [] } },
    });
    await page.getByLabel('Add a person').waitFor();
    await untilEqual(
      () => page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'People' }).count(),
      0,
    );
    assert.deepEqual(complaints, []);
  });
});
