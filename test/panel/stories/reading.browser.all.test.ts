import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { connect } from '../../../lib/index.ts';
import { until, untilEqual } from '../../support/until.ts';
import { announced, axe, type InProcess, type Login, rareStory, rowsWith, stage, story } from './stage.ts';

const HARBOUR = { channel: 'Verona', topic: 'harbour' };

const topicAddress = async (chat: InProcess) => `#narrow/channel/${await chat.channel('Verona')}/topic/harbour`;

async function unreadOnServer(chat: InProcess, login: Login): Promise<number> {
  const { messages } = await chat.as(login).messages.list({
    ...{ anchor: 'newest', num_before: 5000, num_after: 0 },
    narrow: [['is', 'unread']],
  });
  return messages.length;
}

async function sayMany(chat: InProcess, count: number, textOf = (index: number) => `Message ${index}.`) {
  const ids: number[] = [];
  for (let index = 0; index < count; index++) ids.push(await chat.say('iago', HARBOUR, textOf(index)));
  return ids;
}

const isAtEnd = (page: Page) =>
  page.getByRole('feed').evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop < 2);

const untilTitle = (page: Page, start: string) =>
  page.waitForFunction((text) => document.title.startsWith(text), start);

story(
  'a message of another user appears, is counted and announced',
  [
    { size: 'desktop', direction: 'rtl' },
    { size: 'phone', scheme: 'dark' },
  ],
  async (t, look) => {
    const chat = await stage(t);
    await chat.as('hamlet').messages.markAllRead();
    const { page } = await chat.open('hamlet', { ...look, at: await topicAddress(chat) });
    await untilTitle(page, 'harbour');
    await chat.say('iago', HARBOUR, 'Land ahead');
    await rowsWith(page, 'Land ahead').waitFor();
    await announced(page).getByText('Iago: Land ahead').waitFor({ state: 'attached' });
    await until('it is read', async () => (await unreadOnServer(chat, 'hamlet')) === 0);
    await untilTitle(page, 'harbour');

    await chat.say('iago', { channel: 'Verona', topic: 'welcome' }, 'Elsewhere');
    await chat.as('cordelia').messages.send({ type: 'direct', to: [chat.account('hamlet').user_id], content: 'Psst' });
    await untilTitle(page, '(2) harbour');
    await page.goto(`${chat.url}/#inbox`);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^welcome/ })
      .waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Cordelia/ })
      .waitFor();
    await axe(page);
  },
);

rareStory(
  'a topic opens at the first unread message, and jumps to the newest',
  [
    { size: 'phone', direction: 'rtl' },
    { size: 'desktop', scheme: 'dark' },
  ],
  async (t, look) => {
    const chat = await stage(t);
    const ids = await sayMany(chat, 300);
    await chat.as('hamlet').messages.updateFlags({ op: 'add', flag: 'read', messages: ids.slice(0, 150) });
    const { page } = await chat.open('hamlet', { ...look, at: await topicAddress(chat) });
    await page.getByText('New messages', { exact: true }).waitFor();
    await until('the line and the first unread message are in sight', () =>
      page.getByRole('feed').evaluate((feed, id) => {
        const [list, line, first] = [
          feed,
          feed.querySelector('.unread-line'),
          feed.querySelector(`[data-id="${id}"]`),
        ].map((element) => element?.getBoundingClientRect());
        return (
          list && line && first && line.top > list.top && first.bottom < list.bottom && first.top >= line.bottom - 1
        );
      }, ids[150]),
    );
    await axe(page);
    await page.getByRole('button', { name: /new messages below$/ }).click();
    await rowsWith(page, 'Message 299.').waitFor();
    await page.locator('.jump').waitFor({ state: 'detached' });
    await until('the list is at its end', () => isAtEnd(page));
  },
);

rareStory(
  'what was read is read in a second tab and in another client',
  [{ size: 'desktop' }, { size: 'phone', scheme: 'dark' }],
  async (t, look) => {
    const chat = await stage(t);
    await chat.as('hamlet').messages.markAllRead();
    const ids = await sayMany(chat, 5);
    const { page, context } = await chat.open('hamlet', { ...look, at: '#inbox' });
    await untilTitle(page, '(5)');
    const { email, api_key } = chat.account('hamlet');
    const client = connect({ site: chat.url, email, api_key });
    t.after(() => client.close());
    const queue = await client.register({ event_types: ['update_message_flags'] });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const event of client.listen({ queue, event_types: ['update_message_flags'] })) {
        if (event.type === 'update_message_flags') seen.push(...event.messages);
        if (seen.length >= ids.length) return;
      }
    })();
    const { page: second } = await chat.open('hamlet', { ...look, at: await topicAddress(chat), beside: context });
    await rowsWith(second, 'Message 4.').waitFor();
    await second.bringToFront();
    await second.getByRole('feed').press('End');
    await untilTitle(second, 'harbour');
    await untilTitle(page, 'Inbox');
    await page.getByText('You have read everything.').waitFor();
    await reading;
    assert.deepEqual(
      seen.sort((a, b) => a - b),
      ids,
    );
    assert.equal(await unreadOnServer(chat, 'hamlet'), 0);
    await axe(page);
  },
);

rareStory(
  'the list follows the end through 350 messages in one frame, and counts them as read',
  [{ size: 'phone', scheme: 'dark', direction: 'rtl' }, { size: 'desktop' }],
  async (t, look) => {
    const chat = await stage(t);
    await chat.as('hamlet').messages.markAllRead();
    await sayMany(chat, 20);
    const { page } = await chat.open('hamlet', { ...look, at: await topicAddress(chat) });
    await rowsWith(page, 'Message 19.').waitFor();
    await page.getByRole('feed').press('End');
    await until('all are read', async () => (await unreadOnServer(chat, 'hamlet')) === 0);
    // The page has no frame until all messages have arrived.
    const busy = page.evaluate(() => {
      while (!document.cookie.includes('said=all'));
    });
    await sayMany(chat, 350, (index) => `Flood ${index}.`);
    await page.context().addCookies([{ name: 'said', value: 'all', url: chat.url }]);
    await busy;
    await rowsWith(page, 'Flood 349.').waitFor();
    await until('all are read', async () => (await unreadOnServer(chat, 'hamlet')) === 0);
    await until('the list is at its end', () => isAtEnd(page));
    await chat.say('iago', HARBOUR, 'The last one');
    await rowsWith(page, 'The last one').waitFor();
    await until('the list is at its end', () => isAtEnd(page));
    await until('it is read', async () => (await unreadOnServer(chat, 'hamlet')) === 0);
  },
);

/** Requests of an account within the window of the rate limit. */
const MAX_REQUESTS = 40;
const WINDOW_SECONDS = 12;

rareStory(
  'reading goes on after the rate limit, when the server allows it',
  [{ size: 'desktop', scheme: 'dark' }, { size: 'phone' }],
  async (t, look) => {
    const rateLimits = { api_by_user: { seconds: WINDOW_SECONDS, max: MAX_REQUESTS } };
    const chat = await stage(t, { server: { rateLimits } });
    await chat.as('hamlet').messages.markAllRead();
    const { page } = await chat.open('hamlet', { ...look, at: await topicAddress(chat) });
    const flags: number[] = [];
    page.on('response', (response) => {
      if (/\/api\/v1\/(messages\/flags|mark_all_as_read)$/.test(response.url())) flags.push(response.status());
    });
    const { email, api_key } = chat.account('hamlet');
    const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`;
    /** Uses up the account's requests for other clients. */
    const exhaust = () =>
      until('the limit is reached', async () => {
        const { status } = await fetch(`${chat.url}/api/v1/users/me`, { headers: { authorization } });
        return status === 429;
      });
    await exhaust();
    await chat.say('iago', HARBOUR, 'Read me');
    await rowsWith(page, 'Read me').waitFor();
    await until('it is read', async () => (await unreadOnServer(chat, 'hamlet')) === 0);
    await until('the page knows it', () => flags.at(-1) === 200);
    assert.ok(flags.length <= 2, `no more requests than the server allowed: ${flags}`);

    for (let index = 0; index < 1500; index++) {
      await chat.say('iago', { channel: 'Verona', topic: `topic ${index % 30}` }, `Unread ${index}`);
    }
    await page.goto(`${chat.url}/#inbox`);
    await untilTitle(page, '(1500)');
    flags.length = 0;
    await exhaust();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('You have read everything.').waitFor();
    await until('the page knows it', () => flags.at(-1) === 200);
    assert.ok(flags.length <= 2, `no more requests than the server allowed: ${flags}`);
    await untilEqual(() => page.getByRole('alert').count(), 0);
    assert.equal(await unreadOnServer(chat, 'hamlet'), 0);
  },
);
