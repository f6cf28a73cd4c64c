import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { Email } from '../../../lib/index.ts';
import { NO_BROWSER } from '../../client/pages.ts';
import { until, untilEqual } from '../../support/until.ts';
import { panelSite } from '../page.ts';
import { choose, openApp, quietSite } from './app.ts';

const people = { fragment: '#people' };

async function openInvite(page: Page) {
  await page.getByRole('button', { name: 'Invite people' }).click();
  return page.getByRole('dialog', { name: 'Invite people' });
}

describe('invitations in the app', { skip: NO_BROWSER }, () => {
  it('a wrong address is refused in place; without e-mail, the inviter gets the links, and reads who was skipped', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ada', people);
    const dialog = await openInvite(page);
    const field = dialog.getByLabel('E-mail addresses');
    const text = 'dan@example.com ben@example.com, Eve Moneypenny <eve@example.com>\nno-address';
    await field.fill(text);
    await dialog.getByRole('button', { name: 'Send invitations' }).click();
    await dialog.getByRole('alert').getByText('No invitations were sent.').waitFor();
    await dialog.getByText('no-address This is not an e-mail address.').waitFor();
    await untilEqual(() => field.inputValue(), text);
    await field.fill(text.replace('no-address', ''));
    await dialog.getByRole('button', { name: 'Send invitations' }).click();
    await dialog.getByText(/^This server sends no e-mail/).waitFor();
    await dialog.getByText('ben@example.com Already has an account.').waitFor();
    const { invites } = await site.owner.invites.list({ include_links: true });
    assert.equal(invites.length, 2);
    for (const { email = '', link_url } of invites)
      await untilEqual(() => dialog.getByLabel(email).inputValue(), link_url);
    assert.deepEqual(complaints, []);
  });

  it('with e-mail, it is sent, and sent again from the list', async (t) => {
    const sent: Email[] = [];
    const mail = { send: async (email: Email) => void sent.push(email), close: async () => undefined };
    const site = await panelSite(t, { mail });
    const { page, complaints } = await openApp(site, 'ben', people);
    const dialog = await openInvite(page);
    await untilEqual(() => dialog.getByLabel('Role').locator('option').allTextContents(), ['Member', 'Guest']);
    // The default setting lets members invite by e-mail only.
    await untilEqual(() => dialog.getByRole('button', { name: 'Create a link for many' }).count(), 0);
    await dialog.getByLabel('E-mail addresses').fill('dan@example.com');
    await dialog.getByRole('button', { name: 'Send invitations' }).click();
    await dialog.getByText('Invitations sent.').waitFor();
    await dialog.getByText('dan@example.com').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Pending invitations (1)').click();
    await choose(page, 'Actions for dan@example.com', 'Send again');
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until('both e-mails are sent', () => sent.length === 2);
    assert.deepEqual(new Set(sent.map(({ to }) => to)), new Set(['dan@example.com']));
    assert.deepEqual(complaints, []);
  });
});
