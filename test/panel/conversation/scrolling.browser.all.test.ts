import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilMatch } from '../../support/until.ts';
import { type PanelSite, panelSite } from '../page.ts';
import { LUNCH, sayMany, texts } from './conversation.ts';

describe('scrolling back in a panel', { skip: NO_BROWSER }, () => {
  it('keeps the position to the pixel while 500 messages with images load above', async (t) => {
    const site = await panelSite(t);
    const images = await Promise.all([40, 160, 320].map((height) => uploadImage(site, height)));
    await sayMany(site, 500, (index) =>
      index % 5 === 2
        ? `Message ${index}\n${images[index % 3]}`
        : `Message ${index}${' and more text'.repeat(index % 17)}`,
    );
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('New messages', { exact: true }).waitFor();
    await page.locator('.jump').click();
    await page.getByText(/^Message 499/).waitFor();
    const { drift, steps } = await page.evaluate(scrollBack);
    assert.ok(steps >= 3, `loaded ${steps} times`);
    assert.ok(drift < 1, `moved by ${drift} pixels`);
    await untilMatch(async () => (await texts(page))[0] ?? '', /^Message 0/);
    assert.deepEqual(complaints, []);
  });
});

/** Scrolls to the top repeatedly, and measures how far the topmost message moves while more messages load. */
async function scrollBack(): Promise<{ drift: number; steps: number }> {
  const list = document.querySelector('parlance-panel')?.shadowRoot?.querySelector('.list');
  if (!list) throw new Error('There is no list.');
  const frame = () => new Promise(requestAnimationFrame);
  const rows = () => [...list.querySelectorAll<HTMLElement>('article[data-id]')];
  const textTop = (row: Element) => row.querySelector('.body')?.getBoundingClientRect().top ?? 0;
  let [drift, steps] = [0, 0];
  for (let attempt = 0; attempt < 60; attempt++) {
    const first = rows()[0]?.dataset.id;
    list.scrollTop = Math.min(list.scrollTop, 200);
    await frame();
    const top = list.getBoundingClientRect().top;
    const anchor = rows().find((row) => row.getBoundingClientRect().bottom > top + 1);
    if (!anchor) throw new Error('There is no row.');
    const before = textTop(anchor);
    for (let wait = 0; wait < 60; wait++) {
      await frame();
      drift = Math.max(drift, Math.abs(textTop(anchor) - before));
    }
    if (rows()[0]?.dataset.id !== first) steps += 1;
    else if (rows()[0]?.textContent?.includes('Message 0') || list.querySelector('.start')) break;
  }
  return { drift, steps };
}

/** Markdown of an image of this height. Its HTML has no size if the server cannot read the image. */
async function uploadImage(site: PanelSite, height: number): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="${height}"><rect width="200" height="${height}" fill="teal"/></svg>`;
  const { url } = await site
    .as('ada')
    .uploads.send({ file: new File([svg], `${height}.svg`, { type: 'image/svg+xml' }) });
  return `![${height}.svg](${url})`;
}
