import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual, untilMatch } from '../../support/until.ts';
import { fragmentOf, heading, openApp, quietSite, say } from './app.ts';

describe('search in the app', { skip: NO_BROWSER }, () => {
  it('a result opens in place, and its link opens the same message for another user', async (t) => {
    const site = await quietSite(t);
    const id = await say(site, 'ada', 'lunch', 'The soup has saffron.');
    for (let index = 0; index < 60; index++) await say(site, 'cleo', 'lunch', `Message ${index}`);
    for (const login of ['ben', 'cleo'] as const) await site.as(login).messages.markAllRead();
    const ben = await openApp(site, 'ben');
    const { page } = ben;
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search' }).fill('from:ada in:general saffron');
    await page.keyboard.press('Enter');
    await heading(page, 'Search: from:Ada in:general saffron').waitFor();
    const found = page.locator('article', { hasText: 'The soup has saffron.' });
    await found.waitFor();
    await untilEqual(() => found.locator('.highlight').allTextContents(), ['saffron']);
    await page.getByRole('button', { name: '#general › lunch' }).click();
    await heading(page, 'lunch').waitFor();
    await page.locator('article', { hasText: 'The soup has saffron.' }).waitFor();
    await untilEqual(() => found.locator('.highlight').count(), 0);
    await untilMatch(() => fragmentOf(ben), new RegExp(`/topic/lunch/near/${id}$`));
    const address = fragmentOf(ben);

    const cleo = await openApp(site, 'cleo', { fragment: address });
    await heading(cleo.page, 'lunch').waitFor();
    await cleo.page.getByText('The soup has saffron.').waitFor();
    assert.deepEqual([ben.complaints, cleo.complaints], [[], []]);
  });

  it('a filter that matches no channel is refused in place, and a search without results says so', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ben');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const field = page.getByRole('searchbox', { name: 'Search' });
    await field.fill('in:nowhere soup');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('No channel matches “nowhere”.').waitFor();
    await field.fill('before:noon soup');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The filter “before:noon” does not exist.').waitFor();
    await field.fill('zanzibar');
    await page.keyboard.press('Enter');
    await heading(page, 'Search: zanzibar').waitFor();
    await page.getByText('No messages here.').waitFor();
    assert.deepEqual(complaints, []);
  });
});
