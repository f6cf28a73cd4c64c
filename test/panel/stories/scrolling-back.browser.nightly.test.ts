import assert from 'node:assert/strict';
import sharp from 'sharp';
import { until } from '../../support/until.ts';
import { axe, type InProcess, rowsWith, stage, story } from './stage.ts';

const MESSAGES = 1000;

/** Markdown of an image of this height. */
async function uploadImage(chat: InProcess, height: number): Promise<string> {
  const create = { width: 200, height, channels: 3 as const, background: 'teal' };
  const bytes = new Uint8Array(await sharp({ create }).png().toBuffer());
  const { url } = await chat.as('iago').uploads.send({ file: new File([bytes], 'sea.png', { type: 'image/png' }) });
  return `[sea.png](${url})`;
}

/**
 * Scrolls to the top repeatedly. Measures in each frame how far the topmost message has moved since the last scroll.
 */
async function scrollBack(list: Element): Promise<{ drift: number; loads: number; images: number }> {
  const frame = () => new Promise(requestAnimationFrame);
  const rows = () => [...list.querySelectorAll<HTMLElement>('article[data-id]')];
  const textTop = (row: Element) => row.querySelector('.body')?.getBoundingClientRect().top ?? 0;
  let [drift, loads, images] = [0, 0, 0];
  for (let attempt = 0; attempt < 80; attempt++) {
    const first = rows()[0]?.dataset.id;
    list.scrollTop = Math.min(list.scrollTop, 200);
    await frame();
    const { top } = list.getBoundingClientRect();
    const anchor = rows().find((row) => row.getBoundingClientRect().bottom > top + 1);
    if (!anchor) throw new Error('There is no row.');
    const before = textTop(anchor);
    for (let wait = 0; wait < 60; wait++) {
      await frame();
      drift = Math.max(drift, Math.abs(textTop(anchor) - before));
    }
    images = Math.max(images, list.querySelectorAll('.body img').length);
    if (rows()[0]?.dataset.id !== first) loads += 1;
    else if (list.querySelector('.start')) break;
  }
  return { drift, loads, images };
}

story(
  'the reader scrolls back through 1,000 messages with images, and the place does not move',
  [{ size: 'phone' }, { size: 'desktop', scheme: 'dark' }, { size: 'phone', direction: 'rtl', scheme: 'dark' }],
  async (t, look) => {
    const chat = await stage(t);
    const pictures = await Promise.all([40, 160, 320].map((height) => uploadImage(chat, height)));
    for (let index = 0; index < MESSAGES; index++) {
      const more = index % 5 === 2 ? `\n${pictures[index % 3]}` : ' and more text'.repeat(index % 17);
      await chat.say('iago', { channel: 'Verona', topic: 'harbour' }, `Message ${index}.${more}`);
    }
    await chat.as('hamlet').messages.markAllRead();
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/harbour`;
    const { page } = await chat.open('hamlet', { ...look, at });
    await rowsWith(page, `Message ${MESSAGES - 1}.`).waitFor();
    await axe(page);
    const { drift, loads, images } = await page.getByRole('feed').evaluate(scrollBack);
    assert.ok(loads >= 5, `loaded ${loads} times`);
    assert.ok(images > 20, `${images} images`);
    assert.ok(drift < 1, `moved by ${drift} pixels`);
    await rowsWith(page, 'Message 0.').waitFor();
    await until('few rows are kept', async () => (await page.getByRole('feed').getByRole('article').count()) <= 400);
    await page.locator('.jump').click();
    await rowsWith(page, `Message ${MESSAGES - 1}.`).waitFor();
  },
);
