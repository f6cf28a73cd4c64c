/** Stories of finding one's way: the quick switcher, keys, recent conversations, answers in a channel, search results. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { untilEqual } from '../../support/until.ts';
import { fragmentOf, goTo, heading, sidebarLink } from '../app/app.ts';
import { axe, composer, type Look, rareStory, rowsWith, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };
const PHONE: Look = { size: 'phone', scheme: 'dark', direction: 'rtl' };

const switcher = (page: Page) => page.getByRole('combobox', { name: 'Person, channel or topic' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name }).first();
const isActive = (page: Page, name: RegExp) => page.getByRole('option', { name, selected: true }).waitFor();

story(
  'the quick switcher leads to people, channels and topics by the keyboard alone',
  [DESKTOP, PHONE],
  async (t, look) => {
    const chat = await stage(t);
    const hamlet = chat.as('hamlet');
    await chat.say('othello', { channel: 'Venice', topic: 'Quarterly report' }, 'It is ready.');
    for (let index = 0; index < 60; index++)
      await chat.say('othello', { channel: 'Verona', topic: 'noise' }, `Message ${index}`);
    await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'With saffron?');
    await chat.as('desdemona').users.create({
      email: 'soren@zulip.com',
      password: 'a long password 1',
      full_name: 'Søren Łukasz',
    });
    await hamlet.messages.markAllRead();
    const { page } = await chat.open('hamlet', { ...look, at: '#inbox' });

    // A person whom the page has not loaded, without strokes.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await option(page, /^soup #Verona/).waitFor();
    await axe(page);
    await page.keyboard.type('soren luk');
    await isActive(page, /^Søren Łukasz/);
    await page.keyboard.press('Enter');
    await heading(page, 'Søren Łukasz').waitFor();
    await untilEqual(() => page.getByRole('dialog').count(), 0);

    // From the composer, to a topic by the words of both names. The place before is the first one offered.
    await goTo(page, `#narrow/channel/${await chat.channel('Verona')}`);
    await heading(page, 'Verona').waitFor();
    // Until this has loaded, the key does nothing.
    await page.getByRole('button', { name: 'New topic' }).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'New topic' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await goTo(page, `#narrow/channel/${await chat.channel('Verona')}/topic/news`);
    await composer(page).click();
    await page.keyboard.press('Control+k');
    await isActive(page, /^Verona/);
    await page.keyboard.type('ver soup');
    await isActive(page, /^soup #Verona/);
    await page.keyboard.press('Enter');
    await heading(page, 'soup').waitFor();

    // An old topic of another channel, which only the server knows.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('quart');
    await isActive(page, /^Quarterly report #Venice/);
    await page.keyboard.press('Enter');
    await heading(page, 'Quarterly report').waitFor();

    // The same key closes it, and Escape. The last offer searches messages.
    await page.keyboard.press('Control+k');
    await switcher(page).waitFor();
    await page.keyboard.press('Control+k');
    await switcher(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('saffron');
    await page.keyboard.press('ArrowUp');
    await isActive(page, /^Search messages for “saffron”/);
    await page.keyboard.press('Enter');
    await heading(page, 'Search: saffron').waitFor();
  },
);

story(
  'keys lead to the next unread conversation and along the sidebar, and a list shows all keys',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    await chat.as('hamlet').messages.markAllRead();
    await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'Soup?');
    await chat.say('othello', { channel: 'Verona', topic: 'news' }, 'We have moved.');
    await chat.as('cordelia').messages.send({
      type: 'direct',
      to: [chat.account('hamlet').user_id],
      content: 'Are you there?',
    });
    const { page } = await chat.open('hamlet', { ...look, at: '#inbox' });
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await heading(page, "Cordelia, Lear's daughter").waitFor();
    await rowsWith(page, 'Are you there?').and(page.locator(':not(.unread)')).waitFor();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await heading(page, 'soup').waitFor();
    await rowsWith(page, 'Soup?').and(page.locator(':not(.unread)')).waitFor();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await heading(page, 'news').waitFor();
    await rowsWith(page, 'We have moved.').and(page.locator(':not(.unread)')).waitFor();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await page.getByText('You have read everything.').waitFor();

    // Along the sidebar, also from a field. Letters are text for the composer.
    await page.keyboard.press('Alt+ArrowDown');
    await heading(page, 'Recent conversations').waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await heading(page, 'Inbox').waitFor();
    await sidebarLink(page, 'Verona').click();
    await page.getByRole('list', { name: 'Topics in #Verona' }).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    for (const letter of ['n', 'c', 'r', 'e']) {
      await rowsWith(page, 'We have moved.').or(rowsWith(page, 'Soup?')).first().click();
      await page.keyboard.type(letter);
      await untilEqual(() => composer(page).inputValue(), letter);
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Escape');
    }
    await page.keyboard.type('n');
    await untilEqual(() => composer(page).inputValue(), 'n');
    const before = fragmentOf({ page });
    await page.keyboard.press('Alt+ArrowDown');
    await page.waitForFunction((fragment) => location.hash !== fragment, before);
    await page.keyboard.press('Alt+ArrowUp');
    await page.waitForFunction((fragment) => location.hash === fragment, before);

    await page.keyboard.press('Control+/');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const meaning of ['Go to a person, channel or topic', 'Next unread conversation', 'Reply to the message'])
      await keys.getByText(meaning).waitFor();
    await axe(page);
  },
);

story(
  'recent conversations show who wrote last, what, when and who takes part, and change while they are open',
  [DESKTOP, PHONE],
  async (t, look) => {
    const chat = await stage(t);
    await chat.as('hamlet').messages.markAllRead();
    await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'With **saffron**?');
    await chat.say('cordelia', { channel: 'Verona', topic: 'soup' }, 'Yes! :tada:');
    const { page } = await chat.open('hamlet', { ...look, at: '#recent' });
    await heading(page, 'Recent conversations').waitFor();
    const first = page.locator('.recent-row').first();
    await first.getByText('soup').waitFor();
    await first.getByText("Cordelia, Lear's daughter: Yes! 🎉").waitFor();
    await first.getByText('2 unread messages').waitFor({ state: 'attached' });
    if (look.size === 'desktop')
      await first.getByText("With Cordelia, Lear's daughter and Othello, the Moor of Venice").waitFor();
    await axe(page);

    await chat.say('othello', { channel: 'Verona', topic: 'news' }, 'We have moved.');
    await first.getByText('Othello, the Moor of Venice: We have moved.').waitFor();
    const { messages } = await chat.as('othello').messages.list({
      narrow: [
        ['channel', 'Verona'],
        ['topic', 'news'],
      ],
      anchor: 'newest',
      num_before: 1,
    });
    const message_id = messages.at(-1)?.id ?? 0;
    await chat.as('othello').messages.edit({ message_id, content: 'We have *not* moved.' });
    await first.getByText('Othello, the Moor of Venice: We have not moved.').waitFor();
    await chat.as('desdemona').messages.edit({
      ...{ message_id, topic: 'rumours', propagate_mode: 'change_all' },
      ...{ send_notification_to_new_thread: false, send_notification_to_old_thread: false },
    });
    await first.getByText('rumours').waitFor();

    // The same words in the inbox. Up and down lead through the rows.
    await goTo(page, '#inbox');
    const row = page.locator('.inbox-row', { hasText: 'rumours' });
    await row.getByText('Othello, the Moor of Venice: We have not moved.').waitFor();
    await axe(page);
    await page.locator('.row-link').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'rumours').waitFor();
  },
);

rareStory(
  'a topic is answered below the messages of its channel, also after it was renamed',
  [DESKTOP, PHONE],
  async (t, look) => {
    const chat = await stage(t);
    const id = await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'With saffron?');
    await chat.say('othello', { channel: 'Verona', topic: 'news' }, 'We have moved.');
    await chat.as('hamlet').messages.markAllRead();
    const { page } = await chat.open('hamlet', { ...look, at: `#narrow/channel/${await chat.channel('Verona')}` });
    const line = (name: string) => page.getByRole('feed').getByRole('article', { name, exact: true }).last();
    await line('soup').getByRole('button', { name: 'Reply' }).click();
    const field = (topic: string) => page.getByRole('textbox', { name: `Message to Verona › ${topic}` });
    await field('soup').waitFor();
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.matches('textarea'));
    await axe(page);
    await page.keyboard.type('Yes, a little.');
    await page.getByRole('button', { name: /^Send/ }).click();
    // It stands under its own topic, not under the one above.
    const sent = rowsWith(page, 'Yes, a little.');
    await sent.waitFor();
    const above = () =>
      sent.evaluate((row) => {
        let before = row.previousElementSibling;
        while (before && !before.matches('.place-line')) before = before.previousElementSibling;
        return before?.textContent;
      });
    await untilEqual(() => above(), 'soup');
    await sent.and(page.locator('[data-id]')).waitFor();
    const { messages } = await chat.as('othello').messages.list({ narrow: [], anchor: 'newest', num_before: 1 });
    assert.equal(messages.at(-1)?.subject, 'soup');

    // A text being written goes with its topic.
    await field('soup').fill('And');
    await chat.as('desdemona').messages.edit({ message_id: id, topic: 'stew', propagate_mode: 'change_all' });
    await field('stew').waitFor();
    await untilEqual(() => field('stew').inputValue(), 'And');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New topic' }).waitFor();
    // By the key of a message, which a click does not give to it.
    await page.keyboard.press('Tab');
    await rowsWith(page, 'We have moved.').focus();
    await page.keyboard.press('r');
    await field('news').waitFor();
    const address = `#narrow/channel/${await chat.channel('Verona')}`;
    await untilEqual(() => fragmentOf({ page }), address);
  },
);

rareStory('results of a search have their context, and filters can be removed', [DESKTOP, PHONE], async (t, look) => {
  const chat = await stage(t);
  const place = { channel: 'Verona', topic: 'soup' };
  for (const text of ['Zero', 'One', 'Two', 'The soup has saffron.', 'Three', 'Four', 'Five'])
    await chat.say(/saffron/.test(text) ? 'othello' : 'cordelia', place, text);
  await chat.say('cordelia', { channel: 'Verona', topic: 'news' }, 'Saffron is sold out.');
  await chat.as('hamlet').messages.markAllRead();
  const othello = chat.account('othello').user_id;
  const { page } = await chat.open('hamlet', { ...look, at: `#narrow/sender/${othello}/search/saffron` });
  const found = rowsWith(page, 'The soup has saffron.');
  await found.waitFor();
  await untilEqual(() => found.locator('.highlight').allTextContents(), ['saffron']);
  await page.getByRole('button', { name: 'Show context' }).click();
  await rowsWith(page, 'Four').waitFor();
  const texts = () => page.locator('.list .body').allTextContents();
  await untilEqual(texts, ['One', 'Two', 'The soup has saffron.', 'Three', 'Four']);
  await axe(page);
  await page.getByRole('button', { name: 'Hide context' }).click();
  await rowsWith(page, 'Four').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Remove from:"Othello, the Moor of Venice"' }).click();
  await heading(page, 'Search: saffron').waitFor();
  await rowsWith(page, 'Saffron is sold out.').waitFor();
  await page.getByRole('button', { name: 'Remove saffron' }).click();
  await heading(page, 'Inbox').waitFor();
});

rareStory('the address of a user opens their profile above the list of people', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const { user_id } = chat.account('othello');
  const { page } = await chat.open('hamlet', { ...look, at: `#user/${user_id}` });
  await page.getByRole('dialog', { name: 'Profile of Othello, the Moor of Venice' }).waitFor();
  await axe(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await heading(page, 'People').waitFor();
  await untilEqual(() => fragmentOf({ page }), '#people');
});
