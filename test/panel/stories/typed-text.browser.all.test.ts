import assert from 'node:assert/strict';
import { until, untilEqual } from '../../support/until.ts';
import { banner, composer, type InProcess, rowsWith, send, stage, story } from './stage.ts';

/** Hours. */
const YEAR = 8760;

const addressOf = async (chat: InProcess) => `#narrow/channel/${await chat.channel('Verona')}/topic/harbour`;

const draftOnServer = async (chat: InProcess) => (await chat.as('hamlet').drafts.list()).drafts[0]?.content;

story(
  'no typed text is lost, also with a wrong clock',
  [
    { size: 'desktop', ahead: -YEAR },
    { size: 'phone', scheme: 'dark', direction: 'rtl' },
    { size: 'desktop', ahead: YEAR },
  ],
  async (t, look) => {
    const chat = await stage(t);
    const at = await addressOf(chat);
    const { page, context } = await chat.open('hamlet', { ...look, at });
    const field = composer(page);

    // The user continues to type while the first words are being saved.
    let isHeld = false;
    let release: (() => void) | undefined;
    const typed = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v1/drafts', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      isHeld = true;
      await typed;
      await route.continue();
    });
    await field.fill('one');
    await until('the text is on its way', () => isHeld);
    await field.press('End');
    await field.pressSequentially(' two');
    release?.();
    await until('the server has the text', async () => (await draftOnServer(chat)) === 'one two');
    await untilEqual(() => field.inputValue(), 'one two');

    // A reload comes before the server has the last words.
    await field.press('End');
    await field.pressSequentially(' three');
    await page.reload();
    await until('the text is there again', async () => (await field.inputValue()) === 'one two three');
    await until('the server has it all', async () => (await draftOnServer(chat)) === 'one two three');
    await untilEqual(() => field.inputValue(), 'one two three');

    // Another client changes it later.
    const [draft] = (await chat.as('hamlet').drafts.list()).drafts;
    assert.ok(draft?.id);
    const to = { type: 'stream' as const, to: [await chat.channel('Verona')], topic: 'harbour' };
    await chat.as('hamlet').drafts.edit({ draft_id: draft.id, draft: { ...to, content: 'four' } });
    await until('the change is shown', async () => (await field.inputValue()) === 'four');

    // Times are those of the server, and a lost connection returns.
    await send(page, 'four');
    const row = rowsWith(page, 'four').and(page.locator('[data-id]'));
    await row.waitFor();
    const time = await row.locator('time').first().getAttribute('datetime');
    assert.ok(Math.abs(Date.parse(time ?? '') - Date.now()) < (YEAR * 3_600_000) / 2, `sent at ${time}`);
    await row.hover();
    await chat.cut(context);
    await banner(page).getByText('No connection.').waitFor();
    await send(page, 'five');
    await rowsWith(page, 'five').getByText('may not have arrived').waitFor();
    await context.setOffline(false);
    await rowsWith(page, 'five').and(page.locator('[data-id]')).waitFor();
    await untilEqual(() => rowsWith(page, 'five').count(), 1);
  },
);
