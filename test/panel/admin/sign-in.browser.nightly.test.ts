import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { openAdmin } from './admin.ts';

describe('administration of signing in', { skip: NO_BROWSER }, () => {
  it('an administrator sees what only owners can change', async (t) => {
    const site = await quietSite(t);
    await site.owner.users.edit({ user_id: site.people.ben, role: 200 });
    const { page, complaints } = await openAdmin(site, 'ben', 'sign-in');
    await untilEqual(() => page.getByLabel('Who can invite people by e-mail').isDisabled(), true);
    await untilEqual(() => page.getByLabel('Days until a new member becomes a full member').isDisabled(), true);
    await untilEqual(() => page.getByRole('button', { name: 'Add domain' }).count(), 0);
    await untilEqual(() => page.getByLabel('Who needs a second factor').isDisabled(), false);
    assert.deepEqual(complaints, []);
  });

  it('a moderator opens groups in place of it, and a guest no page of administration', async (t) => {
    const site = await quietSite(t);
    for (const [role, path] of [
      [300, 'sign-in'],
      [300, 'new-accounts'],
      [600, 'sign-in'],
      [600, 'new-accounts'],
    ] as const) {
      await site.owner.users.edit({ user_id: site.people.ben, role });
      const { page } = await openAdmin(site, 'ben', path);
      if (role === 300) await page.getByRole('button', { name: 'New group' }).waitFor();
      else await page.getByText('Only administrators and moderators can open this page.').waitFor();
      await untilEqual(
        () => page.getByRole('link', { name: /^(Sign-in|New accounts)$/ }).count(),
        0,
        `${role} ${path}`,
      );
      await untilEqual(() => page.getByRole('combobox', { name: 'Theme' }).count(), 0);
      await page.close();
    }
  });
});
