import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { until, untilEqual } from '../../support/until.ts';
import { untilLive } from '../app/app.ts';
import { axe, composer, type InProcess, rareStory, rowsWith, send, stage, story } from './stage.ts';

const PLACE = { channel: 'Verona', topic: 'harbour' };

const addressOf = async (chat: InProcess) => `#narrow/channel/${await chat.channel('Verona')}/topic/harbour`;

/** The messages of the topic on the server. */
async function sent(chat: InProcess): Promise<string[]> {
  const { messages } = await chat.as('desdemona').messages.list({
    ...{ anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false },
    narrow: [
      ['channel', PLACE.channel],
      ['topic', PLACE.topic],
    ],
  });
  return messages.map(({ content }) => content);
}

/** Runs for each request that sends a message. */
const onSend = (page: Page, run: (route: Route) => Promise<void>) =>
  page.route('**/api/v1/messages', (route) => (route.request().method() === 'POST' ? run(route) : route.fallback()));

rareStory(
  'a message is shown before the response, and in one row after it',
  [
    { size: 'desktop', scheme: 'dark' },
    { size: 'phone', direction: 'rtl' },
  ],
  async (t, look) => {
    const chat = await stage(t);
    const { page } = await chat.open('hamlet', { ...look, at: await addressOf(chat) });
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await onSend(page, async (route) => {
      await held;
      await route.continue();
    });
    await send(page, 'A ship in sight');
    const rows = rowsWith(page, 'A ship in sight');
    await rows.getByText('Sending…').waitFor();
    await untilEqual(() => composer(page).inputValue(), '');
    assert.deepEqual(await sent(chat), []);
    await axe(page);
    release?.();
    await rows.and(page.locator('[data-id]')).waitFor();
    await untilEqual(() => rows.count(), 1);
    assert.deepEqual(await sent(chat), ['A ship in sight']);
    await axe(page);
  },
);

rareStory(
  'a refused message keeps its text, and can be sent again or edited',
  [
    { size: 'phone', scheme: 'dark' },
    { size: 'desktop', direction: 'rtl' },
  ],
  async (t, look) => {
    let isRefusing = false;
    // A refusal that no permission predicts: without permission, there is no composer.
    const hooks = { beforeSend: () => (isRefusing ? { refuse: 'Not now, please.' } : undefined) };
    const chat = await stage(t, { chat: { hooks } });
    const { page } = await chat.open('hamlet', { ...look, at: await addressOf(chat) });
    isRefusing = true;
    await send(page, 'Not allowed');
    const row = rowsWith(page, 'Not allowed');
    await row.getByText('Not sent:').waitFor();
    await axe(page);
    await row.getByRole('button', { name: 'Retry' }).click();
    await row.getByText('Not sent:').waitFor();
    await row.getByRole('button', { name: 'Edit' }).click();
    await untilEqual(() => composer(page).inputValue(), 'Not allowed');
    await send(page, 'Allowed now');
    const second = rowsWith(page, 'Allowed now');
    await second.getByText('Not sent:').waitFor();
    isRefusing = false;
    await second.getByRole('button', { name: 'Retry' }).click();
    await second.and(page.locator('[data-id]')).waitFor();
    await untilEqual(() => second.count(), 1);
    assert.deepEqual(await sent(chat), ['Allowed now']);
  },
);

rareStory(
  'a connection that breaks while sending does not send twice',
  [{ size: 'desktop' }, { size: 'phone', scheme: 'dark' }],
  async (t, look) => {
    const chat = await stage(t);
    const { page, context } = await chat.open('hamlet', { ...look, at: await addressOf(chat) });
    let requests = 0;
    // The server stores the message, and the browser never receives the response.
    await onSend(page, async (route) => {
      requests += 1;
      if (requests > 1) return route.continue();
      await context.setOffline(true);
      const { url, headers } = { url: route.request().url(), headers: await route.request().allHeaders() };
      const answer = await fetch(url, { method: 'POST', headers, body: route.request().postData() ?? '' });
      assert.equal(answer.status, 200);
      await route.abort('connectionreset');
    });
    await send(page, 'Once only');
    const rows = rowsWith(page, 'Once only');
    await rows.first().waitFor();
    await until('the server has it', async () => (await sent(chat)).length === 1);
    await context.setOffline(false);
    await rows.and(page.locator('[data-id]')).waitFor();
    await until('one row is left', async () => (await rows.count()) === 1);
    assert.deepEqual(await sent(chat), ['Once only']);
  },
);

story(
  'messages on their way survive that the page is closed, and each is sent once',
  [{ size: 'phone', scheme: 'dark', direction: 'rtl' }, { size: 'desktop' }],
  async (t, look) => {
    const chat = await stage(t);
    const at = await addressOf(chat);
    const { page, context } = await chat.open('hamlet', { ...look, at });
    // The server stores the first message, and the browser never receives the response. The second has no connection.
    await onSend(page, async (route) => {
      await chat.cut(context);
      const request = route.request();
      const headers = await request.allHeaders();
      await fetch(request.url(), { method: 'POST', headers, body: request.postData() ?? '' });
      await route.abort('connectionreset');
    });
    await send(page, 'Has arrived');
    const rows = rowsWith(page, /Has (not )?arrived/);
    await rows.getByText('may not have arrived').waitFor();
    await page.unroute('**/api/v1/messages');
    await send(page, 'Has not arrived');
    await until('both are unsure', async () => (await rows.getByText('This message may not').count()) === 2);
    assert.deepEqual(await sent(chat), ['Has arrived']);
    await page.goto('about:blank');
    await context.setOffline(false);
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await onSend(page, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${chat.url}/${at}`);
    await untilLive(page);
    await rowsWith(page, 'Has not arrived').getByText('Sending…').waitFor();
    await axe(page);
    release?.();
    await rowsWith(page, 'Has not arrived').and(page.locator('[data-id]')).waitFor();
    await until('each has one row', async () => (await rows.count()) === 2);
    assert.deepEqual(await sent(chat), ['Has arrived', 'Has not arrived']);
  },
);

story(
  'two tabs: a message is only in the tab that sends it, until that tab is closed',
  [{ size: 'desktop' }],
  async (t, look) => {
    const hooks = {
      beforeSend: ({ content }: { content: string }) => (content === 'Not allowed' ? { refuse: 'No.' } : undefined),
    };
    const chat = await stage(t, { chat: { hooks } });
    const at = await addressOf(chat);
    const { page, context } = await chat.open('hamlet', { ...look, at });
    await send(page, 'Not allowed');
    await rowsWith(page, 'Not allowed').getByText('Not sent:').waitFor();
    const { page: second } = await chat.open('hamlet', { ...look, at, beside: context });
    await chat.say('desdemona', PLACE, 'Both tabs see this');
    await rowsWith(second, 'Both tabs see this').waitFor();
    await untilEqual(() => rowsWith(second, 'Not allowed').count(), 0);
    await page.reload();
    await rowsWith(page, 'Not allowed').getByText('Not sent:').waitFor();
    await page.close();
    await second.reload();
    await untilLive(second);
    const row = rowsWith(second, 'Not allowed');
    await row.getByText('Not sent:').waitFor();
    await axe(second);
    await row.getByRole('button', { name: 'Discard' }).click();
    await row.waitFor({ state: 'detached' });
    await second.reload();
    await rowsWith(second, 'Both tabs see this').waitFor();
    await untilEqual(() => rowsWith(second, 'Not allowed').count(), 0);
  },
);
