/** A story of very many messages. */
import assert from 'node:assert/strict';
import type { CDPSession, Page } from 'playwright-core';
import { type Look, rowsWith, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };

/** Messages that a list keeps. */
const KEPT = 400;

/** @param total 800, or a multiple of 2,000 */
export function storyOfManyMessages(total: number): void {
  const step = Math.min(500, total / 4);
  const name = `${total} messages arrive: the page keeps few rows and does not grow`;
  story(name, [DESKTOP], async (t, look) => {
    const chat = await stage(t);
    const verona = await chat.channel('Verona');
    const { page, context } = await chat.open('hamlet', { ...look, at: `#narrow/channel/${verona}/topic/soup` });
    const othello = chat.chat.as(chat.account('othello').user_id);
    const client = await context.newCDPSession(page);
    const ids: number[] = [];
    const sizes: { nodes: number; listeners: number; mebibytes: number; rows: number }[] = [];
    for (let sent = 0; sent < total; sent += step) {
      for (let index = sent; index < sent + step; index++) {
        const content = `Message ${index} with **bold**, a [link](https://a.example/${index}) and :tada:`;
        const { id } = await othello.messages.send({ type: 'channel', to: verona, topic: 'soup', content });
        ids.push(id);
      }
      await rowsWith(page, `Message ${sent + step - 1} `).waitFor();
      if (sent % (total / 4) === 0) sizes.push(await sizeOf(client, page));
    }
    sizes.push(await sizeOf(client, page));
    const text = JSON.stringify(sizes);
    t.diagnostic(text);
    const [first, ...later] = sizes.slice(1);
    assert.ok(first);
    for (const size of sizes) assert.ok(size.rows <= KEPT, text);
    for (const { nodes, listeners, mebibytes } of later) {
      assert.ok(nodes <= first.nodes * 1.1, text);
      assert.ok(listeners <= first.listeners * 1.1 + 20, text);
      assert.ok(mebibytes <= first.mebibytes + 4, text);
    }
    const isKept = (id: number) =>
      page.evaluate(
        (wanted) => document.querySelector('parlance-panel')?.store?.messages.message(wanted).get() !== undefined,
        id,
      );
    assert.deepEqual([await isKept(ids.at(0) ?? 0), await isKept(ids.at(-1) ?? 0)], [false, true]);
  });
}

async function sizeOf(client: CDPSession, page: Page) {
  await client.send('HeapProfiler.enable');
  // Nodes without references are collected in the second round.
  for (let round = 0; round < 2; round++) await client.send('HeapProfiler.collectGarbage');
  const { nodes, jsEventListeners } = await client.send('Memory.getDOMCounters');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  const rows = await page.locator('article[data-id]').count();
  return { nodes, listeners: jsEventListeners, mebibytes: Math.round(usedSize / 104_857.6) / 10, rows };
}
