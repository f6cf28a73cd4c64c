/** Stories of a page that stays open all day: texts that must not be lost, and keys that must not surprise. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { listening } from '../../server/running.ts';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { goTo, heading, untilLive } from '../app/app.ts';
import { axe, composer, type Look, rareStory, rowsWith, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };
const PHONE: Look = { size: 'phone', scheme: 'dark', direction: 'rtl' };

const sentRow = (page: Page, text: string | RegExp) => rowsWith(page, text).and(page.locator('[data-id]'));
const value = (page: Page) => composer(page).inputValue();

story(
  'a text being written and an edit go on after the topic was renamed and after another page',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    const id = await chat.say('hamlet', { channel: 'Verona', topic: 'soup' }, 'Soup at noon');
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
    const { page } = await chat.open('hamlet', { ...look, at });
    await composer(page).click();
    await page.keyboard.type('Half a ');
    await chat.as('iago').messages.edit({ message_id: id, topic: 'salad', propagate_mode: 'change_all' });
    await heading(page, 'salad').waitFor();
    await page.keyboard.type('sentence');
    await untilEqual(() => value(page), 'Half a sentence');

    const row = sentRow(page, 'Soup at noon');
    await row.hover();
    await row.getByRole('button', { name: 'Edit message' }).click();
    const field = page.locator(`article[data-id="${id}"] textarea`);
    await field.waitFor();
    await field.fill('Soup at one');
    const address = await page.evaluate(() => location.hash);
    await page.evaluate(() => {
      location.hash = '#inbox';
    });
    await field.waitFor({ state: 'detached' });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, address);
    await field.waitFor();
    await untilEqual(() => field.inputValue(), 'Soup at one');
    await axe(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await sentRow(page, 'Soup at one').waitFor();
    await untilEqual(() => field.count(), 0);
  },
);

story(
  'Enter completes a name that the server has not returned yet, and sends what is no name',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    await chat.as('hamlet').settings.edit({ enter_sends: true });
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
    const { page } = await chat.open('hamlet', { ...look, at });
    await page.route(/users\/search/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await composer(page).click();
    await page.keyboard.type('ask @poloni');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
      document
        .querySelector('parlance-panel')
        ?.shadowRoot?.querySelector<HTMLTextAreaElement>('.main textarea')
        ?.value.includes('**Polonius'),
    );
    await untilMatch(() => value(page), /^ask @\*\*Polonius\*\* $/);
    await page.keyboard.press('Enter');
    await sentRow(page, 'ask @Polonius').waitFor();
    for (const text of ['ok :-D', 'all in C#', 'see #', 'at @nobody-of-this-name']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await sentRow(page, text).waitFor();
      await untilEqual(() => value(page), '');
    }
  },
);

story('a linked message stays marked until the reader acts, and its row has keys', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const place = { channel: 'Verona', topic: 'soup' };
  const id = await chat.say('hamlet', place, 'Soup at noon :tada:');
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup/near/${id}`;
  const { page } = await chat.open('hamlet', { ...look, at });
  const row = page.locator(`article[data-id="${id}"]`);
  const marked = page.locator('article.target');
  await marked.waitFor();
  await page.waitForTimeout(3000);
  await untilEqual(() => marked.getAttribute('data-id'), `${id}`);
  await axe(page);
  assert.match(
    await row.locator('.emoji').evaluate((emoji) => getComputedStyle(emoji).fontFamily),
    /^"Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"/,
  );
  await row.focus();
  await page.keyboard.press('r');
  await page.locator('.composer textarea:focus').waitFor();
  await untilEqual(() => marked.count(), 0);
  await untilEqual(() => value(page), '');
  await row.focus();
  await page.keyboard.press('+');
  await page.getByRole('dialog', { name: 'Add reaction' }).waitFor();
  await page.keyboard.press('Escape');
  await row.focus();
  await page.keyboard.press('e');
  await row.locator('textarea').waitFor();
});

rareStory('a formula wider than the column scrolls', [{ size: 'phone' }, DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const sum = Array.from({ length: 60 }, (_, at) => `a_{${at}}`).join('+');
  const id = await chat.say('hamlet', { channel: 'Verona', topic: 'soup' }, `It is $$${sum}$$ exactly`);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const { page } = await chat.open('hamlet', { ...look, at });
  const formula = page.locator(`article[data-id="${id}"] p:has(math)`);
  await formula.waitFor();
  await until('the formula scrolls', () =>
    formula.evaluate((paragraph) => {
      paragraph.scrollLeft = 1e6;
      return paragraph.scrollWidth > paragraph.clientWidth && paragraph.scrollLeft > 0;
    }),
  );
});

story(
  'a question comes before a mention of a large channel, and Undo after marking all as read',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    const channelId = await chat.channel('Verona');
    for (let index = 0; index < 20; index++) {
      const { user_id } = await chat
        .as('desdemona')
        .users.create({ email: `p${index}@example.com`, full_name: `P ${index}` });
      await chat.as('desdemona').subscriptions.add({ subscriptions: [{ name: 'Verona' }], principals: [user_id] });
    }
    await chat.as('iago').settings.edit({ enter_sends: false });
    const at = `#narrow/channel/${channelId}/topic/soup`;
    const { page } = await chat.open('iago', { ...look, at });
    const enterSends = page.getByRole('checkbox', { name: 'Enter sends' });
    await enterSends.check();
    await page.waitForFunction(
      () => document.querySelector('parlance-panel')?.store?.settings.get()?.enter_sends === true,
    );
    await composer(page).click();
    await page.keyboard.type('@**all** soup');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Notify everybody?' });
    await question.getByText(/This message notifies all \d\d subscribers of the channel\./).waitFor();
    await axe(page);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await untilEqual(() => value(page), '@**all** soup');
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Send and notify' }).click();
    await sentRow(page, 'soup').waitFor();

    await chat.say('hamlet', { channel: 'Verona', topic: 'salad' }, 'Salad at one');
    await page.evaluate(() => {
      location.hash = '#inbox';
    });
    const line = page.locator('.inbox').getByRole('link', { name: 'salad' });
    await line.waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await line.waitFor({ state: 'detached' });
    await axe(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await line.waitFor();
  },
);

story('a channel that does not exist and a lost connection are explained to people', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const { page, context } = await chat.open('hamlet', { ...look, at: '#narrow/channel/999/topic/soup' });
  await page.getByText('This place does not exist any more, or you may not see it.').first().waitFor();
  await chat.cut(context);
  await page.evaluate(() => {
    location.hash = '#narrow/is/starred';
  });
  await page.getByText('There is no connection to the chat.').first().waitFor();
  await untilEqual(() => page.getByText('Failed to fetch').count(), 0);
});

rareStory('the console names trustedOrigins for a page that the server does not trust', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const { page } = await chat.blank(look);
  const html = `<!doctype html><script type="module" src="${chat.url}/static/panel.js"></script>
<parlance-panel site="${chat.url}" channel="Verona"></parlance-panel>`;
  const server = createServer((_, res) => res.setHeader('content-type', 'text/html').end(html));
  const origin = `http://localhost:${await listening(t, server)}`;
  const warned = page.waitForEvent('console', {
    predicate: (message) => message.text().includes('trustedOrigins'),
  });
  await page.goto(origin, { waitUntil: 'commit' });
  assert.ok(
    (await warned).text().includes(`answers, but not to pages of ${origin}. Add this origin to trustedOrigins`),
  );
  // It would try again.
  await page.close();
  // The browser reports each response that the page may not read.
  for (const complaint of chat.complaints.splice(0)) assert.match(complaint, /CORS policy/);
});

rareStory('a page with a token, which works from every origin, gets no such advice', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const { page } = await chat.blank(look);
  const { token } = await chat.chat.tokens.create({ user: chat.account('hamlet').user_id, ttlSeconds: 60 });
  const html = `<!doctype html><script type="module" src="${chat.url}/static/panel.js"></script>
<parlance-panel site="${chat.url}" channel="Verona"></parlance-panel>
<script>document.querySelector('parlance-panel').token = () => '${token}'</script>`;
  const server = createServer((_, res) => res.setHeader('content-type', 'text/html').end(html));
  let refused = 0;
  // It tries again.
  await page.route(/\/api\/v1\/register/, (route) => (refused++ === 0 ? route.abort() : route.continue()));
  await page.goto(`http://localhost:${await listening(t, server)}`);
  await untilLive(page);
  assert.ok(refused > 1);
  // A story ends with the assertion that the browser reports no response that the page may not read.
});

story('all that is typed beside a message field goes there, also / and ?', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  await chat.say('hamlet', { channel: 'Verona', topic: 'soup' }, 'Soup at noon');
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const { page } = await chat.open('hamlet', { ...look, at });
  await sentRow(page, 'Soup at noon').waitFor();
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor();
  for (const text of ['/me waves', '?', 'now and/or later?']) {
    await page.evaluate(() => (document.activeElement?.shadowRoot?.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.type(text);
    await untilEqual(() => value(page), text);
    await composer(page).fill('');
  }
  await untilEqual(() => page.getByRole('dialog').count(), 0);
  // There, these keys open the same, and where there is no field, the short ones do.
  await page.keyboard.press('Control+Shift+F');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+/');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await axe(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await goTo(page, '#inbox');
  await heading(page, 'Inbox').waitFor();
  await page.keyboard.press('/');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
});

story('a muted topic and a muted channel say so, and can be unmuted there', [DESKTOP, PHONE], async (t, look) => {
  const chat = await stage(t);
  await chat.say('iago', { channel: 'Verona', topic: 'soup' }, 'Soup at noon');
  const [hamlet, stream_id] = [chat.as('hamlet'), await chat.channel('Verona')];
  const { page } = await chat.open('hamlet', { ...look, at: `#narrow/channel/${stream_id}/topic/soup` });
  await sentRow(page, 'Soup at noon').waitFor();
  await hamlet.userTopics.set({ stream_id, topic: 'soup', visibility_policy: 1 });
  const notice = page.locator('.channel-notice');
  await notice.getByText('You have muted this topic.').waitFor();
  await axe(page);
  await notice.getByRole('button', { name: 'Unmute topic' }).click();
  await notice.waitFor({ state: 'detached' });

  const property = { stream_id, property: 'is_muted', value: true } as const;
  await hamlet.subscriptions.updateProperties({ subscription_data: [property] });
  await notice.getByText('You have muted this channel.').waitFor();
  await notice.getByRole('button', { name: 'Unmute topic' }).click();
  await notice.waitFor({ state: 'detached' });
  await goTo(page, `#narrow/channel/${stream_id}`);
  await notice.getByRole('button', { name: 'Unmute channel' }).click();
  await notice.waitFor({ state: 'detached' });
});

story('a message that a search has found stays unread until its conversation is open', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  await chat.as('hamlet').messages.markAllRead();
  const id = await chat.say('iago', { channel: 'Verona', topic: 'soup' }, 'The saffron is in the drawer.');
  const isRead = async () =>
    (await chat.as('hamlet').messages.get({ message_id: id })).message.flags?.includes('read') === true;
  const { page } = await chat.open('hamlet', { ...look, at: '#narrow/search/saffron' });
  const row = sentRow(page, 'The saffron is in the drawer.');
  await row.waitFor();
  await page.waitForTimeout(1500);
  assert.equal(await isRead(), false);
  await page.locator('.place-line').getByRole('button', { name: /soup/ }).click();
  await heading(page, 'soup').waitFor();
  await until('it is read', isRead);
});

rareStory('rows are in outline until they come, and nothing around them moves', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  for (let index = 0; index < 30; index++)
    await chat.say('iago', { channel: 'Verona', topic: 'soup' }, `Message ${index}`);
  const { page, context } = await chat.open('hamlet', { ...look, at: '#inbox' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(/\/api\/v1\/(messages|users|streams)\b/, async (route) => {
    if (route.request().method() === 'GET') await held;
    await route.continue();
  });
  await goTo(page, `#narrow/channel/${await chat.channel('Verona')}/topic/soup`);
  const outline = page.locator('.main .outline');
  await outline.waitFor();
  await page.keyboard.press('Control+.');
  await page.locator('.column .outline').waitFor();
  await axe(page);
  const list = page.locator('.list');
  await untilEqual(() => list.getAttribute('aria-busy'), 'true');
  await untilEqual(() => outline.evaluate((element) => getComputedStyle(element).animationName), 'none');
  const places = () =>
    Promise.all(['.view-header', '.list', '.composer'].map((part) => page.locator(part).boundingBox()));
  const before = await places();
  assert.equal(await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight), false);
  release?.();
  await sentRow(page, 'Message 29').waitFor();
  await page.locator('.column .row-button').first().waitFor();
  await untilEqual(() => page.locator('.outline').count(), 0);
  await untilEqual(() => list.getAttribute('aria-busy'), 'false');
  await untilEqual(places, before);
});

rareStory('the menu of a message ends with Delete, apart from the others', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  await chat.say('hamlet', { channel: 'Verona', topic: 'soup' }, 'Soup at noon');
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const { page } = await chat.open('desdemona', { ...look, at });
  await sentRow(page, 'Soup at noon').focus();
  await page.keyboard.press('Enter');
  const items = page.getByRole('menu').locator('button, hr');
  await page.getByRole('menuitem', { name: 'Remind me' }).waitFor();
  await page.getByRole('menuitem', { name: /^Block/ }).waitFor();
  const last = () => items.evaluateAll((all) => all.slice(-3).map((item) => item.textContent || item.localName));
  await untilEqual(last, ['Block King Hamlet', 'hr', 'Delete message']);
  await axe(page);
});
