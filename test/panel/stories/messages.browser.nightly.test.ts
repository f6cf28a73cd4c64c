/** Stories of messages that are edited, deleted, moved or reacted to, and of changes of their channels. */
import type { Locator, Page } from 'playwright-core';
import { until, untilEqual } from '../../support/until.ts';
import { choose as chooseOf, goTo, heading, sidebarLink } from '../app/app.ts';
import { axe, composer, type Look, rowsWith, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };
const PHONE: Look = { size: 'phone', scheme: 'dark', direction: 'rtl' };

/** Opens the menu of a message by keyboard, and chooses an action. */
async function choose(page: Page, row: Locator, name: string): Promise<void> {
  await row.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name }).click();
}

const topicOf = (channelId: number, topic: string) => `#narrow/channel/${channelId}/topic/${topic}`;

story('an own message is edited, and its history shows what changed', [PHONE], async (t, look) => {
  const chat = await stage(t);
  const at = topicOf(await chat.channel('Verona'), 'soup');
  const { page } = await chat.open('hamlet', { ...look, at });
  const { page: other } = await chat.open('cordelia', { ...look, at });
  await composer(page).fill('Soup at noon');
  await composer(page).press('Control+Enter');
  const row = rowsWith(page, 'Soup at noon');
  await row.and(page.locator('[data-id]')).waitFor();
  await choose(page, row, 'Edit message');
  const field = page.getByRole('textbox', { name: 'Edit message' });
  await field.fill('Soup at one');
  await page.getByRole('button', { name: 'Save' }).click();
  for (const one of [page, other]) await rowsWith(one, 'Soup at one').getByText('edited').waitFor();
  await untilEqual(() => rowsWith(other, 'Soup at noon').count(), 0);
  // The row has the focus again: the keyboard continues from there.
  await page.waitForFunction(() =>
    document.querySelector('parlance-panel')?.shadowRoot?.activeElement?.matches('article'),
  );
  await choose(other, rowsWith(other, 'Soup at one'), 'View edit history');
  const dialog = other.getByRole('dialog', { name: 'Edit history' });
  await dialog.getByText('Edited by King Hamlet').waitFor();
  await untilEqual(() => dialog.locator('.highlight_text_inserted').textContent(), 'one');
  await untilEqual(() => dialog.locator('.highlight_text_deleted').textContent(), 'noon');
  await axe(other);
  await other.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

story('an own message is deleted after a question, for everyone', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const at = topicOf(await chat.channel('Verona'), 'soup');
  await chat.say('cordelia', { channel: 'Verona', topic: 'soup' }, 'Of Cordelia');
  await chat.say('hamlet', { channel: 'Verona', topic: 'soup' }, 'Of Hamlet');
  const { page } = await chat.open('hamlet', { ...look, at });
  const { page: other } = await chat.open('cordelia', { ...look, at });
  await rowsWith(other, 'Of Hamlet').waitFor();
  await choose(page, rowsWith(page, 'Of Hamlet'), 'Delete message');
  const dialog = page.getByRole('dialog', { name: 'Delete message' });
  await dialog.getByText('Of Hamlet').waitFor();
  await axe(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await choose(page, rowsWith(page, 'Of Hamlet'), 'Delete message');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  for (const one of [page, other]) {
    await rowsWith(one, 'Of Hamlet').waitFor({ state: 'detached' });
    await rowsWith(one, 'Of Cordelia').waitFor();
  }
  await rowsWith(page, 'Of Cordelia').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
  await untilEqual(() => page.getByRole('menuitem', { name: 'Delete message' }).count(), 0, 'of another user');
});

story('two people react, and one takes the reaction back', [PHONE], async (t, look) => {
  const chat = await stage(t);
  const at = topicOf(await chat.channel('Verona'), 'soup');
  const id = await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'Soup?');
  const { page } = await chat.open('hamlet', { ...look, at });
  const { page: other } = await chat.open('cordelia', { ...look, at });
  await choose(page, rowsWith(page, 'Soup?'), 'Add reaction');
  const picker = page.getByRole('dialog', { name: 'Add reaction' });
  await picker.getByRole('searchbox', { name: 'Search emoji' }).fill('tada');
  await picker.getByRole('option', { name: 'tada', exact: true }).waitFor();
  await axe(page);
  await picker.getByRole('searchbox').press('Enter');
  await page.getByRole('button', { name: 'You reacted with :tada:', pressed: true }).waitFor();
  await other.getByRole('button', { name: 'King Hamlet reacted with :tada:', pressed: false }).click();
  for (const [one, name] of [
    [page, /^(You and Cordelia.*|Cordelia.* and You) reacted with :tada:$/],
    [other, /^(You and King Hamlet|King Hamlet and You) reacted with :tada:$/],
  ] as const)
    await one.getByRole('button', { name, pressed: true }).waitFor();
  const reactions = async () => (await chat.as('othello').messages.get({ message_id: id })).message.reactions;
  await until('the server has both', async () => (await reactions()).length === 2);
  await page.getByRole('button', { name: /reacted with :tada:$/ }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: /^Cordelia.* reacted with :tada:$/, pressed: false }).waitFor();
  await other.getByRole('button', { name: 'You reacted with :tada:', pressed: true }).waitFor();
  await axe(page);
});

story('a topic is moved, and the open lists of both places are right', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const [verona, venice] = [await chat.channel('Verona'), await chat.channel('Venice')];
  for (const text of ['First', 'Second', 'Third'])
    await chat.say('othello', { channel: 'Verona', topic: 'soup' }, text);
  await chat.say('othello', { channel: 'Venice', topic: 'dinner' }, 'Stays in dinner');
  const { page } = await chat.open('iago', { ...look, at: topicOf(verona, 'soup') });
  const { page: reader } = await chat.open('hamlet', { ...look, at: topicOf(verona, 'soup') });
  const { page: there } = await chat.open('cordelia', { ...look, at: topicOf(venice, 'dinner') });
  const { page: channel } = await chat.open('shiva', { ...look, at: `#narrow/channel/${verona}` });
  for (const one of [reader, channel]) await rowsWith(one, 'Third').waitFor();
  await rowsWith(there, 'Stays in dinner').waitFor();

  // A part of the topic: its readers stay.
  await choose(page, rowsWith(page, 'Third'), 'Move messages');
  const dialog = page.getByRole('dialog', { name: 'Move messages' });
  await dialog.getByRole('combobox', { name: 'Channel' }).selectOption('Venice');
  await dialog.getByRole('textbox', { name: 'Topic' }).fill('Dinner');
  await dialog.getByRole('radio', { name: 'Only this message' }).check();
  await axe(page);
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await rowsWith(there, 'Third').waitFor();
  for (const one of [page, reader, channel]) {
    await rowsWith(one, /^.*Third/s).waitFor({ state: 'detached' });
    await rowsWith(one, 'Second').first().waitFor();
  }
  await heading(reader, 'soup').waitFor();

  // The whole topic: its readers follow it.
  await choose(page, rowsWith(page, 'First'), 'Move messages');
  await dialog.getByRole('combobox', { name: 'Channel' }).selectOption('Venice');
  await dialog.getByRole('textbox', { name: 'Topic' }).fill('dinner');
  await dialog.getByRole('radio', { name: 'The whole topic' }).check();
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  for (const one of [page, reader, there]) {
    await heading(one, 'dinner').waitFor();
    await rowsWith(one, 'First').waitFor();
    await untilEqual(
      async () =>
        (await shownTexts(one)).filter((text) => ['First', 'Second', 'Stays in dinner', 'Third'].includes(text)),
      ['First', 'Second', 'Third', 'Stays in dinner'],
    );
  }
  await rowsWith(channel, 'First').waitFor({ state: 'detached' });
});

const shownTexts = async (page: Page) =>
  (await page.getByRole('feed').locator('article .rendered_markdown').allTextContents()).map((text) => text.trim());

story('a channel is renamed while others read it', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}`;
  const { page } = await chat.open('iago', { ...look, at });
  const { page: other } = await chat.open('hamlet', { ...look, at });
  await chooseOf(page, 'Actions for #Verona', 'Channel settings');
  const dialog = page.getByRole('dialog', { name: /Verona/ });
  await axe(page);
  await dialog.getByLabel('Name').fill('Mantua');
  await dialog.getByRole('button', { name: 'Save' }).click();
  for (const one of [page, other]) {
    await heading(one, 'Mantua').waitFor();
    await sidebarLink(one, 'Mantua').waitFor();
    await one.waitForFunction(() => document.title.includes('Mantua'));
    await composerOrTopics(one);
  }
});

/** A channel that is open as a whole has the button for a new topic. */
const composerOrTopics = (page: Page) => page.getByRole('button', { name: 'New topic' }).waitFor();

story('a user is unsubscribed while the channel is open, and subscribes again', [PHONE], async (t, look) => {
  const chat = await stage(t);
  const verona = await chat.channel('Verona');
  await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'Soup?');
  const { page } = await chat.open('hamlet', { ...look, at: topicOf(verona, 'soup') });
  await rowsWith(page, 'Soup?').waitFor();
  await composer(page).fill('I would like');
  const { user_id } = chat.account('hamlet');
  await chat.as('desdemona').subscriptions.remove({ subscriptions: ['Verona'], principals: [user_id] });
  await page.getByText('You are not subscribed to this channel. New messages may be missing.').waitFor();
  await rowsWith(page, 'Soup?').waitFor();
  await untilEqual(() => composer(page).inputValue(), 'I would like');
  await axe(page);
  // A public channel accepts messages of users who are not subscribed.
  await composer(page).press('End');
  await page.keyboard.type(' some');
  await composer(page).press('Control+Enter');
  await rowsWith(page, 'I would like some').and(page.locator('[data-id]')).waitFor();
  await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'Missed while away');
  await goTo(page, `#narrow/channel/${verona}`);
  await heading(page, 'Verona').waitFor();
  await chooseOf(page, 'Actions for #Verona', 'Subscribe');
  await page.getByText('You are not subscribed to this channel.').waitFor({ state: 'detached' });
  await rowsWith(page, 'Missed while away').waitFor();
  await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'Live again');
  await rowsWith(page, 'Live again').waitFor();
});
