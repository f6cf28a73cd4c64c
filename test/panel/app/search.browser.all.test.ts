import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { axeFindings } from '../page.ts';
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

  it('a line between the messages of one channel has only the topic', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    const { page } = await openApp(site, 'ben', { fragment: `#narrow/channel/${site.channelId}` });
    const line = page.locator('.place-line');
    await line.waitFor();
    await untilEqual(() => line.textContent(), 'lunch');
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

  it('filters are suggested while the user types, and a minus excludes', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup of Ada');
    await say(site, 'cleo', 'lunch', 'Soup of Cleo');
    const { page, complaints } = await openApp(site, 'ben');
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox', { name: 'Search' });
    const option = (name: RegExp) => page.getByRole('listbox').getByRole('option', { name }).first();
    await field.pressSequentially('has:');
    await until('the option below the dialog is visible', () =>
      option(/^reaction/).evaluate((element) => {
        const { left, bottom } = element.getBoundingClientRect();
        return (element.getRootNode() as ShadowRoot).elementFromPoint(left + 4, bottom - 4) === element;
      }),
    );
    await field.fill('');
    await field.pressSequentially('soup -fr');
    await option(/^-from:/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('ad');
    await option(/^Ada/).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await untilEqual(() => field.inputValue(), 'soup -from:Ada ');
    await page.keyboard.type('in:gen');
    await option(/^general/).click();
    await untilEqual(() => field.inputValue(), 'soup -from:Ada in:general ');
    await page.keyboard.press('Enter');
    await heading(page, 'Search: -from:Ada in:general soup').waitFor();
    await page.locator('article', { hasText: 'Soup of Cleo' }).waitFor();
    await untilEqual(() => page.locator('article', { hasText: 'Soup of Ada' }).count(), 0);
    assert.deepEqual(complaints, []);
  });
});
