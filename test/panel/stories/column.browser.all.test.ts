/** Stories of the column beside a conversation: its people and its files. */
import type { Page } from 'playwright-core';
import { until, untilEqual } from '../../support/until.ts';
import { png } from '../../world/pictures.ts';
import { goTo, heading } from '../app/app.ts';
import { axe, composer, type Login, type Look, rareStory, rowsWith, type Stage, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };
const PHONE: Look = { size: 'phone', scheme: 'dark', direction: 'rtl' };

const column = (page: Page) => page.getByRole('region', { name: 'People and files' });
const button = (page: Page) => page.getByRole('main').getByRole('button', { name: 'People and files' });
const people = (page: Page) => column(page).locator('.row-button .label');
const names = async (page: Page) =>
  (await people(page).allTextContents()).map((name) => name.replace(/[\u2068\u2069]/g, ''));
const files = (page: Page) => column(page).locator('.file-text .rendered_markdown');

async function share(chat: Stage, login: Login, topic: string, file: File): Promise<number> {
  const { url } = await chat.as(login).uploads.send({ file });
  return chat.say(login, { channel: 'Verona', topic }, `See [${file.name}](${url})`);
}

story('the column has the people and files of a channel, and is remembered', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const verona = await chat.channel('Verona');
  const shared = await share(chat, 'iago', 'soup', new File([png], 'pot.png', { type: 'image/png' }));
  await share(chat, 'othello', 'salad', new File(['x'], 'bill.pdf'));
  const zoe = chat.account('zoe').user_id;
  const desdemona = chat.as('desdemona');
  await desdemona.subscriptions.remove({ subscriptions: ['Verona'], principals: [zoe] });
  const { page, context } = await chat.open('hamlet', { ...look, at: `#narrow/channel/${verona}/topic/soup` });
  const row = page.locator(`article[data-id="${shared}"]`);
  await row.waitFor();
  const before = await row.boundingBox();

  // By the keyboard alone, also from the composer.
  await composer(page).click();
  await page.keyboard.press('Control+.');
  await column(page).getByText('8 subscribers').waitFor();
  await untilEqual(async () => (await names(page)).slice(0, 2), ['aaron', "Cordelia, Lear's daughter"]);
  await people(page).getByText('King Hamlet (you)').waitFor();
  await untilEqual(() => column(page).locator('.row-button .presence').count(), 8);
  await untilEqual(async () => (await row.boundingBox())?.y, before?.y, 'no message moves up or down');
  await axe(page);

  // Others come and go.
  await desdemona.subscriptions.add({ subscriptions: [{ name: 'Verona' }], principals: [zoe] });
  await people(page).getByText('Zoe').waitFor();
  await desdemona.subscriptions.remove({ subscriptions: ['Verona'], principals: [zoe] });
  await column(page).getByText('8 subscribers').waitFor();

  // One of them is looked up, and one is added.
  const field = column(page).getByLabel('Find or add people');
  await page.keyboard.press('Tab');
  while (!(await field.evaluate((input) => input.matches(':focus')))) await page.keyboard.press('Tab');
  await page.keyboard.type('zo');
  await column(page).getByRole('button', { name: 'Add Zoe' }).waitFor();
  await axe(page);
  const add = column(page).getByRole('button', { name: 'Add Zoe' });
  while (!(await add.evaluate((element) => element.matches(':focus')))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await column(page).getByText('9 subscribers').waitFor();
  await people(page).getByText('Zoe').waitFor();
  await field.fill('iag');
  await until('only Iago is listed', async () => `${await names(page)}` === 'Iago');
  await untilEqual(() => column(page).getByRole('button', { name: /^Add/ }).count(), 0);
  await people(page).click();
  await page.getByRole('dialog', { name: 'Profile of Iago' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await field.waitFor();

  // Files of all topics, and those that come. A file whose message is deleted is gone.
  await column(page).getByRole('tab', { name: 'People' }).focus();
  await page.keyboard.press('ArrowRight');
  await files(page).first().waitFor();
  await untilEqual(() => files(page).allTextContents(), ['bill.pdf', 'pot.png']);
  await share(chat, 'othello', 'salad', new File(['y'], 'list.txt'));
  await until(
    'the new file is first',
    async () => `${await files(page).allTextContents()}` === 'list.txt,bill.pdf,pot.png',
  );
  await axe(page);
  await column(page).locator('.row-picture img').click();
  await page.getByRole('dialog', { name: 'pot.png' }).waitFor();
  await page.keyboard.press('Escape');
  await desdemona.messages.delete({ message_id: shared });
  await until('the picture is gone', async () => `${await files(page).allTextContents()}` === 'list.txt,bill.pdf');
  await column(page)
    .getByRole('link', { name: /Show bill.pdf in the conversation/ })
    .click();
  await heading(page, 'salad').waitFor();
  await rowsWith(page, 'bill.pdf').and(page.locator('.target')).waitFor();
  await untilEqual(() => column(page).count(), 1);

  // It is there in the next tab, and Escape from inside closes it for good.
  const { page: next } = await chat.open('hamlet', { ...look, at: `#narrow/channel/${verona}`, beside: context });
  await files(next).first().waitFor();
  await column(next).getByRole('tab', { name: 'Files' }).focus();
  await next.keyboard.press('Escape');
  await column(next).waitFor({ state: 'detached' });
  await until('the button has the focus', () => button(next).evaluate((element) => element.matches(':focus')));
  await next.reload();
  await heading(next, 'Verona').waitFor();
  await untilEqual(() => column(next).count(), 0);
});

for (const [play, size, width] of [
  [story, 'a phone', 390],
  [rareStory, 'a tablet', 1024],
] as const)
  play(`on ${size}, the column is above the conversation and gives it back`, [PHONE], async (t, look) => {
    const chat = await stage(t);
    const verona = await chat.channel('Verona');
    await share(chat, 'iago', 'soup', new File(['x'], 'bill.pdf'));
    const { page } = await chat.open('hamlet', { ...look, at: `#narrow/channel/${verona}/topic/soup` });
    await page.setViewportSize({ width, height: 844 });
    await button(page).click();
    await column(page)
      .getByText(/\d subscribers/)
      .waitFor();
    await axe(page);
    await untilEqual(() => composer(page).isVisible(), width > 700);
    await column(page)
      .getByRole('button', { name: width > 700 ? 'Close' : 'Back' })
      .click();
    await column(page).waitFor({ state: 'detached' });
    await composer(page).waitFor();

    await button(page).click();
    const title = column(page).getByRole('heading', { name: 'People and files' });
    await until('the column has the focus', () => title.evaluate((element) => element.matches(':focus')));
    await page.keyboard.press('Escape');
    await column(page).waitFor({ state: 'detached' });
    await composer(page).waitFor();

    // What leads elsewhere closes it, and it is closed after a reload.
    await button(page).click();
    await column(page).getByRole('tab', { name: 'Files' }).click();
    await files(page).getByText('bill.pdf').waitFor();
    await axe(page);
    await column(page)
      .getByRole('link', { name: /Show bill.pdf/ })
      .click();
    await column(page).waitFor({ state: 'detached' });
    await rowsWith(page, 'bill.pdf').waitFor();
    await page.reload();
    await rowsWith(page, 'bill.pdf').waitFor();
    await untilEqual(() => column(page).count(), 0);
  });

rareStory('a guest sees the people and files that guests may see, and adds none', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const owner = chat.as('desdemona');
  await share(chat, 'iago', 'soup', new File(['x'], 'bill.pdf'));
  const to = [chat.account('hamlet').user_id, chat.account('polonius').user_id];
  const { url } = await chat.as('othello').uploads.send({ file: new File(['x'], 'plan.txt') });
  await chat.as('othello').messages.send({ type: 'direct', to, content: `[plan.txt](${url})` });
  await owner.subscriptions.add({
    subscriptions: [{ name: 'Verona' }],
    principals: [chat.account('polonius').user_id],
  });
  const at = `#narrow/channel/${await chat.channel('Verona')}`;
  const { page } = await chat.open('polonius', { ...look, at });
  await button(page).click();
  await column(page).getByText('9 subscribers').waitFor();
  await column(page).getByLabel('Find people').fill('zo');
  await people(page).getByText('Zoe').waitFor();
  await untilEqual(() => column(page).getByRole('button', { name: /^Add/ }).count(), 0);

  // Of a direct conversation: its participants.
  await goTo(page, `#narrow/dm/${[chat.account('hamlet'), chat.account('othello')].map((user) => user.user_id)}-dm`);
  await untilEqual(() => names(page), ['King Hamlet', 'Othello, the Moor of Venice', 'Polonius (you)']);
  await column(page).getByRole('tab', { name: 'Files' }).click();
  await files(page).getByText('plan.txt').waitFor();
  await untilEqual(() => files(page).count(), 1);
  await axe(page);
});
