import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { NO_BROWSER } from '../../client/pages.ts';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { untilComplete } from '../conversation/conversation.ts';
import { axeFindings } from '../page.ts';
import { focused, goTo, openApp, PHONE, quietSite, say } from './app.ts';

const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const value = (page: Page) => composer(page).inputValue();

describe('writing in the app', { skip: NO_BROWSER }, () => {
  it('buttons format the selection, arrows lead from one to the next, and the field keeps the focus', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ben', {
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    await untilEqual(() => composer(page).getAttribute('placeholder'), 'Message #general › lunch');
    await composer(page).fill('soup');
    for (const [name, text] of [
      ['Bold (Ctrl+B)', '**soup**'],
      ['Bold (Ctrl+B)', 'soup'],
      ['Italic (Ctrl+I)', '*soup*'],
      ['Italic (Ctrl+I)', 'soup'],
      ['Code', '`soup`'],
      ['Code', 'soup'],
      ['Quote', '> soup'],
      ['Quote', 'soup'],
      ['List', '- soup'],
      ['List', 'soup'],
      ['Link (Ctrl+Shift+K)', '[soup](url)'],
    ] as const) {
      await page.keyboard.press('Control+a');
      await button(page, name).click();
      await untilEqual(() => value(page), text, name);
      await untilMatch(() => focused(page), /^TEXTAREA/);
    }
    await composer(page).fill('');
    await page.keyboard.press('Control+Shift+K');
    await untilEqual(() => value(page), '[](url)');
    await button(page, 'Bold (Ctrl+B)').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await untilEqual(() => value(page), '[``](url)');
    assert.deepEqual(complaints, []);
  });

  it('the preview is what the server renders, and follows the text', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ben', {
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    await composer(page).fill('**Soup** @**Ada**');
    await button(page, 'Preview').click();
    const preview = page.getByRole('region', { name: 'Preview of the message' });
    await preview.locator('strong', { hasText: 'Soup' }).waitFor();
    await preview.locator('.user-mention', { hasText: '@Ada' }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await composer(page).fill('~~Soup~~');
    await preview.locator('del').waitFor();
    await button(page, 'Preview').click();
    await preview.waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
  });

  it('a phone has all tools behind one button, and nothing is wider than the window', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ben', {
      ...PHONE,
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    await button(page, 'Show formatting').tap();
    await button(page, 'Quote').tap();
    await untilEqual(() => value(page), '> ');
    assert.deepEqual(await axeFindings(page), []);
    for (const name of ['Preview', 'Snippets', 'Schedule message', 'Send']) {
      await until(`the button ${name} is within the window`, async () => {
        const { x = 0, width = 999 } = (await button(page, name).boundingBox()) ?? {};
        return x >= 0 && x + width <= 390;
      });
    }
    assert.deepEqual(complaints, []);
  });

  it('images open in a viewer with the others of the list, by keyboard, and the focus comes back', async (t) => {
    const site = await quietSite(t);
    const ada = site.as('ada');
    const png = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#0b6b61' } })
      .png()
      .toBuffer();
    for (const name of ['one.png', 'two.png', 'three.png']) {
      const { url } = await ada.uploads.send({ file: { name, type: 'image/png', content: png } });
      await say(site, 'ada', 'lunch', `[${name}](${url})`);
    }
    const { page, complaints } = await openApp(site, 'ben', {
      fragment: `#narrow/channel/${site.channelId}/topic/lunch`,
    });
    const links = page.locator('.message_inline_image a');
    await links.nth(2).waitFor();
    await until(
      'all thumbnails',
      async () => (await page.locator('.message_inline_image img[data-source]').count()) === 3,
    );
    // Until then, the browser opens the image in a new tab.
    await untilComplete(page);
    await links.nth(1).focus();
    await page.keyboard.press('Enter');
    const viewer = page.locator('dialog.image-viewer');
    await viewer.getByRole('img', { name: 'two.png' }).waitFor();
    await viewer.getByText('2 of 3').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await page.keyboard.press('ArrowRight');
    await viewer.getByRole('img', { name: 'three.png' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Home');
    await viewer.getByRole('img', { name: 'one.png' }).waitFor();
    const width = () => viewer.getByRole('img', { name: 'one.png' }).evaluate((image) => image.clientWidth);
    const before = await until('the image has a width', width);
    await page.keyboard.press('+');
    await untilEqual(width, before * 1.5);
    await page.keyboard.press('0');
    await untilEqual(width, before);
    await viewer.getByRole('button', { name: 'Next image' }).click();
    await viewer.getByText('2 of 3').waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    assert.equal(page.context().pages().length, 1);
    await links.nth(1).and(page.locator(':focus')).waitFor();
    await goTo(page, '#inbox');
    assert.deepEqual(complaints, []);
  });
});
