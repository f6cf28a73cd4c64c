import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until, untilEqual } from '../../support/until.ts';
import { axe, banner, composer, rareStory, rowsWith, send, stage, stageInChild, story } from './stage.ts';

/** Collects the texts of the banner. Some are visible only for a moment. */
async function bannersOf(page: Page): Promise<() => Promise<string[]>> {
  const texts = await page.evaluateHandle(() => {
    const seen: string[] = [];
    const root = document.querySelector('parlance-panel')?.shadowRoot;
    const look = () => {
      const text = root?.querySelector('.banner p')?.textContent?.trim();
      if (text && text !== seen.at(-1)) seen.push(text);
    };
    if (root) new MutationObserver(look).observe(root, { childList: true, subtree: true, characterData: true });
    return seen;
  });
  return () => texts.jsonValue();
}

story(
  'the server is killed and starts again: the page says so, and nothing is lost',
  [
    { size: 'desktop', scheme: 'dark' },
    { size: 'phone', direction: 'rtl' },
  ],
  async (t, look) => {
    const chat = await stageInChild(t);
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/harbour`;
    const place = { channel: 'Verona', topic: 'harbour' };
    const { page } = await chat.open('hamlet', { ...look, at });
    await chat.say('iago', place, 'Before the storm');
    await rowsWith(page, 'Before the storm').waitFor();
    // The banner loads with it.
    await composer(page).waitFor();

    const banners = await bannersOf(page);
    await chat.kill();
    await banner(page).getByText('No connection.').waitFor();
    await axe(page);
    await send(page, 'Written in the storm');
    await rowsWith(page, 'Written in the storm').waitFor();

    await chat.restart();
    await chat.say('iago', place, 'After the storm');
    await rowsWith(page, 'After the storm').waitFor();
    await banner(page).getByText('No connection.').waitFor({ state: 'detached' });
    await until('the page says that it is connected', async () => (await banners()).at(-1) === 'Connected again.');
    await banner(page).waitFor({ state: 'detached' });
    const [first] = await banners();
    assert.match(first ?? '', /^No connection\./);
    const own = rowsWith(page, 'Written in the storm');
    await own.and(page.locator('[data-id]')).waitFor();
    await untilEqual(() => own.count(), 1);
    const { messages } = await chat.as('iago').messages.list({
      ...{ anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false },
      narrow: [
        ['channel', 'Verona'],
        ['topic', 'harbour'],
      ],
    });
    const texts = messages.map(({ content }) => content).sort();
    assert.deepEqual(texts, ['After the storm', 'Before the storm', 'Written in the storm']);
  },
);

rareStory(
  'an expired queue is replaced: the gap is filled, and the reader keeps the place',
  [
    { size: 'phone', scheme: 'dark' },
    { size: 'desktop', direction: 'rtl' },
  ],
  async (t, look) => {
    const chat = await stage(t);
    const place = { channel: 'Verona', topic: 'harbour' };
    for (let index = 0; index < 120; index++) await chat.say('iago', place, `Message ${index}.`);
    await chat.as('hamlet').messages.markAllRead();
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/harbour`;
    let queue: string | undefined;
    const { page, context } = await chat.blank(look);
    page.on('request', (request) => {
      queue = new URL(request.url()).searchParams.get('queue_id') ?? queue;
    });
    await page.goto(`${chat.url}/${at}`);
    await page.getByRole('button', { name: /^King Hamlet/ }).click();
    await rowsWith(page, 'Message 119.').waitFor();
    await page.getByRole('feed').evaluate((list) => {
      list.scrollTop -= 1500;
    });
    await page.locator('.jump').waitFor();
    await composer(page).waitFor();
    const topRow = () =>
      page.getByRole('feed').evaluate((list) => {
        const { top } = list.getBoundingClientRect();
        const rows = [...list.querySelectorAll<HTMLElement>('article[data-id]')];
        const row = rows.find((one) => one.getBoundingClientRect().bottom > top);
        return { id: row?.dataset.id, offset: (row?.getBoundingClientRect().top ?? 0) - top };
      });
    const before = await topRow();

    await chat.cut(context);
    await banner(page).getByText('No connection.').waitFor();
    for (const text of ['Missed one', 'Missed two']) await chat.say('iago', place, text);
    assert.ok(queue);
    await chat.as('hamlet').events.delete({ queue_id: queue });
    const earlier = queue;
    await context.setOffline(false);
    await page.getByRole('button', { name: /2 new messages below/ }).waitFor();
    await until('there is another queue', () => queue !== earlier);
    await banner(page).waitFor({ state: 'detached' });
    await until('the reader is where they were', async () => {
      const after = await topRow();
      return after.id === before.id && Math.abs(after.offset - before.offset) < 1;
    });
    await page.locator('.jump').click();
    await rowsWith(page, 'Missed two').waitFor();
    await untilEqual(() => rowsWith(page, 'Missed one').count(), 1);
    await chat.say('iago', place, 'Live again');
    await rowsWith(page, 'Live again').waitFor();
  },
);
