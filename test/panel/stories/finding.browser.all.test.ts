/** Stories of attention: typing users, muted topics, and search for a message. */
import assert from 'node:assert/strict';
import { until, untilEqual } from '../../support/until.ts';
import { choose, goTo, heading, sidebarLink } from '../app/app.ts';
import { axe, composer, type Look, rareStory, rowsWith, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };
const PHONE: Look = { size: 'phone', scheme: 'dark', direction: 'rtl' };

story('who types is shown, and no longer some seconds after their browser was closed', [PHONE], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const { page } = await chat.open('hamlet', { ...look, at });
  const { page: other, context } = await chat.open('cordelia', { ...look, at });
  const typing = page.getByText("Cordelia, Lear's daughter is typing…");
  await composer(other).click();
  await other.keyboard.type('I w');
  await typing.waitFor();
  await axe(page);
  await context.close();
  await typing.waitFor({ state: 'detached' });
});

rareStory('a muted topic leaves the counts in all browsers of the user, and comes back', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  await chat.as('hamlet').messages.markAllRead();
  for (const text of ['Soup?', '@**King Hamlet** soup?'])
    await chat.say('othello', { channel: 'Verona', topic: 'soup' }, text);
  await chat.say('othello', { channel: 'Verona', topic: 'news' }, 'We have moved.');
  const first = await chat.open('hamlet', { ...look, at: '#inbox' });
  const second = await chat.open('hamlet', { ...look, at: '#inbox' });
  const { page } = first;
  for (const one of [page, second.page]) {
    await sidebarLink(one, 'Inbox').getByText('3 unread messages').waitFor();
    await sidebarLink(one, 'Verona').getByText('3 unread messages, you are mentioned').waitFor();
    await one.waitForFunction(() => document.title === '(3) Inbox · Parlance demo');
  }
  await choose(page, 'Actions for soup', 'Mute topic');
  for (const one of [page, second.page]) {
    await one.waitForFunction(() => document.title === '(1) Inbox · Parlance demo');
    await sidebarLink(one, 'Inbox').getByText('1 unread message').waitFor();
    await one.getByRole('link', { name: /^news/ }).waitFor();
    await one.getByRole('link', { name: /^soup/ }).first().waitFor({ state: 'detached' });
  }
  await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'Soup!');
  await chat.say('othello', { channel: 'Verona', topic: 'news' }, 'Twice.');
  await sidebarLink(page, 'Inbox').getByText('2 unread messages').waitFor();
  await sidebarLink(page, 'Verona').click();
  await choose(page, 'Actions for #Verona', 'Mark as read');
  await sidebarLink(second.page, 'Inbox').getByText('2 unread messages').waitFor({ state: 'detached' });
  await sidebarLink(page, 'soup').click();
  await heading(page, 'soup').waitFor();
  await choose(page, 'Actions for soup', 'Unmute topic');
  // An open conversation is read at once.
  await goTo(page, '#inbox');
  await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'Soup, again?');
  await sidebarLink(second.page, 'Inbox').getByText('1 unread message').waitFor();
});

rareStory(
  'a note to oneself is marked as unread, counted, and marked as read in the inbox',
  [PHONE],
  async (t, look) => {
    const chat = await stage(t);
    const hamlet = chat.as('hamlet');
    const { user_id } = chat.account('hamlet');
    await hamlet.messages.send({ type: 'direct', to: [user_id], content: 'Buy a lamp' });
    await hamlet.messages.markAllRead();
    const { page } = await chat.open('hamlet', { ...look, at: `#narrow/dm/${user_id}-dm` });
    await rowsWith(page, 'Buy a lamp').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Mark as unread from here' }).click();
    // The message is visible, and stays unread.
    await rowsWith(page, 'Buy a lamp').and(page.locator('.unread')).waitFor();
    await page.waitForTimeout(1_000);
    await untilEqual(() => page.locator('article.unread').count(), 1);
    await goTo(page, '#inbox');
    await page.getByRole('button', { name: 'Mark as read: Notes to yourself' }).click();
    await page.getByText('You have read everything.').waitFor();
    await axe(page);
  },
);

rareStory(
  'a message is searched, its result opens in place, and its link leads others there',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    const place = { channel: 'Verona', topic: 'soup (hot)' };
    const wanted = await chat.say('othello', place, 'The soup has **saffron**.');
    for (let index = 0; index < 120; index++) await chat.say('cordelia', place, `Message ${index}`);
    for (const login of ['hamlet', 'cordelia'] as const) await chat.as(login).messages.markAllRead();
    const { page, context } = await chat.open('hamlet', { ...look, at: '#inbox' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search' }).fill('from:othello in:Verona saffron');
    await page.keyboard.press('Enter');
    await heading(page, 'Search: from:"Othello, the Moor of Venice" in:Verona saffron').waitFor();
    const found = rowsWith(page, 'The soup has saffron.');
    await found.waitFor();
    await axe(page);

    // The link of the search, and the link of the message.
    await page.getByRole('button', { name: 'Copy link' }).click();
    const search = await copied();
    assert.equal(search, page.url());
    await found.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    const link = await copied((text) => text !== search);

    await page.getByRole('button', { name: '#Verona › soup (hot)' }).click();
    await heading(page, 'soup (hot)').waitFor();
    await found.waitFor();
    await until('the result is in view', () => isInView(page));
    await untilEqual(() => new URL(page.url()).hash, new URL(link).hash);
    await page.goBack();
    await heading(page, 'Search: from:"Othello, the Moor of Venice" in:Verona saffron').waitFor();

    const { page: other } = await chat.open('cordelia', { ...look, at: new URL(link).hash });
    await heading(other, 'soup (hot)').waitFor();
    await rowsWith(other, 'The soup has saffron.').waitFor();
    await until('the linked message is in view', () => isInView(other));
    await other.goto(search);
    await rowsWith(other, 'The soup has saffron.').waitFor();
    await untilEqual(() => rowsWith(other, 'Message').count(), 0);

    async function copied(isIt = (text: string) => text !== ''): Promise<string> {
      return until('a text is copied', async () => {
        const text = await page.evaluate(() => navigator.clipboard.readText());
        return isIt(text) && text;
      });
    }

    function isInView(shown: typeof page): Promise<boolean> {
      return shown.locator(`article[data-id="${wanted}"]`).evaluate((row) => {
        const list = row.closest('[role="feed"]')?.getBoundingClientRect();
        const { top, bottom } = row.getBoundingClientRect();
        return list !== undefined && top >= list.top && bottom <= list.bottom;
      });
    }
  },
);
