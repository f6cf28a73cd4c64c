/** Stories of the composer: completion by keyboard, the longest texts, and texts from right to left. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { heading, sidebarLink, untilLive } from '../app/app.ts';
import { axe, composer, type Look, rareStory, rowsWith, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };
const MIB = 1024 * 1024;

const value = (page: Page) => composer(page).inputValue();
const option = (page: Page, name: string | RegExp) => page.getByRole('listbox').getByRole('option', { name }).first();
/** A row that the server has confirmed. */
const sentRow = (page: Page, text: string | RegExp) => rowsWith(page, text).and(page.locator('[data-id]'));

async function untilText(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document.querySelector('parlance-panel')?.shadowRoot?.querySelector<HTMLTextAreaElement>('.main textarea')
        ?.value === wanted,
    text,
  );
}

story('a mention, an emoji, a channel and a topic are completed by keyboard', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const { page } = await chat.open('hamlet', { ...look, at });
  await composer(page).click();
  await page.keyboard.type('@cor');
  await option(page, /Cordelia/).waitFor();
  await untilMatch(() => composer(page).getAttribute('aria-activedescendant'), /\S/);
  await axe(page);
  await page.keyboard.press('Enter');
  await untilText(page, "@**Cordelia, Lear's daughter** ");
  await page.keyboard.type(':tad');
  await option(page, /^tada/).waitFor();
  await page.keyboard.press('Escape');
  await option(page, /^tada/).waitFor({ state: 'detached' });
  await page.keyboard.press('Backspace');
  await page.keyboard.type('d');
  await option(page, /^tada/).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('#ven');
  await option(page, /Venice/).waitFor();
  await page.keyboard.press('Enter');
  await untilMatch(() => value(page), /#\*\*Venice\*\* $/);
  await page.keyboard.type('#Venice>mar');
  await option(page, /market/).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await untilText(page, "@**Cordelia, Lear's daughter** :tada: #**Venice** #**Venice>market** ");
  await page.keyboard.press('Control+Enter');
  const row = sentRow(page, 'Cordelia');
  await row.getByRole('button', { name: "@Cordelia, Lear's daughter" }).waitFor();
  await row.getByText('\u{1f389}').waitFor();
  await row.getByRole('link', { name: '#Venice', exact: true }).waitFor();
  await row.getByRole('link', { name: '#Venice > market' }).click();
  await heading(page, 'market').waitFor();
});

rareStory(
  'a message of the largest size is sent, and a longer one is refused in place and stays whole',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
    const { page, context } = await chat.open('hamlet', { ...look, at });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    // Each is one character and two code units.
    await paste(page, '\u{1f389}', 10_001);
    await page.getByText('1 character too many').waitFor();
    await untilEqual(() => page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true);
    await page.keyboard.press('Control+Enter');
    await axe(page);
    await untilEqual(async () => (await value(page)).length, 20_002);
    await page.evaluate(() => document.querySelector('parlance-panel')?.store?.flush());
    await page.reload();
    await page.getByText('1 character too many').waitFor();
    await untilLive(page);
    await untilEqual(async () => (await value(page)).length, 20_002);
    await composer(page).press('Control+End');
    await page.keyboard.press('Backspace');
    await page.getByText('0 characters left').waitFor();
    await page.keyboard.press('Control+Enter');
    await sentRow(page, '\u{1f389}'.repeat(100)).waitFor();
    await untilEqual(() => value(page), '');
    const { messages } = await chat
      .as('hamlet')
      .messages.list({ anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false });
    assert.equal([...(messages.at(-1)?.content ?? '')].length, 10_000);
  },
);

rareStory('keys before the composer is there are the start of the message', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const verona = await chat.channel('Verona');
  const { context } = await chat.open('hamlet', look);
  await chat.as('hamlet').drafts.create({
    drafts: [{ type: 'stream', to: [verona], topic: 'soup', content: 'Earlier.' }],
  });
  const page = await context.newPage();
  const held: (() => void)[] = [];
  const hold = (address: RegExp) =>
    page.route(address, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
  await hold(/\/register$/);
  await hold(/panel-deferred/);
  await page.goto(`${chat.url}/#narrow/channel/${verona}/topic/soup`);
  await heading(page, 'soup').waitFor();
  // As shortcuts, these would open pages: `c`, `/` and `?`.
  await page.keyboard.type('c / ?!');
  await page.keyboard.press('Backspace');
  held.shift()?.();
  await untilLive(page);
  await until('the composer is on its way', () => held.length === 1);
  await page.keyboard.type(' and more');
  held.shift()?.();
  await composer(page).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('!');
  await untilText(page, 'Earlier.c / ? and more!');
});

rareStory('fifty megabytes are pasted: the field stays usable, and they can be a file', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const { page, context } = await chat.open('hamlet', { ...look, at });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await composer(page).click();
  await page.keyboard.type('before');
  await paste(page, 'x', 50 * MIB);
  await page.getByText('The text has 52,428,800 characters. A message can have 10,000.').waitFor();
  await axe(page);
  await page.keyboard.type(' and after');
  await untilEqual(() => value(page), 'before and after');
  await page.getByRole('button', { name: 'Attach it as a file' }).click();
  await page.waitForFunction(() =>
    /\[pasted-text\.txt\]\(\/user_uploads\//.test(
      document.querySelector('parlance-panel')?.shadowRoot?.querySelector<HTMLTextAreaElement>('.main textarea')
        ?.value ?? '',
    ),
  );
  await composer(page).press('Control+Enter');
  await sentRow(page, 'before and after').getByRole('link', { name: 'pasted-text.txt' }).waitFor();
});

/** With the clipboard of the system. */
async function paste(page: Page, text: string, times: number): Promise<void> {
  await page.evaluate(([part, count]) => navigator.clipboard.writeText(part.repeat(count)), [text, times] as const);
  await composer(page).focus();
  await page.keyboard.press('Control+v');
}

const CROWD = 10_000;

rareStory(
  'among ten thousand users, one is found for a mention, and other things go on',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    const owner = chat.as('desdemona');
    for (let from = 0; from < CROWD; from += 500) {
      const people = Array.from({ length: 500 }, (_, at) => ({
        email: `crowd${from + at}@example.com`,
        full_name: `Crowd ${from + at}`,
      }));
      await owner.users.createMany({ people });
    }
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
    const { page } = await chat.open('hamlet', { ...look, at });
    let asked = 0;
    let bytes = 0;
    page.on('response', async (response) => {
      if (!/\/users/.test(new URL(response.url()).pathname)) return;
      asked += 1;
      bytes += (await response.body().catch(() => Buffer.alloc(0))).length;
    });
    await composer(page).click();
    await page.keyboard.type('@crowd');
    await option(page, /^@? ?Crowd/).waitFor();
    await until('few are offered', async () => (await page.getByRole('listbox').getByRole('option').count()) <= 8);
    // Another user's message arrives while the list is open.
    await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'Hello from Venice');
    await rowsWith(page, 'Hello from Venice').waitFor();
    await page.keyboard.type(' 7654');
    await option(page, /Crowd 7654/).waitFor();
    await page.keyboard.press('Enter');
    await untilText(page, '@**Crowd 7654** ');
    await page.keyboard.press('Control+Enter');
    await sentRow(page, '@Crowd 7654').waitFor();
    // No list of all users was fetched.
    assert.ok(asked <= 20, `${asked} requests`);
    assert.ok(bytes < 200_000, `${bytes} bytes`);
  },
);

const HEBREW = 'שלום לכולם, נפגשים בשעה שמונה';

story('a text from right to left has its direction in an interface from left to right', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/${encodeURIComponent('מרק').replaceAll('%', '.')}`;
  const { page } = await chat.open('hamlet', { ...look, at });
  await composer(page).fill(`${HEBREW} (8:00)`);
  await untilEqual(() => directionOf(page, '.main textarea'), 'rtl');
  await composer(page).press('Control+Enter');
  await sentRow(page, HEBREW).waitFor();
  await composer(page).fill('And one from left to right');
  await untilEqual(() => directionOf(page, '.main textarea'), 'ltr');
  await composer(page).press('Control+Enter');
  await sentRow(page, 'And one from left to right').waitFor();
  const directions = () =>
    page
      .getByRole('feed')
      .locator('article[data-id] .rendered_markdown')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).direction));
  await untilEqual(directions, ['rtl', 'ltr']);
  await untilEqual(() => directionOf(page, '.panel'), 'ltr');
  await heading(page, 'מרק').waitFor();
  await sidebarLink(page, 'מרק').waitFor();
  // The name of the topic keeps its direction in a line with other text.
  const isolation = await sidebarLink(page, 'מרק')
    .getByText('מרק', { exact: true })
    .evaluate((text) => getComputedStyle(text.closest('.label') ?? text).unicodeBidi);
  assert.match(isolation, /isolate|plaintext/);
  await axe(page);
});

const directionOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).direction);
