import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { quietSite } from '../app/app.ts';
import { openAdmin } from './admin.ts';

describe('administration of custom emoji', { skip: NO_BROWSER }, () => {
  it('a moderator without the permission to add emoji sees no form', async (t) => {
    const site = await quietSite(t);
    const { user_groups } = await site.owner.userGroups.list();
    const administrators = user_groups.find(({ name }) => name === 'role:administrators')?.id as number;
    await site.owner.users.edit({ user_id: site.people.ben, role: 300 });
    const { page, complaints } = await openAdmin(site, 'ben', 'emoji');
    await page.getByLabel('Name of the emoji').waitFor();
    await site.owner.organization.edit({ can_add_custom_emoji_group: { new: administrators } });
    await page.getByLabel('Name of the emoji').waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
  });
});
