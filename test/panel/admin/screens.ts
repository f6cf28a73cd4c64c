import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { APP, goTo, heading, PHONE, quietSite } from '../app/app.ts';
import { assertGood, list, openAdmin } from './admin.ts';

const SECTIONS = [
  ...([
    ['people', 'People'] as const,
    ['channels', 'Channels'],
    ['settings', 'Organization'],
    ['sign-in', 'Sign-in'],
    ['new-accounts', 'New accounts'],
    ['groups', 'Groups'],
  ] as const),
  ...([['emoji', 'Custom emoji'] as const, ['bots', 'Bots'], ['profile-fields', 'Profile fields']] as const),
  ...([
    ['links', 'Links and code'] as const,
    ['reports', 'Reports'],
    ['audit-log', 'Audit log'],
    ['usage', 'Usage'],
  ] as const),
];

type Way = readonly [name: string, options: BrowserContextOptions & { panel?: string }];

export const NARROW: readonly Way[] = [
  [
    'on a phone from right to left in the dark',
    { ...PHONE, colorScheme: 'dark', panel: APP.replace('>', ' lang="ar">') },
  ],
];

/** Played in the nightly set. */
export const OTHERS: readonly Way[] = [
  ['at a large desk', { viewport: { width: 1440, height: 900 } }],
  ['at a large desk in the dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['on a phone', PHONE],
];

/** Opens every page of administration. */
export function screensOfAdministration(ways: readonly Way[]): void {
  describe('the pages of administration', { skip: NO_BROWSER }, () => {
    for (const [way, options] of ways) {
      it(`have no accessibility findings ${way}, and none is wider than the window`, async (t) => {
        const site = await quietSite(t);
        const { owner, people } = site;
        await owner.userGroups.create({ name: 'crew', description: 'Who sails', members: [people.ben] });
        await owner.bots.create({ full_name: 'Alerts', short_name: 'alerts', bot_type: 2 });
        await owner.profileFields.create({ field_type: 1, name: 'Town', hint: 'Where you live' });
        await owner.linkifiers.create({ pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' });
        const { page, complaints } = await openAdmin(site, 'ada', '', options);
        await heading(page, 'Administration').waitFor();
        await page.getByRole('navigation', { name: 'Sections' }).waitFor();
        await assertGood(page, `${way} sections`);
        const { user_groups } = await owner.userGroups.list();
        const group = user_groups.find(({ name }) => name === 'crew')?.id;
        const { members } = await owner.users.search({ query: 'Alerts' });
        const pages = [
          ...SECTIONS,
          [`people/${people.ben}`, 'People'],
          [`channels/${site.channelId}`, 'Channels'],
          [`groups/${group}`, 'Groups'],
          [`bots/${members[0]?.user_id}`, 'Bots'],
        ] as const;
        for (const [path, title] of pages) {
          await goTo(page, `#organization/${path}`);
          await heading(page, title).waitFor();
          await page.waitForTimeout(400);
          await assertGood(page, `${way} ${path.replace(/\d+/, 'one')}`);
        }
        await goTo(page, '#organization/people');
        await list(page, 'People').getByRole('link', { name: 'Ben' }).click();
        await page.getByRole('button', { name: 'Deactivate' }).click();
        await page.getByRole('dialog').waitFor();
        await assertGood(page, `${way} question`);
        assert.deepEqual(complaints, []);
      });
    }
  });
}
