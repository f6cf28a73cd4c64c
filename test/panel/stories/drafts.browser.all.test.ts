/** Stories of drafts: no typed text is lost. */
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { goTo, heading, untilLive } from '../app/app.ts';
import {
  axe,
  composer,
  type InProcess,
  type Login,
  type Look,
  rareStory,
  rowsWith,
  type Seat,
  stage,
  story,
} from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };
const PHONE: Look = { size: 'phone', scheme: 'dark', direction: 'rtl' };

async function untilText(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document.querySelector('parlance-panel')?.shadowRoot?.querySelector<HTMLTextAreaElement>('.main textarea')
        ?.value === wanted,
    text,
  );
}

/** Waits for the drafts of the server. */
async function untilOnServer(chat: InProcess, login: Login, texts: readonly string[]): Promise<void> {
  const found = async () => (await chat.as(login).drafts.list()).drafts.map(({ content }) => content).join('\n');
  await until(`the server has the drafts ${texts}`, async () => (await found()) === texts.join('\n'), { every: 100 });
}

rareStory(
  'a draft survives reloads at any moment, and appears in a second browser',
  [{ ...DESKTOP, ahead: -1 }, PHONE, { ...DESKTOP, ahead: 1 }],
  async (t, look) => {
    const chat = await stage(t);
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
    const { page } = await chat.open('hamlet', { ...look, at });
    let text = '';
    await composer(page).click();
    // Reloads come before, during and after the request that saves the draft.
    for (const [index, pause] of [0, 300, 1_900, 2_050, 2_200, 3_000, 0, 2_000].entries()) {
      await composer(page).press('End');
      await page.keyboard.type(`w${index} `);
      text += `w${index} `;
      await page.waitForTimeout(pause);
      await page.keyboard.type('x');
      text += 'x';
      await page.reload();
      await untilLive(page);
      await untilText(page, text);
      // The drafts of the server also come with an event.
      await page.waitForTimeout(500);
      await untilText(page, text);
    }
    await untilOnServer(chat, 'hamlet', [text]);
    const { page: second } = await chat.open('hamlet', { ...DESKTOP, at });
    await untilText(second, text);
    await composer(second).press('End');
    await second.keyboard.type(' and more');
    await untilText(page, `${text} and more`);
    await composer(page).press('Control+Enter');
    await rowsWith(page, 'and more').and(page.locator('[data-id]')).waitFor();
    await untilText(second, '');
    await untilOnServer(chat, 'hamlet', []);
    await page.reload();
    await untilLive(page);
    await untilText(page, '');
  },
);

/** The app in a browser with prepared scripts, logged in at the login page. */
async function openPrepared(chat: InProcess, login: Login, { page }: Seat, at: string): Promise<void> {
  const { full_name, role } = chat.account(login);
  await page.goto(`${chat.url}/${at}`);
  await page.getByRole('button', { name: `${full_name} ${role}`, exact: true }).click();
  await page.locator('parlance-panel .sidebar').waitFor({ state: 'attached' });
  await untilLive(page);
}

/** Pieces that a user types. */
const STEPS = 12;

story('two tabs of a browser have one draft, and neither loses what the other types', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const { page, context } = await chat.open('hamlet', { ...look, at });
  await composer(page).click();
  await page.keyboard.type('one ');
  const { page: second } = await chat.open('hamlet', { ...look, at, beside: context });
  await untilText(second, 'one ');
  // The second tab has read the draft, and the user continues to type in the first.
  for (let index = 0; index < STEPS; index++) {
    await composer(page).press('End');
    await page.keyboard.type(`${index} `);
    await page.waitForTimeout(index % 10 === 9 ? 2_100 : 130);
  }
  const text = `one ${Array.from({ length: STEPS }, (_, index) => `${index} `).join('')}`;
  await untilText(page, text);
  await page.keyboard.type('end');
  await page.reload();
  await untilLive(page);
  await untilText(page, `${text}end`);
  await untilOnServer(chat, 'hamlet', [`${text}end`]);
  await untilText(second, `${text}end`);
  await composer(second).press('Control+Enter');
  await rowsWith(second, 'end').and(second.locator('[data-id]')).waitFor();
  await untilText(page, '');
  await untilOnServer(chat, 'hamlet', []);
});

story('what waits is sent when the page is closed: a read message and a draft', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const verona = await chat.channel('Verona');
  const { page } = await chat.open('hamlet', { ...look, at: `#narrow/channel/${verona}/topic/soup` });
  await composer(page).click();
  const id = await chat.say('othello', { channel: 'Verona', topic: 'soup' }, 'Soup?');
  await rowsWith(page, 'Soup?').waitFor();
  await page.keyboard.type('Yes, p');
  // The text is read here, and the server has nothing of it yet.
  await page.waitForFunction(
    (message) => document.querySelector('parlance-panel')?.store?.messages.message(message).get()?.flags.has('read'),
    id,
  );
  await page.goto('about:blank');
  await untilOnServer(chat, 'hamlet', ['Yes, p']);
  await until('the message is read on the server', async () => {
    const { message } = await chat.as('hamlet').messages.get({ message_id: id });
    return message.flags?.includes('read');
  });
});

rareStory('a full storage: the page says so, and the server keeps the draft', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const { page } = await chat.open('hamlet', { ...look, at });
  await page.evaluate(() => {
    let part = 'x'.repeat(1 << 20);
    for (let index = 0; part.length > 0; index++) {
      try {
        localStorage.setItem(`fill ${index}`, part);
      } catch {
        part = part.slice(0, part.length >> 1);
      }
    }
  });
  await composer(page).fill('Not stored here');
  await page.getByText('Your browser stores no drafts. Copy unsent text before you close the page.').waitFor();
  await axe(page);
  await untilOnServer(chat, 'hamlet', ['Not stored here']);
  await page.reload();
  await untilLive(page);
  await untilText(page, 'Not stored here');
  await composer(page).press('Control+Enter');
  await rowsWith(page, 'Not stored here').and(page.locator('[data-id]')).waitFor();
  // When there is room again, drafts are stored, and the warning disappears.
  await page.evaluate(() => localStorage.clear());
  await composer(page).fill('Stored again');
  await page.getByText('Your browser stores no drafts.').waitFor({ state: 'detached' });
  await page.reload();
  await untilLive(page);
  await untilText(page, 'Stored again');
});

rareStory('a browser that blocks storage: the chat works, and drafts are on the server', [PHONE], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const seat = await chat.blank(look);
  const { page, context } = seat;
  await context.addInitScript(() => {
    const get = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(globalThis, name, { get, configurable: true });
  });
  await openPrepared(chat, 'hamlet', seat, at);
  await composer(page).fill('Kept by the server');
  await untilOnServer(chat, 'hamlet', ['Kept by the server']);
  await goTo(page, '#inbox');
  await heading(page, 'Inbox').waitFor();
  await page.goBack();
  await untilText(page, 'Kept by the server');
  await page.reload();
  await untilLive(page);
  await untilText(page, 'Kept by the server');
  await composer(page).press('Control+Enter');
  await rowsWith(page, 'Kept by the server').and(page.locator('[data-id]')).waitFor();
  await axe(page);
});
