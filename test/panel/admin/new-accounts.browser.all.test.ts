import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, openAdmin, region } from './admin.ts';

describe('administration of the settings of new accounts', { skip: NO_BROWSER }, () => {
  it('a setting changed by the keyboard alone applies to new accounts, and existing accounts keep theirs', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'new-accounts');
    await region(page, 'Privacy').waitFor();
    const titles = page.getByRole('main').getByRole('heading', { level: 2 });
    await untilEqual(() => titles.allInnerTexts(), ['Appearance', 'Writing', 'Notifications', 'Privacy']);
    const own = (await site.owner.register({ event_types: [], fetch_event_types: ['user_settings'] })).user_settings;
    await page.getByLabel('Theme').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    const typing = page.getByLabel('Show others that you are typing');
    await typing.focus();
    await page.keyboard.press('Space');
    await assertGood(page, 'new accounts');
    const defaults = async () =>
      (await site.owner.register({ event_types: [], fetch_event_types: ['realm_user_settings_defaults'] }))
        .realm_user_settings_defaults;
    await untilEqual(async () => {
      const { send_private_typing_notifications, send_stream_typing_notifications, twenty_four_hour_time } =
        await defaults();
      return [send_private_typing_notifications, send_stream_typing_notifications, twenty_four_hour_time];
    }, [false, false, true]);
    const after = (await site.owner.register({ event_types: [], fetch_event_types: ['user_settings'] })).user_settings;
    assert.deepEqual(after, own);
    assert.deepEqual(complaints, []);
  });
});
