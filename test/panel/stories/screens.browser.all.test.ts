/** Every screen, dialog and popover of the app has no finding of axe and is not wider than the window. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { goTo, heading, sidebar, untilLive } from '../app/app.ts';
import { axeFindings } from '../page.ts';
import { composer, type Look, rowsWith, stage, story } from './stage.ts';

const LOOKS: readonly Look[] = [
  { size: 'desktop', scheme: 'dark', direction: 'rtl' },
  { size: 'desktop' },
  { size: 'phone' },
  { size: 'phone', scheme: 'dark' },
  { size: 'phone', direction: 'rtl' },
];

interface Places {
  verona: number;
  cordelia: number;
}

interface Screen {
  /** The view that contains it. */
  at(places: Places): string;
  /** Name of the heading. */
  heading?: string;
  /** Opens a dialog, popover or state there. */
  open?(page: Page, cut: () => Promise<void>): Promise<void>;
  /** Closes what `open` has opened, if Escape does not. */
  close?(page: Page): Promise<void>;
}

const INBOX = () => '#inbox';
const CHANNEL = ({ verona }: Places) => `#narrow/channel/${verona}`;
const TOPIC = ({ verona }: Places) => `#narrow/channel/${verona}/topic/soup`;
const SOUP = (page: Page) => rowsWith(page, 'Soup at one');

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name }).waitFor();

/** Opens a menu of the app and chooses an item. */
const fromMenu = (menu: string, item: string, opened: string | RegExp) => async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name: menu, exact: true }).first().click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
  await dialog(page, opened);
};

/** Opens the menu of the message by keyboard, and chooses an item. */
const ofMessage = (item: string, opened: string) => async (page: Page) => {
  await SOUP(page).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: item }).click();
  await dialog(page, opened);
};

const SCREENS: Record<string, Screen> = {
  inbox: { at: INBOX, heading: 'Inbox' },
  'menu of a topic': {
    at: INBOX,
    heading: 'Inbox',
    open: async (page) => {
      await page.getByRole('button', { name: 'Actions for news' }).last().click();
      await page.getByRole('menu').waitFor();
    },
  },
  'menu of a channel': {
    at: INBOX,
    heading: 'Inbox',
    open: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Actions for #Verona' }).click();
      await page.getByRole('menuitem', { name: 'Channel settings' }).waitFor();
    },
  },
  'collapsed group': {
    at: INBOX,
    heading: 'Inbox',
    open: (page) => page.getByRole('button', { name: 'Collapse Verona' }).click(),
    close: (page) => page.getByRole('button', { name: 'Expand Verona' }).click(),
  },
  'all conversations': {
    at: () => '#menu',
    open: (page) => sidebar(page).waitFor(),
  },
  channel: { at: CHANNEL, heading: 'Verona' },
  'channel settings': {
    at: CHANNEL,
    heading: 'Verona',
    open: fromMenu('Actions for #Verona', 'Channel settings', 'Channel settings: #Verona'),
  },
  'archive channel': {
    at: CHANNEL,
    heading: 'Verona',
    open: async (page) => {
      await fromMenu('Actions for #Verona', 'Channel settings', 'Channel settings: #Verona')(page);
      await page.getByRole('button', { name: 'Archive channel' }).click();
      await page.getByText('Archive #Verona for everyone?').waitFor();
    },
  },
  members: {
    at: CHANNEL,
    heading: 'Verona',
    open: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Actions for #Verona' }).click();
      await page.getByRole('menuitem', { name: 'Subscribers' }).click();
      await page.getByText(/\d subscribers/).waitFor();
      await page.getByLabel('Find or add people').waitFor();
    },
    close: (page) => page.keyboard.press('Escape'),
  },
  'new topic': {
    at: CHANNEL,
    heading: 'Verona',
    open: async (page) => {
      await page.getByRole('button', { name: 'New topic' }).click();
      await dialog(page, 'New topic');
    },
  },
  topic: { at: TOPIC, heading: 'soup' },
  'empty topic': { at: ({ verona }) => `#narrow/channel/${verona}/topic/nothing.20yet`, heading: 'nothing yet' },
  'action bar': {
    at: TOPIC,
    heading: 'soup',
    open: async (page) => {
      await SOUP(page).focus();
      // Phones have the menu instead.
      const isTouch = await page.evaluate(() => matchMedia('(pointer: coarse)').matches);
      await page.getByRole('toolbar', { name: 'Message actions' }).waitFor({ state: isTouch ? 'hidden' : 'visible' });
    },
  },
  'menu of a message': {
    at: TOPIC,
    heading: 'soup',
    open: async (page) => {
      await SOUP(page).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menu', { name: 'Message actions' }).waitFor();
    },
  },
  'reaction picker': { at: TOPIC, heading: 'soup', open: ofMessage('Add reaction', 'Add reaction') },
  'edit history': {
    at: TOPIC,
    heading: 'soup',
    open: async (page) => {
      await ofMessage('View edit history', 'Edit history')(page);
      await page.locator('.highlight_text_inserted').first().waitFor();
    },
  },
  'read receipts': {
    at: TOPIC,
    heading: 'soup',
    open: async (page) => {
      await ofMessage('View read receipts', 'Read by')(page);
      await page.getByRole('dialog').getByText('Cordelia').waitFor();
    },
  },
  'move messages': { at: TOPIC, heading: 'soup', open: ofMessage('Move messages', 'Move messages') },
  'delete message': { at: TOPIC, heading: 'soup', open: ofMessage('Delete message', 'Delete message') },
  'edit message': {
    at: TOPIC,
    heading: 'soup',
    open: async (page) => {
      await SOUP(page).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Edit message' }).click();
      await page.getByRole('textbox', { name: 'Edit message' }).waitFor();
    },
  },
  'emoji picker': {
    at: TOPIC,
    heading: 'soup',
    open: async (page) => {
      await page.getByRole('button', { name: 'Insert emoji' }).click();
      await page.getByRole('dialog', { name: 'Emoji' }).getByRole('option').first().waitFor();
    },
  },
  'emoji picker without results': {
    at: TOPIC,
    heading: 'soup',
    open: async (page) => {
      await page.getByRole('button', { name: 'Insert emoji' }).click();
      await page.getByRole('searchbox', { name: 'Search emoji' }).fill('zzzz');
      await page.getByText('No emoji has this name.').waitFor();
    },
    // The first one empties the field.
    close: async (page) => {
      for (let times = 0; times < 2; times++) await page.keyboard.press('Escape');
    },
  },
  completion: {
    at: TOPIC,
    heading: 'soup',
    open: async (page) => {
      await composer(page).click();
      await page.keyboard.type('@c');
      await page.getByRole('option').first().waitFor();
    },
    close: (page) => composer(page).fill(''),
  },
  'text that is too long': {
    at: TOPIC,
    heading: 'soup',
    open: async (page) => {
      await composer(page).fill('x'.repeat(10_001));
      await page.getByText('1 character too many').waitFor();
    },
    close: (page) => composer(page).fill(''),
  },
  'failed upload': {
    at: TOPIC,
    heading: 'soup',
    open: async (page, cut) => {
      await cut();
      const input = page.locator('input[type="file"]');
      await input.setInputFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
      await page.getByRole('button', { name: 'Retry the upload of x.txt' }).waitFor();
    },
    close: async (page) => {
      await page.getByRole('button', { name: 'Remove x.txt' }).click();
      await page.context().setOffline(false);
      await page.locator('.banner').getByText('No connection.').waitFor({ state: 'detached' });
    },
  },
  'message not sent': {
    at: TOPIC,
    heading: 'soup',
    open: async (page, cut) => {
      await cut();
      await page.locator('.banner').getByText('No connection.').waitFor();
      await composer(page).fill('Into the void');
      await composer(page).press('Control+Enter');
      await page.getByText('The connection broke. This message may not have arrived.').waitFor();
    },
    close: async (page) => {
      await rowsWith(page, 'Into the void').getByRole('button', { name: 'Discard' }).click();
      await page.context().setOffline(false);
      await page.locator('.banner').getByText('No connection.').waitFor({ state: 'detached' });
    },
  },
  'direct conversation': {
    at: ({ cordelia }) => `#narrow/dm/${cordelia}-dm`,
    heading: "Cordelia, Lear's daughter",
  },
  mentions: { at: () => '#narrow/is/mentioned', heading: 'Mentions' },
  starred: { at: () => '#narrow/is/starred', heading: 'Starred messages' },
  'search results': { at: () => '#narrow/search/soup', heading: 'Search: soup' },
  'search dialog': {
    at: INBOX,
    heading: 'Inbox',
    open: async (page) => {
      await page.keyboard.press('/');
      await dialog(page, 'Search');
    },
  },
  'quick switcher': {
    at: INBOX,
    heading: 'Inbox',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
    },
  },
  recent: { at: () => '#recent', heading: 'Recent conversations' },
  shortcuts: {
    at: INBOX,
    heading: 'Inbox',
    open: async (page) => {
      await page.keyboard.press('?');
      await dialog(page, 'Keyboard shortcuts');
    },
  },
  'unknown address': {
    at: () => '#nowhere/at/all',
    open: (page) => page.getByText('This link is not valid.').waitFor(),
    close: (page) => page.getByRole('alert').getByRole('button', { name: 'Close' }).click(),
  },
  'channel browser': {
    at: () => '#channels/browse',
    heading: 'Browse channels',
    open: async (page) => {
      await page
        .getByRole('button', { name: 'Subscribe core team' })
        .or(page.getByRole('link', { name: 'Rome' }))
        .first()
        .waitFor();
    },
  },
  'new channel': { at: () => '#channels/new', heading: 'Create channel' },
  people: { at: () => '#people', heading: 'People' },
  'invite people': {
    at: () => '#people',
    heading: 'People',
    open: async (page) => {
      await page.getByRole('button', { name: 'Invite people' }).first().click();
      await page.getByRole('group', { name: 'Channels' }).waitFor();
    },
  },
  profile: {
    at: () => '#people',
    heading: 'People',
    open: async (page) => {
      await page.getByLabel('Search people').fill('cordelia');
      await page.getByRole('button', { name: /^Profile Cordelia/ }).click();
      await dialog(page, /^Profile of Cordelia/);
    },
  },
  'new message': { at: () => '#new-message', heading: 'New message' },
  settings: {
    at: () => '#settings',
    heading: 'Settings',
    open: (page) => page.getByRole('button', { name: 'Unmute #Verona › noise' }).waitFor(),
  },
};

story('every screen is accessible, and not wider than the window', LOOKS, (t, look) =>
  checkScreens(t, look, { isAccessible: true }),
);

story('no screen is wider than a phone', [{ size: 'phone' }], (t, look) =>
  checkScreens(t, look, { isAccessible: false }),
);

/** @param isAccessible also checks each screen with axe */
async function checkScreens(t: TestContext, look: Look, { isAccessible }: { isAccessible: boolean }): Promise<void> {
  const chat = await stage(t);
  const places = { verona: await chat.channel('Verona'), cordelia: chat.account('cordelia').user_id };
  const iago = chat.as('iago');
  await iago.messages.markAllRead();
  const id = await chat.say('iago', { channel: 'Verona', topic: 'soup' }, 'Soup at noon');
  await iago.messages.edit({ message_id: id, content: 'Soup at one, @**Iago**' });
  await chat.as('cordelia').messages.markAllRead();
  await iago.messages.addReaction({ message_id: id, emoji_name: 'tada' });
  await iago.messages.updateFlags({ op: 'add', flag: 'starred', messages: [id] });
  await iago.userTopics.set({ stream_id: places.verona, topic: 'noise', visibility_policy: 1 });
  await chat.say(
    'othello',
    { channel: 'Verona', topic: 'news' },
    '```spoiler Secret\nx\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |',
  );
  await chat.as('cordelia').messages.send({ type: 'direct', to: [chat.account('iago').user_id], content: 'Hello' });
  const { page, context } = await chat.open('iago', { ...look, at: '#inbox' });
  const findings: string[] = [];
  for (const [name, screen] of Object.entries(SCREENS)) {
    try {
      findings.push(...(await findingsOf(name, screen)));
    } catch (error) {
      // Lets the tests of other screens run.
      findings.push(`${name}: ${(error as Error).message}`);
      await context.setOffline(false);
      await page.reload();
      await untilLive(page);
    }
  }
  assert.deepEqual(findings, []);

  async function findingsOf(name: string, screen: Screen): Promise<string[]> {
    await goTo(page, screen.at(places));
    if (screen.heading) await heading(page, screen.heading).waitFor();
    if (screen.at === TOPIC) await SOUP(page).waitFor();
    await screen.open?.(page, () => chat.cut(context));
    // Avatars and responses about permissions come a moment later.
    await page.waitForTimeout(200);
    const found = isAccessible ? (await axeFindings(page)).map((finding) => `${name}: ${finding}`) : [];
    const isWide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth;
    });
    if (isWide) found.push(`${name}: wider than the window`);
    if (screen.close) await screen.close(page);
    else if (screen.open) await page.keyboard.press('Escape');
    const open = page.getByRole('dialog').or(page.getByRole('menu'));
    if (screen.open) await open.first().waitFor({ state: 'detached' });
    return found;
  }
}
