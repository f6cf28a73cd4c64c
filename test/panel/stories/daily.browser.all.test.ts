/** Stories of a page that stays open all day: texts that must not be lost, and keys that must not surprise. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { heading } from '../app/app.ts';
import { axe, composer, type Look, rowsWith, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };

const sentRow = (page: Page, text: string | RegExp) => rowsWith(page, text).and(page.locator('[data-id]'));
const value = (page: Page) => composer(page).inputValue();

story(
  'a text being written and an edit go on after the topic was renamed and after another page',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    const id = await chat.say('hamlet', { channel: 'Verona', topic: 'soup' }, 'Soup at noon');
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
    const { page } = await chat.open('hamlet', { ...look, at });
    await composer(page).click();
    await page.keyboard.type('Half a ');
    await chat.as('iago').messages.edit({ message_id: id, topic: 'salad', propagate_mode: 'change_all' });
    await heading(page, 'salad').waitFor();
    await page.keyboard.type('sentence');
    assert.equal(await value(page), 'Half a sentence');

    const row = sentRow(page, 'Soup at noon');
    await row.hover();
    await row.getByRole('button', { name: 'Edit message' }).click();
    const field = page.locator(`article[data-id="${id}"] textarea`);
    await field.waitFor();
    await field.fill('Soup at one');
    const address = await page.evaluate(() => location.hash);
    await page.evaluate(() => {
      location.hash = '#inbox';
    });
    await field.waitFor({ state: 'detached' });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, address);
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Soup at one');
    await axe(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await sentRow(page, 'Soup at one').waitFor();
    assert.equal(await field.count(), 0);
  },
);

story(
  'Enter completes a name that the server has not returned yet, and sends what is no name',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    await chat.as('hamlet').settings.edit({ enter_sends: true });
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
    const { page } = await chat.open('hamlet', { ...look, at });
    await page.route(/users\/search/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await composer(page).click();
    await page.keyboard.type('ask @poloni');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
      document
        .querySelector('parlance-panel')
        ?.shadowRoot?.querySelector<HTMLTextAreaElement>('.main textarea')
        ?.value.includes('**Polonius'),
    );
    assert.match(await value(page), /^ask @\*\*Polonius\*\* $/);
    await page.keyboard.press('Enter');
    await sentRow(page, 'ask @Polonius').waitFor();
    for (const text of ['ok :-D', 'all in C#', 'see #', 'at @nobody-of-this-name']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await sentRow(page, text).waitFor();
      assert.equal(await value(page), '');
    }
  },
);
