/** What a team uses every day, by the keyboard alone. Other stories play the rest of it with keys. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { heading, sidebar } from '../app/app.ts';
import { axe, composer, type InProcess, type Look, rareStory, rowsWith, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };

const focused = (element: Locator, page: Page) => element.and(page.locator(':focus')).waitFor();

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await element.waitFor();
  for (let presses = 0; presses < 150; presses++) {
    if (await element.evaluate((one) => one.matches(':focus'))) return;
    await page.keyboard.press(key);
  }
  assert.fail(`The Tab key does not lead to ${element}.`);
}

/** Leads from the composer to a message. At first, the list itself has the focus. */
async function toMessage(page: Page, message: Locator): Promise<void> {
  await tabTo(page, page.locator('.list[tabindex="0"], .list article[tabindex="0"]').first(), 'Shift+Tab');
  for (let presses = 0; presses < 20; presses++) {
    if (await message.evaluate((row) => row.matches(':focus'))) return;
    await page.keyboard.press('ArrowDown');
  }
  assert.fail('The arrow keys do not lead to the message.');
}

async function openTopic(chat: InProcess, look: Look, topic: string): Promise<Page> {
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/${topic}`;
  const { page } = await chat.open('hamlet', { ...look, at });
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor();
  return page;
}

rareStory('a profile card, a vote and a task, by the keyboard alone', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  await chat.say('othello', { channel: 'Verona', topic: 'soup' }, '/poll Which soup?\nLeek\nOnion');
  await chat.say('othello', { channel: 'Verona', topic: 'soup' }, '/todo Dinner\nShop: onions');
  await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'Vote until noon.');
  const page = await openTopic(chat, look, 'soup');
  await rowsWith(page, 'Vote until noon.').waitFor();
  const onion = page.getByRole('region', { name: /^Poll: Which soup/ }).getByRole('button', { name: /Onion/ });
  await page.keyboard.press('Escape');
  await tabTo(page, onion);
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Onion 1 vote', pressed: true }).waitFor();
  const task = page.getByRole('checkbox', { name: /^Shop/ });
  await tabTo(page, task);
  await page.keyboard.press('Space');
  await page.locator('.task-done', { hasText: 'Shop' }).waitFor();
  await axe(page);

  await tabTo(page, composer(page));
  await toMessage(page, rowsWith(page, 'Vote until noon.'));
  await page.keyboard.press('Enter');
  const profile = page.getByRole('menuitem', { name: 'View profile of sender' });
  await profile.waitFor();
  while (!(await profile.evaluate((one) => one.matches(':focus')))) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const card = page.getByRole('dialog', { name: 'Profile of Othello, the Moor of Venice' });
  await tabTo(page, card.getByRole('button', { name: 'Mention' }));
  await page.keyboard.press('Enter');
  await card.waitFor({ state: 'detached' });
  await focused(composer(page), page);
  await page.waitForFunction(() =>
    document
      .querySelector('parlance-panel')
      ?.shadowRoot?.querySelector<HTMLTextAreaElement>('.composer textarea')
      ?.value.startsWith('@**Othello'),
  );
});

rareStory('a search, its context, its filters and a result, by the keyboard alone', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  for (const text of ['One', 'The soup has saffron.', 'Three'])
    await chat.say('othello', { channel: 'Verona', topic: 'soup' }, text);
  await chat.as('hamlet').messages.markAllRead();
  const { page } = await chat.open('hamlet', { ...look, at: '#inbox' });
  await heading(page, 'Inbox').waitFor();
  await page.keyboard.press('/');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.type('in:Verona saffron');
  await page.keyboard.press('Enter');
  await rowsWith(page, 'The soup has saffron.').waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Show context' }));
  await page.keyboard.press('Enter');
  await rowsWith(page, 'Three').waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Remove in:Verona' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await heading(page, 'Search: saffron').waitFor();
  await tabTo(page, page.locator('.place-line').getByRole('button', { name: /soup/ }));
  await page.keyboard.press('Enter');
  await heading(page, 'soup').waitFor();
});

story(
  'the inbox, recent conversations, an answer in a channel, people and files, by the keyboard alone',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    await chat.as('hamlet').messages.markAllRead();
    const { url } = await chat.as('othello').uploads.send({ file: new File(['onions'], 'list.txt') });
    await chat.say('othello', { channel: 'Verona', topic: 'soup' }, `With saffron? [list.txt](${url})`);
    const { page } = await chat.open('hamlet', { ...look, at: '#inbox' });
    await tabTo(page, page.locator('.inbox').getByRole('link', { name: 'soup' }));
    await page.keyboard.press('Enter');
    await heading(page, 'soup').waitFor();

    await tabTo(page, sidebar(page).getByRole('link', { name: 'Recent conversations' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'Recent conversations').waitFor();
    await tabTo(page, page.getByRole('main').getByRole('link', { name: /^soup/ }));
    await page.keyboard.press('Enter');
    await heading(page, 'soup').waitFor();

    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor();
    await page.keyboard.press('Control+.');
    const files = page.getByRole('tab', { name: 'Files' });
    await tabTo(page, page.getByRole('tab', { name: 'People' }));
    await page.keyboard.press('ArrowRight');
    await focused(files, page);
    await tabTo(page, page.getByRole('link', { name: 'list.txt' }).last());
    await page.keyboard.press('Control+.');

    await tabTo(page, sidebar(page).getByRole('link', { name: 'Verona' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'Verona').waitFor();
    await rowsWith(page, 'With saffron?').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'New topic' }));
    await toMessage(page, rowsWith(page, 'With saffron?'));
    await page.keyboard.press('r');
    await focused(page.getByRole('textbox', { name: 'Message to Verona › soup' }), page);
    await page.keyboard.type('Yes.');
    await page.keyboard.press('Control+Enter');
    await rowsWith(page, 'Yes.').waitFor();
  },
);

rareStory('notifications are set by the keyboard alone', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const { page } = await chat.open('hamlet', { ...look, at: '#settings' });
  const direct = page.getByRole('checkbox', { name: 'Show the text of direct messages' });
  await tabTo(page, direct);
  await page.keyboard.press('Space');
  await page.waitForFunction(
    () =>
      document.querySelector('parlance-panel')?.store?.settings.get()?.pm_content_in_desktop_notifications === false,
  );
  const sound = page.getByRole('combobox', { name: 'Sound' });
  await tabTo(page, sound, 'Shift+Tab');
  const before = await sound.inputValue();
  // The default is the last one.
  await page.keyboard.press('ArrowUp');
  await until('another sound is chosen', async () => (await sound.inputValue()) !== before);
});
