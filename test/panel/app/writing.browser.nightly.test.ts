import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual, untilMatch } from '../../support/until.ts';
import { LUNCH } from '../conversation/conversation.ts';
import { axeFindings } from '../page.ts';
import { focused, openApp, quietSite, say } from './app.ts';

const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const rows = (page: Page) => page.locator('article[data-id]');
const value = (page: Page) => composer(page).inputValue();

describe('writing in the app', { skip: NO_BROWSER }, () => {
  it('the arrow up edits the last own message only in an empty field', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ben', 'lunch', 'First');
    await say(site, 'ben', 'lunch', 'Second');
    await say(site, 'ada', 'lunch', 'Of Ada');
    const { page, complaints } = await openApp(site, 'ben', {
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    await rows(page).filter({ hasText: 'Of Ada' }).waitFor();
    await composer(page).fill('text');
    await button(page, 'Preview').waitFor();
    await page.keyboard.press('ArrowUp');
    await untilEqual(() => page.locator('article textarea').count(), 0);
    await composer(page).fill('');
    await page.keyboard.press('ArrowUp');
    const field = rows(page)
      .filter({ has: page.locator('textarea') })
      .getByRole('textbox');
    await field.waitFor();
    await page.waitForFunction(() => {
      const root = document.querySelector('parlance-panel')?.shadowRoot;
      return root?.activeElement?.matches('article textarea');
    });
    await untilEqual(() => field.inputValue(), 'Second');
    await page.keyboard.press('End');
    await page.keyboard.type(' helping');
    await page.keyboard.press('Control+Enter');
    await rows(page).filter({ hasText: 'Second helping' }).waitFor();
    // The next message can follow at once.
    await composer(page).and(page.locator(':focus')).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('what is typed without a field goes to the composer; shortcuts and menus keep their keys', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    const { page, complaints } = await openApp(site, 'ben', {
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    await button(page, 'Preview').waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.type('Hello');
    await untilEqual(() => value(page), 'Hello');
    await rows(page).first().focus();
    await page.keyboard.type('!');
    await untilEqual(() => value(page), 'Hello!');
    // A shortcut of the row.
    await rows(page).first().focus();
    await page.keyboard.press('+');
    await page.getByRole('searchbox', { name: 'Search emoji' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // A menu, and a dialog.
    await rows(page).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.type('x');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+/');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.type('x');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await untilEqual(() => value(page), 'Hello!');
    assert.deepEqual(complaints, []);
  });

  it('an embedded panel leaves keys outside of its fields to the page', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    const { page, complaints } = await site.open('ben', LUNCH);
    await button(page, 'Preview').waitFor();
    await page.keyboard.type('hello');
    await untilEqual(() => value(page), '');
    await rows(page).first().focus();
    await page.keyboard.type('hello');
    await untilEqual(() => value(page), '');
    assert.deepEqual(complaints, []);
  });

  it('/poll and /todo are completed at the start of a message', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ben', {
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    await composer(page).click();
    await page.keyboard.type('/');
    await page.getByRole('option', { name: '/todo Start a to-do list' }).waitFor();
    await page.keyboard.type('p');
    await page.getByRole('option', { name: '/todo' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await untilEqual(() => value(page), '/poll ');
    await page.keyboard.type('Soup?');
    await page.keyboard.press('Control+Enter');
    await page.locator('.widget').waitFor();
    await page.keyboard.type('and /po');
    await untilEqual(() => page.getByRole('option').count(), 0);
    assert.deepEqual(complaints, []);
  });

  it('emoji come by group with the recent ones first, and hands have the chosen skin tone', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ben', {
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    const open = () => button(page, 'Insert emoji').click();
    await open();
    const groups = page.getByRole('listbox', { name: 'Emoji' }).getByRole('group');
    await groups.first().waitFor();
    await untilEqual(() => groups.first().getAttribute('aria-label'), 'Smileys');
    await button(page, 'Flags').click();
    await page.getByRole('option', { name: 'checkered flag' }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole('searchbox', { name: 'Search emoji' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await untilMatch(() => focused(page), /^BUTTON 😉|^BUTTON /);
    await page.keyboard.press('Enter');
    await untilMatch(() => value(page), /^:\w+: $/);
    await open();
    await untilEqual(() => groups.first().getAttribute('aria-label'), 'Recently used');
    await page.getByRole('radio', { name: 'Medium', exact: true }).check({ force: true });
    await page.getByRole('searchbox', { name: 'Search emoji' }).fill('wave');
    await page.getByRole('option', { name: 'wave' }).first().click();
    await untilMatch(() => value(page), / 👋🏽 $/);
    // Reactions have no tone: the server knows none.
    await composer(page).fill('👋🏽');
    await page.keyboard.press('Control+Enter');
    const row = rows(page).filter({ hasText: '👋🏽' });
    await row.locator('.only-emoji').waitFor();
    await row.hover();
    await row.getByRole('button', { name: 'Add reaction' }).click();
    await page.getByRole('searchbox', { name: 'Search emoji' }).fill('wave');
    await page.getByRole('option', { name: 'wave' }).first().click();
    await row.getByRole('button', { name: /reacted with :wave:/ }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('a message of emoji alone is larger', async (t) => {
    const site = await quietSite(t);
    const texts = [':tada:', ':tada: :soup:', 'Hi :tada:', '* :tada:', ':tada:\n\n:tada:'];
    for (const text of texts) await say(site, 'ada', 'lunch', text);
    const { page } = await openApp(site, 'ben', { fragment: `#narrow/channel/${site.channelId}/topic/lunch` });
    await rows(page).nth(4).waitFor();
    const isLarge = () =>
      page
        .locator('article .rendered_markdown')
        .evaluateAll((all) => all.map((content) => content.classList.contains('only-emoji')));
    await untilEqual(isLarge, [true, true, false, false, false]);
  });

  it('a dot at the picture of a sender shows that they are there', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'From Ada');
    await say(site, 'cleo', 'lunch', 'From Cleo');
    await site.as('ada').presence.report({ status: 'active' });
    const { page } = await openApp(site, 'ben', { fragment: `#narrow/channel/${site.channelId}/topic/lunch` });
    await rows(page).filter({ hasText: 'From Ada' }).locator('.presence-active').waitFor();
    await untilEqual(() => rows(page).filter({ hasText: 'From Cleo' }).locator('.presence').count(), 0);
    await site.as('cleo').presence.report({ status: 'active' });
    await rows(page).filter({ hasText: 'From Cleo' }).locator('.presence-active').waitFor();
    assert.deepEqual(await axeFindings(page), []);
  });
});
