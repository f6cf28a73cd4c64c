import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilMatch } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, openAdmin, region, select } from './admin.ts';

describe('administration of bots', { skip: NO_BROWSER }, () => {
  it('a webhook bot is created, its URL posts a message, and a new key ends the URL', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'bots');
    await page.getByRole('button', { name: 'New bot' }).click();
    await select(page, 'Kind', 'Incoming webhook: other programs post as the bot');
    await page.getByLabel('Name', { exact: true }).fill('Alerts');
    await page.getByLabel('Short name').fill('alerts');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Alerts' }).waitFor();
    await select(page, 'Post in', '#general');
    await page.getByLabel('Topic', { exact: true }).fill('disks');
    await page.getByRole('button', { name: 'Show the URL' }).click();
    const shown = page.getByRole('textbox', { name: 'Webhook URL' });
    await untilMatch(() => shown.inputValue(), /^http/);
    const url = await shown.inputValue();
    await assertGood(page, 'one bot');
    const post = () =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"full"}' });
    assert.equal((await post()).status, 200);
    await page.getByRole('button', { name: 'Replace the key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the key' }).click();
    await page.getByRole('button', { name: 'Show the URL' }).waitFor();
    assert.equal((await post()).status, 401);
    await region(page, 'Account').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
