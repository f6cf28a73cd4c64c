import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { axe, rowsWith, stage, story } from './stage.ts';

interface Shown {
  title: string;
  body: string;
  tag: string;
}

/** Notifications of a page whose window is behind another. The browser of the tests shows none itself. */
async function lookAway(page: Page): Promise<{ shown(): Promise<Shown[]>; click(): Promise<void> }> {
  await page.evaluate(() => {
    const all: (EventTarget & { shown: unknown })[] = [];
    class Fake extends EventTarget {
      static permission = 'granted';
      readonly shown: unknown;
      constructor(title: string, { body, tag }: { body: string; tag: string }) {
        super();
        this.shown = { title, body, tag };
        all.push(this);
      }
      close() {}
    }
    Object.assign(globalThis, { Notification: Fake, notifications: all });
    document.hasFocus = () => false;
  });
  return {
    shown: () =>
      page.evaluate(() => Reflect.get(globalThis, 'notifications').map((each: { shown: Shown }) => each.shown)),
    click: () => page.evaluate(() => Reflect.get(globalThis, 'notifications').at(-1).dispatchEvent(new Event('click'))),
  };
}

const icon = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href');

story(
  'a user who looks elsewhere is notified with sender, place and text, and others see who is active',
  [{ size: 'desktop' }, { size: 'desktop', scheme: 'dark', direction: 'rtl' }],
  async (t, look) => {
    const chat = await stage(t);
    const hamlet = chat.account('hamlet');
    await chat.as('hamlet').messages.markAllRead();
    await chat.as('cordelia').messages.send({ type: 'direct', to: [hamlet.user_id], content: 'Earlier' });
    await chat.as('hamlet').messages.markAllRead();
    const { page } = await chat.open('hamlet', { ...look, at: '#inbox' });
    await until('others see the user', async () => {
      const { presences } = await chat.as('cordelia').presence.list();
      return presences[hamlet.email]?.aggregated?.status === 'active';
    });
    await chat.as('cordelia').presence.report({ status: 'active', ping_only: true });
    await page.getByRole('link', { name: /^Cordelia.*active/ }).waitFor();
    await until('the page has an icon', async () => (await icon(page))?.startsWith('data:image/png') === true);
    const calm = await icon(page);

    const window = await lookAway(page);
    const verona = { type: 'channel', to: 'Verona', topic: 'harbour' } as const;
    await chat.as('cordelia').messages.send({ ...verona, content: 'Nobody is asked' });
    await chat
      .as('cordelia')
      .messages.send({ ...verona, content: '@**King Hamlet** :tada: see\n```spoiler x\nhidden\n```' });
    await until('the mention is shown', async () => (await window.shown()).length === 1);
    const [mention] = await window.shown();
    assert.equal(mention?.title, "Cordelia, Lear's daughter (#Verona › harbour)");
    assert.equal(mention?.body, '@King Hamlet 🎉 see x');
    await until('the icon counts', async () => (await icon(page)) !== calm);
    await window.click();
    await rowsWith(page, 'Nobody is asked').waitFor();

    await chat.as('hamlet').settings.edit({ pm_content_in_desktop_notifications: false });
    await chat.as('cordelia').messages.send({ type: 'direct', to: [hamlet.user_id], content: 'A secret' });
    await until('the direct message is shown', async () => (await window.shown()).length === 2);
    const { title, body } = (await window.shown())[1] as Shown;
    assert.deepEqual([title, body], ["Cordelia, Lear's daughter", 'New direct message']);
    await page.goto(`${chat.url}/#settings`);
    await page.getByRole('combobox', { name: 'Sound' }).waitFor();
    await axe(page);
  },
);
