import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { until, untilEqual } from '../../support/until.ts';
import { axeFindings } from '../page.ts';
import { heading, openApp, quietSite, say } from './app.ts';

describe('search in the app', { skip: NO_BROWSER }, () => {
  it('a line between the messages of one channel has only the topic', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    const { page } = await openApp(site, 'ben', { fragment: `#narrow/channel/${site.channelId}` });
    const line = page.locator('.place-line');
    await line.waitFor();
    await untilEqual(() => line.textContent(), 'lunch');
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
