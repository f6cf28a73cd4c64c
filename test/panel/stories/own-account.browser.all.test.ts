/** Stories of the own account in the sidebar: status, profile, settings, logout. And of what adds to the sidebar. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { untilEqual } from '../../support/until.ts';
import { fragmentOf, heading, sidebar, untilLive } from '../app/app.ts';
import { untilAnswered } from '../page.ts';
import { axe, type InProcess, type Login, type Look, rareStory, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };
const PHONE: Look = { size: 'phone', scheme: 'dark', direction: 'rtl' };

const ownPicture = (page: Page) => sidebar(page).getByRole('button', { name: /: status, profile and settings$/ });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Set a status' });

/** As another user sees it. */
async function statusOf(chat: InProcess, login: Login) {
  const { status } = await chat.as('desdemona').userStatus.get({ user_id: chat.account(login).user_id });
  return { text: status.status_text ?? '', emoji: status.emoji_name ?? '' };
}

story('a status is set in three steps, says until when, and is undone', [DESKTOP, PHONE], async (t, look) => {
  const chat = await stage(t);
  await chat.as('hamlet').messages.markAllRead();
  const { page } = await chat.open('hamlet', { ...look, at: '#menu' });
  await ownPicture(page).click();
  await item(page, 'Sign out').waitFor();
  await axe(page);
  await item(page, 'Set a status').click();
  await dialog(page)
    .getByRole('button', { name: /In a meeting/ })
    .waitFor();
  await axe(page);
  await dialog(page)
    .getByRole('button', { name: /In a meeting/ })
    .click();
  const notice = page.getByRole('status').filter({ hasText: /^Your status: In a meeting \(until / });
  await notice.waitFor({ state: 'attached' });
  const { text, emoji } = await statusOf(chat, 'hamlet');
  assert.match(text, /^In a meeting \(until \d+:\d\d\s[AP]M\)$/);
  assert.equal(emoji, 'calendar');

  // The text without the time can be changed, and the time stays.
  await ownPicture(page).click();
  await item(page, 'Set a status').click();
  const field = dialog(page).getByLabel('Status');
  await dialog(page).getByRole('button', { name: 'Clear status' }).waitFor();
  await untilEqual(() => field.inputValue(), 'In a meeting');
  await field.fill('In the castle');
  await field.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  assert.equal((await statusOf(chat, 'hamlet')).text, text.replace('In a meeting', 'In the castle'));
  await page.getByRole('button', { name: 'Undo' }).evaluate((button: HTMLElement) => button.click());
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  await page.waitForFunction(async (wanted) => {
    const store = document.querySelector('parlance-panel')?.store;
    const user_id = store?.me.get()?.user_id ?? 0;
    return (await store?.session.userStatus.get({ user_id }))?.status.status_text === wanted;
  }, text);
});

rareStory(
  'a status with an emoji is set and cleared by the keyboard alone, and shown in profiles',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    const { page } = await chat.open('hamlet', { ...look, at: '#inbox' });
    await ownPicture(page).focus();
    await page.keyboard.press('Enter');
    await item(page, 'Set a status').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await dialog(page).getByLabel('Status').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox', { name: 'Search emoji' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('octopus');
    await page.getByRole('option', { name: 'octopus', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Emoji: octopus' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('Deep down');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    assert.deepEqual(await statusOf(chat, 'hamlet'), { text: 'Deep down', emoji: 'octopus' });

    const other = await chat.open('iago', { ...look, at: `#user/${chat.account('hamlet').user_id}` });
    await other.page.getByRole('dialog').getByText('Deep down').waitFor();
    await ownPicture(page).focus();
    await page.keyboard.press('Enter');
    await item(page, 'Profile').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Profile of King Hamlet' }).getByText('Deep down').waitFor();
    await page.keyboard.press('Escape');
    await ownPicture(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await item(page, 'Set a status').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Clear status' }).press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    assert.deepEqual(await statusOf(chat, 'hamlet'), { text: '', emoji: '' });
  },
);

rareStory('a status whose time is over is removed, and another one stays', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const { page } = await chat.open('hamlet', { ...look, at: '#settings' });
  const setFor = async (text: string) => {
    await page.getByRole('button', { name: 'Set a status' }).click();
    await dialog(page).getByLabel('Status').fill(text);
    await dialog(page).getByLabel('How long').selectOption('30 minutes');
    await dialog(page)
      .getByText(/^The status says until when/)
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).waitFor({ state: 'detached' });
  };
  const openLater = async () => {
    await page.evaluate(() => {
      const name = Object.keys(localStorage).find((key) => key.startsWith('parlance.status ')) ?? '';
      localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name) ?? ''), at: 1 }));
    });
    await page.reload();
    await untilLive(page);
    await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith('parlance.status ')));
  };
  await setFor('At the well');
  await page.locator('.own-status').getByText('At the well (until').waitFor();
  await openLater();
  await page.waitForFunction(async () => {
    const store = document.querySelector('parlance-panel')?.store;
    const user_id = store?.me.get()?.user_id ?? 0;
    return (await store?.session.userStatus.get({ user_id }))?.status.status_text === undefined;
  });
  await setFor('At the well');
  await chat.as('hamlet').userStatus.set({ status_text: 'Set on my phone' });
  await openLater();
  await page.locator('.own-status').getByText('Set on my phone').waitFor();
  assert.equal((await statusOf(chat, 'hamlet')).text, 'Set on my phone');
});

story('the menu at the own picture leads to the settings and ends the login', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const { page, context } = await chat.open('hamlet', { ...look, at: '#inbox' });
  await ownPicture(page).click();
  await item(page, 'Settings').click();
  await heading(page, 'Settings').waitFor();
  await ownPicture(page).click();
  await item(page, 'Sign out').click();
  await page.waitForURL(`${chat.url}/login`);
  assert.equal((await context.request.get(`${chat.url}/`, { maxRedirects: 0 })).status(), 302);
});

rareStory(
  'a channel and a direct message begin at the headings of the sidebar, by keyboard too',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    await chat.as('hamlet').messages.markAllRead();
    const { page } = await chat.open('hamlet', { ...look, at: '#inbox' });
    const add = sidebar(page).getByRole('button', { name: 'Add channels' });
    const write = sidebar(page).getByRole('button', { name: 'New direct message' });
    await add.focus();
    await page.keyboard.press('Enter');
    await item(page, 'Browse channels').and(page.locator(':focus')).waitFor();
    await item(page, 'Create channel').waitFor();
    await axe(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'Create channel').waitFor();
    await add.click();
    await item(page, 'Browse channels').click();
    await heading(page, 'Browse channels').waitFor();
    await write.focus();
    await page.keyboard.press('Enter');
    await heading(page, 'New message').waitFor();
    await untilEqual(() => fragmentOf({ page }), '#new-message');

    // Only where the user may do it.
    const { id } = await chat
      .as('desdemona')
      .userGroups.list()
      .then(({ user_groups }) => {
        const found = user_groups.find(({ name }) => name === 'role:administrators');
        assert.ok(found);
        return found;
      });
    await chat.as('desdemona').organization.edit({
      direct_message_initiator_group: { new: id },
      can_create_public_channel_group: { new: id },
      can_create_private_channel_group: { new: id },
    });
    await write.waitFor({ state: 'detached' });
    // The page has asked before, when it was allowed.
    await page.evaluate(() => performance.clearResourceTimings());
    await add.click();
    await item(page, 'Browse channels').waitFor();
    await untilAnswered(page, /\/why\/.*\/channels\/create/);
    await untilEqual(() => item(page, 'Create channel').count(), 0);
    const guest = await chat.open('polonius', { ...look, at: '#inbox' });
    await sidebar(guest.page).getByRole('heading', { name: 'Channels' }).waitFor();
    await untilEqual(() => sidebar(guest.page).getByRole('button', { name: 'Add channels' }).count(), 0);
  },
);
