import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../client/pages.ts';
import { until, untilEqual } from '../support/until.ts';
import { LUNCH, sayMany } from './conversation/conversation.ts';
import { axeFindings, type PanelSite, panelSite } from './page.ts';

const say = (site: PanelSite, content: string, topic: string) =>
  site.as('ada').messages.send({ type: 'channel', to: site.channelId, topic, content });

const stateOf = (page: Page) =>
  page.evaluate(() => document.querySelector('parlance-panel')?.store?.status.get().state);

/** The list has loaded what it loads after scrolling: nothing moves for a second. */
async function untilResting(page: Page): Promise<void> {
  const place = () =>
    page.locator('.list').evaluate(({ scrollTop, scrollHeight }: Element) => [scrollTop, scrollHeight].join());
  await until('the list is at rest', async () => {
    const before = await place();
    await page.waitForTimeout(1000);
    return before === (await place());
  });
}

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
    await untilResting(page);
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
    await untilEqual(() => page.locator('.conversation-header').count(), 0);
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
    let isDeleted = false;
    let requests = 0;
    site.intercept((req) => {
      requests += 1;
      isDeleted ||= req.method === 'DELETE' && /\/events(\?|$)/.test(req.url ?? '');
      return false;
    });
    await page.evaluate(() => document.querySelector('parlance-panel')?.remove());
    // A few seconds later, since the page may insert the panel elsewhere.
    await until('the store deletes its queue', () => isDeleted);
    requests = 0;
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
    await untilEqual(
      () => page.getByRole('heading', { level: 1 }).textContent(),
      'Order 17',
      'without its empty topic',
    );
    await page.getByRole('textbox', { name: 'Message to Order 17', exact: true }).waitFor();

    const { token } = await chat.tokens.create({ user: people.ben, rooms: ['order-17'] });
    await page.evaluate((token) => {
      const panel = document.querySelector('parlance-panel');
      Object.assign(globalThis, { former: panel?.store });
      if (panel) panel.token = () => token;
    }, token);
    await page.waitForFunction(() => {
      const store = document.querySelector('parlance-panel')?.store;
      return store !== (globalThis as { former?: unknown }).former && store?.status.get().state === 'live';
    });
    await page.getByText('Where is it?').waitFor();
    await page.getByRole('textbox').fill('It comes **today**');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article').getByText('It comes today').waitFor();
    // The token sees who joins: its client registers again.
    await ensure([people.cleo, people.ben, people.ada]);
    await chat.as(people.ada).messages.send({ type: 'channel', to: stream_id, topic: '', content: 'Welcome' });
    await page.getByRole('article').getByText('Welcome').waitFor();
    // The server refuses them with this token.
    await page.getByRole('button', { name: 'Preview' }).waitFor();
    for (const name of ['Snippets', 'Schedule message'])
      await untilEqual(() => page.getByRole('button', { name }).count(), 0, name);
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
    await until('the image is at the right', async () => {
      const [avatar, text] = await Promise.all(
        ['.avatar', '.sender'].map((part) => page.locator(`article ${part}`).first().boundingBox()),
      );
      return avatar && text && avatar.x > text.x;
    });
    const ground = await page
      .locator('parlance-panel')
      .evaluate((element) => getComputedStyle(element).backgroundColor);
    assert.match(ground, /^rgb\(2\d, 2\d, 2\d\)$/, 'the background is dark');
    const arrow = page.getByRole('button', { name: 'Send' }).locator('.icon');
    const isMirrored = () => arrow.evaluate((icon) => getComputedStyle(icon).transform === 'matrix(-1, 0, 0, 1, 0, 0)');
    await until('it is from right to left', isMirrored);
    await page.evaluate(() => document.querySelector('parlance-panel')?.removeAttribute('lang'));
    await until('the panel has the direction of its page again', async () => !(await isMirrored()));
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    await until('it follows its page', isMirrored);
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(complaints, []);
  });

  it('keeps what is typed in its fields from the shortcuts of the page, except Escape and keys with Ctrl', async (t) => {
    const site = await panelSite(t);
    await sayMany(site, 3);
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('Message 2').waitFor();
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      for (const type of ['keydown', 'keypress', 'keyup'])
        document.addEventListener(type, (event) => heard.push(`${type} ${(event as KeyboardEvent).key}`));
    });
    const heardBy = async (press: () => Promise<void>) => {
      await press();
      return page.evaluate('heard.splice(0)');
    };
    const field = page.locator('.composer textarea');
    await field.focus();
    assert.deepEqual(await heardBy(() => page.keyboard.type('s/?')), []);
    assert.deepEqual(await heardBy(() => page.keyboard.press('ArrowUp')), []);
    await untilEqual(() => field.inputValue(), 's/?');
    assert.deepEqual(await heardBy(() => page.keyboard.press('Escape')), ['keydown Escape', 'keyup Escape']);
    const chord = (await heardBy(() => page.keyboard.press('Control+j'))) as string[];
    assert.ok(chord.includes('keydown j'), String(chord));
    await page.locator('article[data-id]').last().focus();
    assert.deepEqual(await heardBy(() => page.keyboard.press('s')), ['keydown s', 'keypress s', 'keyup s']);
    assert.deepEqual(complaints, []);
  });

  it('says why the login has ended: a deactivated account, or an expired token', async (t) => {
    const site = await panelSite(t);
    const { page } = await site.open('ben', LUNCH);
    await page.getByText('No messages yet').waitFor();
    await page.evaluate(() => {
      document.addEventListener('parlance-signed-out', (event) => {
        Object.assign(globalThis, { detail: (event as CustomEvent).detail });
      });
    });
    await site.owner.users.deactivate({ user_id: site.people.ben });
    await page.getByText('Your account is deactivated. Ask an administrator to reactivate it.').waitFor();
    await untilEqual(() => page.evaluate('globalThis.detail'), { reason: 'deactivated' });

    const { token } = await site.chat.tokens.create({ user: site.people.cleo, ttlSeconds: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await page.evaluate((expired) => {
      const panel = document.createElement('parlance-panel');
      panel.setAttribute('site', '/chat');
      panel.token = () => expired;
      document.querySelector('main')?.replaceChildren(panel);
    }, token);
    await page.getByText('Your login has expired.').waitFor();
    await untilEqual(() => page.evaluate('globalThis.detail'), { reason: 'expired' });
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
      document.addEventListener('parlance-signed-out', (event) => {
        Object.assign(globalThis, { signedOut: (event as CustomEvent).detail });
      });
      document.addEventListener('parlance-open', (event) => {
        opened.push((event as CustomEvent).detail);
        if ((globalThis as unknown as { prevent: boolean }).prevent) event.preventDefault();
      });
    });
    const link = page.getByRole('link', { name: /dinner/ });
    await link.click();
    await page.waitForFunction(() => (globalThis as unknown as { opened: unknown[] }).opened.length > 0);
    assert.deepEqual(await page.evaluate('opened'), [{ narrow: { channelId: site.channelId, topic: 'dinner' } }]);
    await untilEqual(() => page.getByText('At dinner').count(), 0);
    await page.evaluate('prevent = false');
    await link.click();
    await page.getByText('At dinner').waitFor();

    await context.clearCookies();
    await site.stop();
    await site.start();
    await page.getByText('Log in to the shop first.').waitFor({ timeout: 60_000 });
    await untilEqual(() => stateOf(page), 'signed-out');
    await untilEqual(() => page.evaluate('globalThis.signedOut'), { reason: 'ended' });
    assert.deepEqual(complaints, []);
  });
});
