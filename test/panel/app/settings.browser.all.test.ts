import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { until, untilEqual } from '../../support/until.ts';
import { heading, openApp, quietSite } from './app.ts';

describe('settings and users in the app', { skip: NO_BROWSER }, () => {
  it('settings are saved at once, and the theme and the time format apply at once', async (t) => {
    const site = await quietSite(t);
    await site.as('ada').messages.send({ type: 'direct', to: [site.people.ben], content: 'Hello' });
    const { page, complaints } = await openApp(site, 'ben', { fragment: '#settings' });
    await page.getByLabel('Theme').selectOption('Dark');
    await page.locator('parlance-panel[theme=dark]').waitFor();
    await page.getByLabel('Time format').selectOption('14:05');
    await page.getByLabel('Enter sends the message.').check();
    await page.getByLabel('Time zone').selectOption('Europe/Copenhagen');
    await page.getByLabel('Show others when I am active').uncheck();
    await page.getByLabel('Name', { exact: true }).fill('Benjamin');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.waitForFunction(
      () => document.querySelector('parlance-panel')?.store?.me.get()?.full_name === 'Benjamin',
    );
    await page.waitForFunction(() => {
      const settings = document.querySelector('parlance-panel')?.store?.settings.get();
      return settings?.twenty_four_hour_time && settings.enter_sends && !settings.presence_enabled;
    });
    await page.getByRole('button', { name: 'Set a status' }).click();
    await page.getByLabel('Status', { exact: true }).fill('At lunch');
    await page.getByLabel('Status', { exact: true }).press('Enter');
    await page.locator('.own-status').getByText('At lunch').waitFor();
    await until('the server has all settings', async () => {
      const { status } = await site.as('ada').userStatus.get({ user_id: site.people.ben });
      const { timezone, full_name } = await site.as('ben').users.me();
      return [status.status_text, timezone, full_name].join() === 'At lunch,Europe/Copenhagen,Benjamin';
    });
    assert.deepEqual(complaints, []);
  });

  it('a password is set and then needed to see the API key', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ben', { fragment: '#settings' });
    await page.getByRole('region', { name: 'API key' }).waitFor();
    const names = page.locator('form:has([type="password"]) > [autocomplete="username"]');
    await untilEqual(
      () => names.evaluateAll((all) => all.map((name) => (name as HTMLInputElement).value)),
      ['ben@example.com', 'ben@example.com'],
    );
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').first().waitFor();
    await page.getByLabel('New password').fill('a long and quiet password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
    const password = page.getByRole('region', { name: 'API key' }).getByLabel('Password');
    await password.fill('wrong');
    await page.getByRole('button', { name: 'Show API key' }).click();
    await page.getByRole('alert').first().waitFor();
    await password.fill('a long and quiet password');
    await page.getByRole('button', { name: 'Show API key' }).click();
    const { api_key } = await site.owner.users.getApiKey({ user_id: site.people.ben });
    await page.waitForFunction((key) => {
      const root = document.querySelector('parlance-panel')?.shadowRoot;
      return [...(root?.querySelectorAll('input') ?? [])].some(({ value }) => value === key);
    }, api_key);
    assert.deepEqual(complaints, []);
  });

  it('a conversation starts from a profile, and with several users', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ben', { fragment: '#people' });
    await page.getByLabel('Search people').fill('cleo');
    await page.getByRole('button', { name: 'Profile Cleo Montgomery' }).click();
    await page.getByRole('dialog', { name: 'Profile of Cleo Montgomery' }).waitFor();
    await page.getByRole('button', { name: 'Mute user' }).click();
    await page.getByRole('button', { name: 'Unmute user' }).click();
    await page.getByRole('button', { name: 'Send a message' }).click();
    await heading(page, 'Cleo Montgomery').waitFor();
    await page.getByRole('button', { name: 'New message' }).click();
    await page.getByLabel('Search people').and(page.locator(':focus')).waitFor();
    const field = page.getByLabel('Search people').and(page.locator(':focus'));
    await page.keyboard.type('ada');
    await page.getByRole('button', { name: 'Add Cleo Montgomery' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add Ada' }).click();
    await untilEqual(() => field.inputValue(), '');
    await page.keyboard.type('cleo');
    await page.getByRole('button', { name: 'Add Cleo Montgomery' }).click();
    await page.getByRole('button', { name: 'Start conversation' }).click();
    await heading(page, 'Ada and Cleo Montgomery').waitFor();
    assert.deepEqual(complaints, []);
  });
});
