import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { chromium } from 'playwright-core';
import { openChat, sqlite } from '../../lib/index.ts';
import { serve } from '../../server/index.ts';

/** Debian's place for it, unless told otherwise. */
const BROWSER = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

describe('the API reference page in a browser', {
  skip: existsSync(BROWSER) ? false : `no browser at ${BROWSER}`,
}, () => {
  it('shows every operation and asks for nothing outside', async () => {
    const chat = await openChat({ storage: sqlite(':memory:') });
    await chat.createOrganization({ name: 'Docs', owner: { email: 'ada@example.com', full_name: 'Ada' } });
    const running = await serve(chat, { port: 0 });
    const browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
    try {
      const page = await browser.newPage();
      // The page draws every operation at once, which a busy machine takes long for.
      page.setDefaultTimeout(180_000);
      const outside: string[] = [];
      const problems: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(running.url) && !request.url().startsWith('data:')) outside.push(request.url());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      await page.goto(`${running.url}/api/docs`);
      await page.getByText('Send a message to a channel or to people').first().waitFor();
      await page.getByText('Unsubscribe yourself or others from channels').first().waitFor();
      assert.deepEqual(outside, []);
      assert.deepEqual(problems, []);
    } finally {
      await browser.close();
      await running.close();
      await chat.close();
    }
  });
});
