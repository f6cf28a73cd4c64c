/** Every screen of the app, without findings of axe and not wider than the window. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { assertGood } from '../admin/admin.ts';
import { APP, DESKTOP, goTo, heading, openApp, PHONE, quietSite, say } from './app.ts';

type Way = readonly [name: string, options: BrowserContextOptions & { panel?: string }];

export const WAYS: readonly Way[] = [
  ['at a desk', DESKTOP],
  [
    'on a phone from right to left in the dark',
    { ...PHONE, colorScheme: 'dark', panel: APP.replace('>', ' lang="ar">') },
  ],
  ['at a desk in the dark', { ...DESKTOP, colorScheme: 'dark' }],
  ['on a phone', PHONE],
];

export function screensOfApp(ways: readonly Way[]): void {
  describe('screens of the app', { skip: NO_BROWSER }, () => {
    for (const [way, options] of ways) {
      it(`have no accessibility findings ${way}, and none is wider than the window`, async (t) => {
        const site = await quietSite(t);
        await say(site, 'ada', 'lunch', 'Soup? @**Ben**');
        await say(site, 'ada', 'a very long name of a topic that does not fit into sidebars', 'Hello');
        await site.as('cleo').messages.send({ type: 'direct', to: [site.people.ben], content: 'Hello' });
        const { page, complaints } = await openApp(site, 'ben', options);
        const screens = [
          ['#inbox', 'Inbox'],
          ['#recent', 'Recent conversations'],
          [`#narrow/channel/${site.channelId}`, 'general'],
          [`#narrow/channel/${site.channelId}/topic/lunch`, 'lunch'],
          [`#narrow/dm/${site.people.cleo}-dm`, 'Cleo Montgomery'],
          ['#narrow/is/mentioned', 'Mentions'],
          ['#narrow/search/soup', 'Search: soup'],
          ['#channels/browse', 'Browse channels'],
          ['#channels/new', 'Create channel'],
          ['#people', 'People'],
          ['#new-message', 'New message'],
          ['#settings', 'Settings'],
          ['#menu', undefined],
        ] as const;
        for (const [fragment, title] of screens) {
          await goTo(page, fragment);
          if (title) await heading(page, title).waitFor();
          await page.waitForTimeout(300);
          await assertGood(page, `${way} ${fragment}`);
        }
        await goTo(page, '#inbox');
        // The open topic is marked as read.
        await say(site, 'ada', 'lunch', 'More soup?');
        await heading(page, 'Inbox').waitFor();
        for (const [button, role] of [
          ['Actions for lunch', 'menu'],
          ['Actions for #general', 'menu'],
        ] as const) {
          await page.getByRole('button', { name: button }).last().click();
          await page.getByRole(role).waitFor();
          await assertGood(page, `${way} ${button}`);
          await page.keyboard.press('Escape');
        }
        await page.keyboard.press('/');
        await page.getByRole('dialog', { name: 'Search' }).waitFor();
        await assertGood(page, `${way} search`);
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+k');
        await page.getByRole('option').first().waitFor();
        await assertGood(page, `${way} quick switcher`);
        await page.keyboard.press('Escape');
        await page.keyboard.press('?');
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
        await assertGood(page, `${way} keyboard shortcuts`);
        await page.keyboard.press('Escape');
        await goTo(page, '#people');
        await page.getByRole('button', { name: 'Invite people' }).click();
        await page.getByRole('group', { name: 'Channels' }).waitFor();
        await assertGood(page, `${way} invite people`);
        await page.getByRole('dialog').getByLabel('E-mail addresses').fill('dan@example.com');
        assert.deepEqual(complaints, []);
      });
    }
  });
}
