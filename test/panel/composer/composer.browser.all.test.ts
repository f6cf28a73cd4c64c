import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ChatStore, Place } from '../../../lib/client/store/types.ts';
import type { Session } from '../../../lib/index.ts';
import { NO_BROWSER, sharedBrowser } from '../../client/pages.ts';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { axeFindings } from '../page.ts';
import { bundled, panelServer, screenshot } from '../support/panel-page.ts';

/** Globals of the page of these tests. */
interface Offered {
  compose(place: Place, options?: { dir?: string }): void;
  edit(id: number): Promise<void>;
  store: ChatStore;
  announced: string[];
  violations: string[];
}

const MIB = 1024 * 1024;

describe('the composer in a browser', { skip: NO_BROWSER }, () => {
  let browser: Browser;
  let script: string;
  before(async () => {
    [browser, script] = await Promise.all([sharedBrowser(), bundled('test/panel/composer/page.tsx')]);
  });

  /** A channel "design" with Olga, and a page where she writes in its topic "lunch". */
  const opened = async (t: TestContext, options: BrowserContextOptions & { dir?: string } = {}) => {
    const server = await panelServer(t, script);
    const olga = server.chat.as(server.owner.user_id);
    const { id } = await olga.channels.create({ name: 'design', subscribers: [server.owner.user_id] });
    const { dir = 'ltr', ...context } = options;
    const place = { channelId: id, topic: 'lunch' };
    const { page, complaints } = await server.open(browser, context);
    await page.evaluate(([to, direction]) => (globalThis as unknown as Offered).compose(to, { dir: direction }), [
      place,
      dir,
    ] as const);
    return { ...server, olga, place, page, complaints, field: page.getByRole('textbox', { name: 'Message' }) };
  };

  for (const [name, options] of [
    ['wide', { viewport: { width: 1000, height: 700 } }],
    ['dark', { viewport: { width: 1000, height: 700 }, colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
    ['right to left', { viewport: { width: 390, height: 844 }, dir: 'rtl' }],
  ] as const)
    it(`sends with Enter or the button, and is accessible: ${name}`, async (t) => {
      const { page, complaints, field, olga } = await opened(t, options);
      await setEnter(page, olga, true);
      await field.click();
      await page.keyboard.type('Hello');
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type('you');
      await screenshot(page, `composer-${name}`);
      assert.deepEqual(await axeFindings(page), []);
      if (name === 'phone') {
        await page.keyboard.press('Enter');
        await page.keyboard.type('there');
        await page.getByRole('button', { name: 'Send' }).tap();
      } else await page.keyboard.press('Enter');
      await sent(olga, name === 'phone' ? 'Hello\nyou\nthere' : 'Hello\nyou');
      await untilEqual(() => field.inputValue(), '');
      await field.and(page.locator(':focus')).waitFor();
      assert.deepEqual(complaints, []);
      assert.deepEqual(await page.evaluate(() => (globalThis as unknown as Offered).violations), []);
    });

  it('follows the setting for the Enter key, and leaves it to input methods', async (t) => {
    const { page, field, olga } = await opened(t);
    await setEnter(page, olga, false);
    await field.click();
    await page.keyboard.type('one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Control+Enter');
    await sent(olga, 'one\ntwo');
    await setEnter(page, olga, true);
    const client = await page.context().newCDPSession(page);
    await client.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 });
    await field.evaluate((area) =>
      area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true })),
    );
    await client.send('Input.insertText', { text: '書' });
    await untilEqual(() => field.inputValue(), '書');
    await sent(olga, 'one\ntwo');
  });

  it('completes users, emoji, channels and topics by keyboard and pointer', async (t) => {
    const { page, field } = await opened(t);
    await field.click();
    await page.keyboard.type('@Ol');
    await page.getByRole('option', { name: /Olga/ }).waitFor();
    await screenshot(page, 'composer-completion');
    assert.deepEqual(await axeFindings(page), []);
    await until('an option is active', async () => {
      const active = await field.getAttribute('aria-activedescendant');
      return active && (await page.locator(`[id="${active}"]`).getAttribute('aria-selected')) === 'true';
    });
    await page.keyboard.press('Enter');
    await untilEqual(() => field.inputValue(), '@**Olga** ');
    await page.keyboard.type(':tad');
    await page.getByRole('option', { name: /tada/ }).first().click();
    await untilMatch(() => field.inputValue(), /:tada: $/);
    await page.keyboard.type('#des');
    await page.getByRole('option', { name: /design/ }).waitFor();
    await page.keyboard.press('Escape');
    await untilEqual(() => page.getByRole('option').count(), 0);
    await untilMatch(() => field.inputValue(), /#des$/);
    await page.keyboard.type('i');
    await page.getByRole('option', { name: /design/ }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    await untilMatch(() => field.inputValue(), /#\*\*design/);
    await page.keyboard.press('Control+z');
    await untilMatch(() => field.inputValue(), /#desi$/);
  });

  it('formats the selection, and makes links', async (t) => {
    const { page, field } = await opened(t);
    await field.click();
    await page.keyboard.type('word');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+b');
    await untilEqual(() => field.inputValue(), '**word**');
    await page.keyboard.press('Control+i');
    await untilEqual(() => field.inputValue(), '***word***');
    await page.keyboard.press('Control+b');
    await untilEqual(() => field.inputValue(), '*word*');
    await page.keyboard.press('Control+i');
    await untilEqual(() => field.inputValue(), 'word');
    await page.keyboard.press('Control+Shift+l');
    await untilEqual(() => field.inputValue(), '[word](url)');
    await page.keyboard.type('https://a.example');
    await untilEqual(() => field.inputValue(), '[word](https://a.example)');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('other');
    await page.keyboard.press('Control+a');
    await paste(page, 'https://b.example/x');
    await untilEqual(() => field.inputValue(), '[other](https://b.example/x)');
    for (let undo = 0; undo < 40 && (await field.inputValue()) !== ''; undo++) await page.keyboard.press('Control+z');
    await untilEqual(() => field.inputValue(), '');
  });

  it('offers a grid of emoji with a search', async (t) => {
    const { page, field, complaints } = await opened(t);
    await field.click();
    await page.keyboard.type('Hi ');
    await page.getByRole('button', { name: 'Insert emoji' }).click();
    const search = page.getByRole('searchbox', { name: 'Search emoji' });
    await page.getByRole('option').first().waitFor();
    await screenshot(page, 'composer-emoji');
    assert.deepEqual(await axeFindings(page), []);
    await search.fill('party');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    const name = await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('title'));
    await page.keyboard.press('Enter');
    await untilEqual(() => field.inputValue(), `Hi ${name} `);
    await page.getByRole('button', { name: 'Insert emoji' }).click();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
    await untilEqual(() => field.inputValue(), `Hi ${name} `);
    assert.deepEqual(complaints, []);
  });

  it('uploads files in place of their names', async (t) => {
    const { page, field, olga, complaints } = await opened(t);
    await field.click();
    await page.keyboard.type('see');
    await page.locator('input[type=file]').setInputFiles([textFile('a [1].txt', 'one'), textFile('b.txt', 'two')]);
    await page.waitForFunction(
      () => (globalThis as unknown as Offered).announced.filter((text) => /is attached/.test(text)).length === 2,
    );
    const links = /^see\n\[a 1 \.txt\]\((\/user_uploads\/[^)]+)\)\n\[b\.txt\]\(\/user_uploads\/[^)]+\)\n$/;
    await untilMatch(() => field.inputValue(), links);
    await page.getByRole('button', { name: 'Send' }).click();
    await sent(olga, /\[a 1 \.txt\]\(\/user_uploads\/.*\n\[b\.txt\]\(/);
    await dropFile(page, 'dropped.txt', 3);
    await page.waitForFunction(() => (globalThis as unknown as Offered).announced.includes('dropped.txt is attached.'));
    await untilMatch(() => field.inputValue(), /^\[dropped\.txt\]\(/);
    assert.deepEqual(complaints, []);
  });

  it('shows uploads that wait, fail or are too large, and cancels and retries them', async (t) => {
    const { page, field } = await opened(t);
    await field.click();
    let isDown = true;
    await page.route('**/user_uploads**', (route) => (isDown ? route.abort() : route.continue()));
    await page.locator('input[type=file]').setInputFiles([textFile('a.txt', 'one')]);
    const retry = page.getByRole('button', { name: 'Retry the upload of a.txt' });
    await retry.waitFor({ timeout: 60_000 });
    await dropFile(page, 'large.txt', 6 * MIB);
    await page.getByText('large.txt is larger than the limit of 5 MiB.').waitFor();
    await screenshot(page, 'composer-uploads');
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Remove large.txt' }).click();
    isDown = false;
    await retry.click();
    await page.waitForFunction(() => (globalThis as unknown as Offered).announced.includes('a.txt is attached.'));
    await untilMatch(() => field.inputValue(), /^\[a\.txt\]\(\/user_uploads\//);

    await page.unroute('**/user_uploads**');
    const held: (() => void)[] = [];
    await page.route(
      '**/user_uploads**',
      (route) => new Promise<void>((resolve) => held.push(() => resolve(route.abort()))),
    );
    await page.locator('input[type=file]').setInputFiles([textFile('b.txt', 'two')]);
    await page.getByRole('progressbar', { name: 'Uploading b.txt' }).waitFor();
    await page.keyboard.press('Enter');
    await untilMatch(() => field.inputValue(), /b\.txt/);
    await page.getByRole('button', { name: 'Cancel the upload of b.txt' }).click();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    assert.doesNotMatch(await field.inputValue(), /b\.txt/);
    for (const release of held) release();
  });

  it('keeps a text that is far too long beside the field', async (t) => {
    const { page, field, complaints } = await opened(t);
    await field.click();
    await page.keyboard.type('before');
    await paste(page, 'x', 50 * MIB);
    await page.getByText('The text has 52,428,800 characters').waitFor();
    await untilEqual(() => field.inputValue(), 'before');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await paste(page, 'y', 9_500);
    await page.getByText('494 characters left').waitFor();
    await paste(page, '\u{1f389}', 500);
    await page.getByText('6 characters too many').waitFor();
    await until('the message cannot be sent', () => page.getByRole('button', { name: 'Send' }).isDisabled());
    assert.deepEqual(complaints, []);
  });

  it('keeps drafts of each conversation, and shows changes of a draft from elsewhere', async (t) => {
    const { page, field, place } = await opened(t);
    await field.click();
    await page.keyboard.type('not yet');
    await page.evaluate(() => (globalThis as unknown as Offered).compose({ userIds: [] }));
    await untilEqual(() => field.inputValue(), '');
    await page.evaluate((to) => (globalThis as unknown as Offered).compose(to), place);
    await untilEqual(() => field.inputValue(), 'not yet');
    await page.evaluate(
      (to) => (globalThis as unknown as Offered).store.drafts.of(to).set('sent before\n\nnot yet'),
      place,
    );
    await untilEqual(() => field.inputValue(), 'sent before\n\nnot yet');
  });

  it("shows a concurrent edit of a message and saves the user's own text on request", async (t) => {
    const { page, olga, place } = await opened(t);
    const { id } = await olga.messages.send({ type: 'channel', to: place.channelId, topic: 'lunch', content: 'first' });
    await page.evaluate((message) => (globalThis as unknown as Offered).edit(message), id);
    const field = page.getByRole('textbox', { name: 'Edit message' });
    await field.waitFor();
    await untilEqual(() => field.inputValue(), 'first');
    await field.fill('mine');
    await olga.messages.edit({ message_id: id, content: 'theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('theirs').waitFor();
    await screenshot(page, 'composer-conflict');
    assert.deepEqual(await axeFindings(page), []);
    await untilEqual(() => field.inputValue(), 'mine');
    await page.getByRole('button', { name: 'Save my text' }).click();
    await field.waitFor({ state: 'detached' });
    await sent(olga, 'mine');
  });
});

async function setEnter(page: Page, session: Session, enter_sends: boolean): Promise<void> {
  await session.settings.edit({ enter_sends });
  await page.waitForFunction(
    (wanted) => (globalThis as unknown as Offered).store.settings.get()?.enter_sends === wanted,
    enter_sends,
  );
}

/** Waits until the newest message has this Markdown. */
async function sent(session: Session, content: string | RegExp): Promise<void> {
  const newest = async () => {
    const given = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false } as const;
    return (await session.messages.list(given)).messages[0]?.content ?? '';
  };
  await until(`the newest message is ${content}`, async () => {
    const found = await newest();
    return typeof content === 'string' ? found === content : content.test(found);
  });
}

const textFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** Drops a file on the field as the browser does. */
async function dropFile(page: Page, name: string, size: number): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).evaluate(
    (field, [fileName, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], fileName, { type: 'text/plain' }));
      field.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, size] as const,
  );
}

/** Pastes this text so many times, as the browser does. */
async function paste(page: Page, text: string, times = 1): Promise<void> {
  await page.evaluate(
    ([part, count]) => {
      const field = document.activeElement?.shadowRoot?.activeElement as HTMLTextAreaElement;
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', part.repeat(count));
      const isUsed = field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
      if (isUsed) document.execCommand('insertText', false, part.repeat(count));
    },
    [text, times] as const,
  );
}
