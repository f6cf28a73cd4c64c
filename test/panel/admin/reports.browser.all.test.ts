import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { heading, quietSite, say } from '../app/app.ts';
import { assertGood, list, openAdmin, select } from './admin.ts';

describe('the queue of reports', { skip: NO_BROWSER }, () => {
  it('a moderator reads a report, opens its message and resolves it', async (t) => {
    const site = await quietSite(t);
    await site.owner.users.edit({ user_id: site.people.ben, role: 300 });
    const message_id = await say(site, 'ada', 'lunch', 'Buy *cheap* watches');
    await site.as('cleo').messages.report({ message_id, report_type: 'spam', description: 'Again!' });
    const { page, complaints } = await openAdmin(site, 'ben', 'reports');
    const reports = list(page, 'Reports');
    await reports.getByText('Cleo Montgomery reported it: Spam. Again!').waitFor();
    await reports.getByText('Buy *cheap* watches').waitFor();
    await assertGood(page, 'reports');
    await reports.getByRole('link', { name: 'Go to the message' }).click();
    await page.getByText('Buy cheap watches').waitFor();
    await page.goBack();
    await reports.getByLabel('Decision').fill('Deleted it.');
    await reports.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('There are no reports.').waitFor();
    await select(page, 'Status', 'Resolved');
    await reports.getByText('Deleted it.').waitFor();
    await heading(page, 'Reports').waitFor();
    assert.deepEqual(complaints, []);
  });
});
