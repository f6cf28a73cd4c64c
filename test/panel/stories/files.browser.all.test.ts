/** Stories of files: pasted, cancelled, resumed and shown files, and images of other sites. */
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { axe, composer, type Look, rareStory, rowsWith, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };
const PHONE: Look = { size: 'phone', scheme: 'dark' };
const MIB = 1024 * 1024;

/** Pixels of noise, which no format compresses. */
async function noise(width: number, height: number): Promise<string> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0, seed = 1; at < pixels.length; at++) {
    seed = (seed * 48_271) % 2_147_483_647;
    pixels[at] = seed;
  }
  return (
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer()
  ).toString('base64');
}

/** With the clipboard of the system. */
async function pasteImage(page: Page, png: string): Promise<void> {
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })]);
  }, png);
  await composer(page).focus();
  await page.keyboard.press('Control+v');
}

/**
 * Limits the upload rate of the page.
 *
 * @param bytesPerSecond -1 for no limit
 */
async function limitUpload(context: BrowserContext, page: Page, bytesPerSecond: number) {
  const client = await context.newCDPSession(page);
  const network = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await client.send('Network.emulateNetworkConditions', network);
  return {
    // The limit would override `setOffline`.
    cut: () => client.send('Network.emulateNetworkConditions', { ...network, offline: true }),
    end: async () => {
      await client.send('Network.emulateNetworkConditions', { ...network, uploadThroughput: -1 });
      await client.detach();
    },
  };
}

story(
  'an image is pasted: progress, cancelled, resumed after a broken connection, shown',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
    const { page, context } = await chat.open('hamlet', { ...look, at });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const png = await noise(1400, 1000);
    assert.ok(Buffer.from(png, 'base64').length > 3 * MIB);
    const limit = await limitUpload(context, page, 400_000);
    await composer(page).fill('See');
    await pasteImage(page, png);
    const progress = page.getByRole('progressbar', { name: /^Uploading/ });
    await progress.waitFor();
    await untilMatch(() => composer(page).inputValue(), /^See\n\[image\.png …\]\(\)\n$/);
    await axe(page);
    await page.waitForFunction(
      () => (document.querySelector('parlance-panel')?.shadowRoot?.querySelector('progress')?.position ?? 0) > 0,
    );
    // Sending waits.
    await composer(page).press('Control+Enter');
    await page.getByText('Wait until all files are uploaded, or remove them').first().waitFor();
    await page.getByRole('button', { name: /^Cancel the upload/ }).click();
    await progress.waitFor({ state: 'detached' });
    await untilEqual(async () => (await composer(page).inputValue()).trim(), 'See');

    await pasteImage(page, png);
    await page.waitForFunction(
      () => (document.querySelector('parlance-panel')?.shadowRoot?.querySelector('progress')?.position ?? 0) > 0,
    );
    const offsets: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '');
    });
    await limit.cut();
    await chat.cut(context);
    await page.locator('.banner').getByText('No connection.').waitFor();
    await progress.waitFor();
    await context.setOffline(false);
    await limit.end();
    await page.waitForFunction(() =>
      /\[image\.png\]\(\/user_uploads\//.test(
        document.querySelector('parlance-panel')?.shadowRoot?.querySelector<HTMLTextAreaElement>('.main textarea')
          ?.value ?? '',
      ),
    );
    assert.ok(!offsets.includes('0'), `received bytes were not sent again: ${offsets.join()}`);
    await composer(page).press('Control+Enter');
    const image = rowsWith(page, 'See').and(page.locator('[data-id]')).getByRole('img', { name: 'image.png' });
    await image.waitFor();
    await page.waitForFunction(() =>
      [...(document.querySelector('parlance-panel')?.shadowRoot?.querySelectorAll('img') ?? [])].some(
        ({ alt, naturalWidth, currentSrc }) =>
          alt === 'image.png' && naturalWidth > 0 && /\/thumbnail\/.*\/840x560\.webp$/.test(currentSrc),
      ),
    );
    await until('the image has its width', async () => {
      const { width } = (await image.boundingBox()) ?? { width: 0 };
      return width > 100 && width <= 360;
    });
    await axe(page);
  },
);

rareStory('files of other sites are links in the app, whose policy forbids them', [PHONE], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const content = `Look: https://a.example/x.png\n\nhttps://a.example/y.png\n\nhttps://a.example/z.mp4\n\n![song](https://a.example/s.mp3)\n\nhttps://youtu.be/aaaaaaaaaaa`;
  await chat.say('othello', { channel: 'Verona', topic: 'soup' }, content);
  const { page } = await chat.open('hamlet', { ...look, at });
  const message = rowsWith(page, 'Look:').locator('.rendered_markdown');
  await message.waitFor();
  for (const file of ['x.png', 'y.png', 'z.mp4', 's.mp3']) {
    const link = message.locator(`a[href="https://a.example/${file}"]`).first();
    await link.waitFor();
    await untilEqual(
      async () => [
        await link.getAttribute('target'),
        await link.getAttribute('rel'),
        (await link.textContent()) === '',
      ],
      ['_blank', 'noopener noreferrer', false],
    );
  }
  await untilEqual(() => message.locator('img, audio, video, button').count(), 0);
  await axe(page);
});
