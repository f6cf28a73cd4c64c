/** Stories of a first day: keys and clock of a new account, texts that move, files of a file manager, names in searches. */
import type { Page } from 'playwright-core';
import { untilEqual, untilMatch } from '../../support/until.ts';
import { goTo, heading, sidebarLink, untilLive } from '../app/app.ts';
import { axe, composer, type Look, rareStory, rowsWith, signInWithPassword, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };

const composed = (page: Page) => composer(page).and(page.locator(':focus'));

story(
  'Enter sends for a new account, which sees the switch and the place that it writes to',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    const [email, password] = ['puck@zulip.com', 'a long password 1'];
    await chat.as('desdemona').users.create({ email, password, full_name: 'Puck' });
    const { page } = await chat.blank(look);
    await page.goto(`${chat.url}/#narrow/channel/${await chat.channel('Verona')}/topic/soup`);
    await signInWithPassword(page, email, password);
    await untilLive(page);
    await page.getByPlaceholder('Message #Verona › soup').click();
    const enterSends = page.getByRole('checkbox', { name: 'Enter sends' });
    await enterSends.waitFor();
    await untilEqual(() => enterSends.isChecked(), true);
    await page.keyboard.type('With saffron?');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('Or without?');
    await page.keyboard.press('Enter');
    await rowsWith(page, /With saffron\?\s*Or without\?/).waitFor();
    await enterSends.uncheck();
    await page.waitForFunction(
      () => document.querySelector('parlance-panel')?.store?.settings.get()?.enter_sends === false,
    );
    await composer(page).click();
    await page.keyboard.type('A list');
    await page.keyboard.press('Enter');
    await page.keyboard.type('of two lines');
    await untilEqual(() => composer(page).inputValue(), 'A list\nof two lines');
  },
);

story('a German browser has a clock of 24 hours until the user chooses one of 12', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const id = await chat.say('iago', { channel: 'Verona', topic: 'soup' }, 'Soup at noon');
  const { page } = await chat.blank(look, { locale: 'de-DE', timezoneId: 'Europe/Berlin' });
  await page.goto(`${chat.url}/#narrow/channel/${await chat.channel('Verona')}/topic/soup`);
  await page.getByRole('button', { name: 'King Hamlet member', exact: true }).click();
  const time = page.locator(`article[data-id="${id}"] time`).first();
  await time.waitFor();
  await untilMatch(() => time.textContent(), /^\d\d:\d\d$/);
  await chat.as('hamlet').settings.edit({ twenty_four_hour_time: false });
  await page.waitForFunction(
    (message) =>
      /[AP]M$/.test(
        document.querySelector('parlance-panel')?.shadowRoot?.querySelector(`article[data-id="${message}"] time`)
          ?.textContent ?? '',
      ),
    id,
  );
});

rareStory('a text being written goes to where its topic is resolved and moved', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const id = await chat.say('hamlet', { channel: 'Verona', topic: 'soup' }, 'Soup at noon');
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const { page } = await chat.open('hamlet', { ...look, at });
  await composer(page).click();
  await composed(page).waitFor();
  await page.keyboard.type('Half a ');
  const edit = chat.as('desdemona').messages.edit;
  await edit({ message_id: id, topic: '✔ soup', propagate_mode: 'change_all' });
  await heading(page, '✔ soup').waitFor();
  await untilEqual(() => composer(page).inputValue(), 'Half a ');
  await composer(page).click();
  await page.keyboard.type('sentence');
  await edit({ message_id: id, stream_id: await chat.channel('Venice'), propagate_mode: 'change_all' });
  await page.locator('.view-header').getByText('Venice').waitFor();
  await heading(page, '✔ soup').waitFor();
  await untilEqual(() => composer(page).inputValue(), 'Half a sentence');
});

rareStory('a file that was copied in a file manager is attached, not its name', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/soup`;
  const { page } = await chat.open('hamlet', { ...look, at });
  await composer(page).click();
  await composed(page).waitFor();
  await composer(page).evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'recipe.txt');
    clipboardData.items.add(new File(['saffron'], 'recipe.txt', { type: 'text/plain' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  const link = /^\[recipe\.txt\]\(\/user_uploads\/\S+\)\s*$/;
  await page.waitForFunction(
    (pattern) =>
      new RegExp(pattern).test(
        document.querySelector('parlance-panel')?.shadowRoot?.querySelector<HTMLTextAreaElement>('.composer textarea')
          ?.value ?? '',
      ),
    link.source,
  );
  await axe(page);
});

rareStory('a search finds messages in a channel whose name has quotation marks', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const name = 'the "best" soups';
  await chat.as('hamlet').channels.create({ name, subscribers: [chat.account('hamlet').user_id] });
  await chat.say('hamlet', { channel: name, topic: 'soup' }, 'With saffron');
  await chat.say('hamlet', { channel: 'Verona', topic: 'soup' }, 'Saffron is sold out');
  const { page } = await chat.open('hamlet', { ...look, at: '#inbox' });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.type('in:best');
  await page.getByRole('option', { name: /best/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('saffron');
  await page.keyboard.press('Enter');
  await rowsWith(page, 'With saffron').waitFor();
  await untilEqual(() => rowsWith(page, 'Saffron is sold out').count(), 0);
});

rareStory('people and channels are found without the strokes of their letters', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const desdemona = chat.as('desdemona');
  await desdemona.users.create({ email: 's@zulip.com', password: 'a long password 1', full_name: 'Søren' });
  await desdemona.users.create({ email: 'l@zulip.com', password: 'a long password 2', full_name: 'Łukasz' });
  await desdemona.channels.create({ name: 'Tromsø', subscribers: [chat.account('desdemona').user_id] });
  // With so many channels, the sidebar has a filter.
  const subscribers = [chat.account('hamlet').user_id];
  for (let index = 0; index < 12; index++) await desdemona.channels.create({ name: `Port ${index}`, subscribers });
  await desdemona.channels.create({ name: 'Ærø', subscribers });
  const verona = await chat.channel('Verona');
  const { page } = await chat.open('hamlet', { ...look, at: '#people' });
  await page.getByLabel('Search people').fill('soren');
  await page.getByRole('button', { name: 'Profile Søren' }).waitFor();
  await page.getByLabel('Filter channels').fill('aero');
  await sidebarLink(page, 'Port 1').waitFor({ state: 'detached' });
  await sidebarLink(page, 'Ærø').waitFor();
  await goTo(page, '#new-message');
  await heading(page, 'New message').waitFor();
  await page.getByLabel('Search people').fill('lukasz');
  await page.getByRole('button', { name: 'Add Łukasz' }).waitFor();
  await goTo(page, '#channels/browse');
  await page.getByLabel('Search channels').fill('tromso');
  await page.getByRole('button', { name: 'Subscribe Tromsø' }).waitFor();
  await goTo(page, '#channels/new');
  await page.getByLabel('Add people').fill('lukasz');
  await page.getByRole('button', { name: 'Add Łukasz' }).waitFor();
  await goTo(page, `#narrow/channel/${verona}/topic/soup`);
  await composer(page).click();
  await composed(page).waitFor();
  await page.keyboard.type('@soren');
  await page.getByRole('option', { name: /Søren/ }).waitFor();
  await composer(page).fill('#tromso');
  await page.getByRole('option', { name: /Tromsø/ }).waitFor();
  await composer(page).fill('');
  await page.keyboard.press('Control+.');
  await page.getByLabel('Find or add people').fill('lukasz');
  await page.locator('.column').getByText('Hamlet').waitFor({ state: 'detached' });
  await page.locator('.column').getByText('Łukasz').waitFor();
  await page.keyboard.press('Control+Shift+F');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.type('from:soren');
  await page.getByRole('option', { name: /Søren/ }).waitFor();
});
