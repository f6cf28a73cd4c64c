/** Shared by the tests of conversations. */
import type { Locator, Page } from 'playwright-core';
import type { ParlancePanel } from '../../../lib/panel/panel.tsx';
import type { PanelSite } from '../page.ts';

declare global {
  interface HTMLElementTagNameMap {
    'parlance-panel': ParlancePanel;
  }
}

export const LUNCH = '<parlance-panel site="/chat" channel="general" topic="lunch"></parlance-panel>';

/** Holds back what loads after the first messages, from the next page on, until the returned function is called. */
export async function holdDeferred(page: Page): Promise<() => void> {
  let load = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(/panel-deferred/, async (route) => {
    await released;
    await route.continue();
  });
  return load;
}

/** What loads after the first messages is there, and listens. */
export async function untilComplete(page: Page): Promise<void> {
  await page.locator('.composer').first().waitFor();
  // Effects run after the browser has painted.
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
}

/** Sends with the store of the panel, as the composer does. */
export const sendFrom = (page: Page, { channelId }: PanelSite, content: string) =>
  page.evaluate(
    ([id, text]) =>
      void document.querySelector('parlance-panel')?.store?.outbox.send({ channelId: id, topic: 'lunch' }, text),
    [channelId, content] as const,
  );

/** Touches the row, and ends the touch. */
export async function toucher(
  page: Page,
  row: Locator,
): Promise<(type: 'touchStart' | 'touchEnd') => Promise<unknown>> {
  const { x = 0, y = 0, height = 0 } = (await row.boundingBox()) ?? {};
  const devtools = await page.context().newCDPSession(page);
  return (type) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + 100, y: y + height / 2 }],
    });
}

export const rowsWith = (page: Page, text: string): Locator => page.locator('article', { hasText: text });

/** The texts of all messages in the list. */
export const texts = (page: Page): Promise<string[]> =>
  page
    .locator('article .rendered_markdown, article .body.plain')
    .evaluateAll((bodies) => bodies.map((body) => body.textContent?.trim() ?? ''));

/** Sends many messages, by three users in turn. */
export async function sayMany(site: PanelSite, count: number, content = (index: number) => `Message ${index}`) {
  const ids: number[] = [];
  for (let index = 0; index < count; index++) {
    const who = site.as((['ada', 'ben', 'cleo'] as const)[Math.floor(index / 3) % 3] ?? 'ada');
    const { id } = await who.messages.send({
      ...{ type: 'channel', to: site.channelId, topic: 'lunch' },
      content: content(index),
    });
    ids.push(id);
  }
  return ids;
}
