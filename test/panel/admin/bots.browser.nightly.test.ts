import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, list, openAdmin } from './admin.ts';

describe('administration of bots', { skip: NO_BROWSER }, () => {
  it('a bot of another owner is listed as soon as it exists', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'bots');
    await page.getByText('There is no bot.').waitFor();
    await site.as('ben').bots.create({ full_name: 'Build', short_name: 'build' });
    await list(page, 'Bots').getByText('owned by Ben').waitFor();
    await assertGood(page, 'bots');
    assert.deepEqual(complaints, []);
  });
});
