import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../client/pages.ts';
import { until } from '../support/until.ts';
import { LUNCH, sayMany } from './conversation/conversation.ts';
import { axeFindings, type PanelSite, panelSite } from './page.ts';

const say = (site: PanelSite, content: string, topic: string) =>
  site.as('ada').messages.send({ type: 'channel', to: site.channelId, topic, content });

const stateOf = (page: Page) =>
  page.evaluate(() => document.querySelector('parlance-panel')?.store?.status.get().state);

describe('the element', { skip: NO_BROWSER }, () => {
  it('follows its attributes, keeps its position when it moves, and shares its store', async (t) => {
    const site = await panelSite(t);
    await sayMany(site, 60);
    await say(site, 'At dinner', 'dinner');
    await site.as('ada').messages.send({ type: 'direct', to: [site.people.ben], content: 'Only for you' });
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('New messages', { exact: true }).waitFor();
    await page.locator('.list').evaluate((list) => {
      list.scrollTop = 300;
    });
    await page.waitForTimeout(300);
    const place = await page.evaluate(async () => {
      const panel = document.querySelector('parlance-panel');
      const list = panel?.shadowRoot?.querySelector('.list');
      const before = list?.scrollTop;
      const store = panel?.store;
      const other = document.createElement('div');
      other.className = 'half';
      document.body.append(other);
      if (panel) other.append(panel);
      for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame);
      return [before === list?.scrollTop, store === panel?.store, before];
    });
    assert.deepEqual(place.slice(0, 2), [true, true], 'it moves with its scroll position and store');

    await page.evaluate(() => document.querySelector('parlance-panel')?.setAttribute('topic', 'dinner'));
    await page.getByText('At dinner').waitFor();
    await page.evaluate(() => {
      const panel = document.querySelector('parlance-panel');
      panel?.removeAttribute('channel');
      panel?.setAttribute('people', 'ada@example.com');
      panel?.setAttribute('hide', 'header');
    });
    await page.getByText('Only for you').waitFor();
    assert.equal(await page.locator('.conversation-header').count(), 0);
    await page.evaluate(() => document.querySelector('parlance-panel')?.setAttribute('people', 'x@example.com'));
    await page.getByText('There is no user “x@example.com”, or you may not see them.').waitFor();

    const shared = await page.evaluate(async () => {
      const panels = [1, 2].map(() => document.createElement('parlance-panel'));
      for (const panel of panels) panel.setAttribute('site', '/chat');
      const [first, second] = panels;
      if (first) first.setAttribute('channel', 'general');
      document.querySelector('.half')?.append(...panels);
      await new Promise((resolve) => setTimeout(resolve));
      const stores = new Set([...document.querySelectorAll('parlance-panel')].map(({ store }) => store));
      // Removed at once, before anything has loaded.
      second?.remove();
      first?.remove();
      return stores.size;
    });
    assert.equal(shared, 1);

    const kept = await page.evaluateHandle(() => document.querySelector('parlance-panel')?.store);
    await page.evaluate(() => document.querySelector('parlance-panel')?.remove());
    await page.waitForTimeout(7000);
    let requests = 0;
    page.on('request', () => {
      requests += 1;
    });
    await say(site, 'Unheard', 'dinner');
    await page.waitForTimeout(1000);
    assert.equal(requests, 0, 'the store has stopped');
    await kept.dispose();
    assert.deepEqual(complaints, []);
  });

  it('opens a room by its external ID, also with a token of the room, and as soon as the user may see it', async (t) => {
    const site = await panelSite(t);
    const { chat, people } = site;
    const ensure = (members: number[]) => chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members });
    const panelOf = (attribute: string) => `<parlance-panel site="/chat" ${attribute}></parlance-panel>`;
    const refusal = 'This conversation does not exist, or you cannot see it.';
    const missing = await site.open('ben', panelOf('room="order-17"'));
    await missing.page.getByText(refusal).waitFor();
    const { stream_id } = await ensure([people.cleo]);
    const { page, complaints } = await site.open('ben', panelOf('channel="external:order-17"'));
    await page.getByText(refusal).waitFor();
    await chat.as(people.cleo).messages.send({ type: 'channel', to: stream_id, topic: '', content: 'Where is it?' });
    await ensure([people.cleo, people.ben]);
    for (const opened of [page, missing.page]) await opened.getByText('Where is it?').waitFor();

    const { token } = await chat.tokens.create({ user: people.ben, rooms: ['order-17'] });
    await page.evaluate((token) => {
      const panel = document.querySelector('parlance-panel');
      if (panel) panel.token = () => token;
    }, token);
    await page.getByText('Where is it?').waitFor();
    await page.getByRole('textbox').fill('It comes **today**');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article').getByText('It comes today').waitFor();
    // The token sees who joins: its client registers again.
    await ensure([people.cleo, people.ben, people.ada]);
    await chat.as(people.ada).messages.send({ type: 'channel', to: stream_id, topic: '', content: 'Welcome' });
    await page.getByRole('article').getByText('Welcome').waitFor();
    await page.evaluate(() => document.querySelector('parlance-panel')?.setAttribute('channel', 'general'));
    await page.getByText('There is no channel “general”, or you may not see it.').waitFor();
    assert.deepEqual([...missing.complaints, ...complaints.filter((one) => !one.includes('403'))], []);
  });

  it('uses language and theme of the page, and is accessible from right to left', async (t) => {
    const site = await panelSite(t);
    await sayMany(site, 3);
    const panel = LUNCH.replace('<parlance-panel', '<parlance-panel lang="ar" theme="dark" density="compact"');
    const { page, complaints } = await site.open('ben', panel);
    await page.getByText('Message 2').waitFor();
    await page.evaluate(() => {
      const element = document.querySelector('parlance-panel');
      if (element) element.words = { newMessages: 'رسائل جديدة' };
    });
    await page.getByText('رسائل جديدة').waitFor();
    const [avatar, text] = await Promise.all(
      ['.avatar', '.sender'].map((part) => page.locator(`article ${part}`).first().boundingBox()),
    );
    assert.ok(avatar && text && avatar.x > text.x, 'the image is at the right');
    const ground = await page
      .locator('parlance-panel')
      .evaluate((element) => getComputedStyle(element).backgroundColor);
    assert.match(ground, /^rgb\(2\d, 2\d, 2\d\)$/, 'the background is dark');
    const arrow = page.getByRole('button', { name: 'Send' }).locator('.icon');
    const isMirrored = () => arrow.evaluate((icon) => getComputedStyle(icon).transform === 'matrix(-1, 0, 0, 1, 0, 0)');
    assert.ok(await isMirrored());
    await page.evaluate(() => document.querySelector('parlance-panel')?.removeAttribute('lang'));
    await until('the panel has the direction of its page again', async () => !(await isMirrored()));
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    await until('it follows its page', isMirrored);
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(complaints, []);
  });

  it('lets the page open links itself, and reports an ended login', async (t) => {
    const site = await panelSite(t);
    await say(site, 'See #**general>dinner**', 'lunch');
    await say(site, 'At dinner', 'dinner');
    const { page, context, complaints } = await site.open(
      'ben',
      LUNCH.replace('></', '><p slot="signed-out">Log in to the shop first.</p></'),
    );
    await page.evaluate(() => {
      const opened: unknown[] = [];
      Object.assign(globalThis, { opened, prevent: true });
      document.addEventListener('parlance-open', (event) => {
        opened.push((event as CustomEvent).detail);
        if ((globalThis as unknown as { prevent: boolean }).prevent) event.preventDefault();
      });
    });
    const link = page.getByRole('link', { name: /dinner/ });
    await link.click();
    assert.deepEqual(await page.evaluate('opened'), [{ narrow: { channelId: site.channelId, topic: 'dinner' } }]);
    assert.equal(await page.getByText('At dinner').count(), 0);
    await page.evaluate('prevent = false');
    await link.click();
    await page.getByText('At dinner').waitFor();

    await context.clearCookies();
    await site.stop();
    await site.start();
    await page.getByText('Log in to the shop first.').waitFor({ timeout: 60_000 });
    assert.equal(await stateOf(page), 'signed-out');
    assert.deepEqual(complaints, []);
  });
});
