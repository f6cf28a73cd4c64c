import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, list, openAdmin, region, select } from './admin.ts';

describe('administration of signing in', { skip: NO_BROWSER }, () => {
  it('domains and the second factor are changed, and a refused setting springs back', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'sign-in');
    const ways = region(page, 'Ways to sign in').getByRole('listitem');
    await ways.first().waitFor();
    await untilEqual(
      () => ways.allInnerTexts(),
      [
        'People sign in with their e-mail address and a password.',
        'No directory is connected (option --ldap).',
        'There is no identity provider (option --oidc).',
      ],
    );
    await untilEqual(() => region(page, 'Ways to sign in').getByRole('checkbox').count(), 0);
    const restriction = page.getByLabel('Accept only e-mail addresses of the domains below');
    await restriction.click();
    await region(page, 'Allowed e-mail domains').getByRole('alert').waitFor();
    await untilEqual(() => restriction.isChecked(), false);
    await page.getByLabel('Domain', { exact: true }).fill('example.com');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('button', { name: 'Remove example.com' }).waitFor();
    await restriction.check();
    await select(page, 'Who needs a second factor', 'Administrators and owners');
    await page.waitForFunction(
      () =>
        document.querySelector('parlance-panel')?.store?.organization.get()?.realm_second_factor_required_for ===
        'administrators',
    );
    await assertGood(page, 'sign-in');
    await page.getByRole('button', { name: 'Remove example.com' }).click();
    const question = page.getByRole('dialog', { name: 'Remove example.com?' });
    await question.getByText('All e-mail domains are allowed again.').waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await list(page, 'Allowed e-mail domains').waitFor({ state: 'detached' });
    await untilEqual(() => restriction.isChecked(), false);
    assert.deepEqual(complaints, []);
  });
});
