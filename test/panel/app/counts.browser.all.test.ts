import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { until, untilEqual } from '../../support/until.ts';
import { choose, heading, openApp, quietSite, say, sidebarLink } from './app.ts';

describe('counts of the app', { skip: NO_BROWSER }, () => {
  it('a message of another person is counted in the sidebar, the inbox and the title', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openApp(site, 'ben');
    await page.getByText('You have read everything.').waitFor();
    await untilEqual(() => page.title(), 'Inbox · Harbour');

    await say(site, 'ada', 'lunch', 'Soup?');
    await say(site, 'ada', 'lunch', '@**Ben** soup?');
    await sidebarLink(page, 'general').getByText('2 unread messages, you are mentioned').waitFor();
    await sidebarLink(page, 'Mentions').getByText('1 unread message').waitFor();
    await page.getByRole('link', { name: /^lunch/ }).waitFor();
    await page.waitForFunction(() => document.title === '(2) Inbox · Harbour');

    await site.as('ada').messages.send({ type: 'direct', to: [site.people.ben], content: 'Hello' });
    await sidebarLink(page, 'Ada').getByText('1 unread message').waitFor();
    await page.waitForFunction(() => document.title === '(3) Inbox · Harbour');

    await page.getByRole('button', { name: 'Mark as read: Ada' }).click();
    await page.waitForFunction(() => document.title === '(2) Inbox · Harbour');
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('You have read everything.').waitFor();
    await page.waitForFunction(() => document.title === 'Inbox · Harbour');
    assert.deepEqual(complaints, []);
  });

  it('a muted topic disappears from the inbox and the counts, and returns when it is unmuted', async (t) => {
    const site = await quietSite(t);
    await say(site, 'ada', 'lunch', 'Soup?');
    await say(site, 'ada', 'news', 'We have moved.');
    const { page, complaints } = await openApp(site, 'ben');
    await sidebarLink(page, 'Inbox').getByText('2 unread messages').waitFor();

    await choose(page, 'Actions for lunch', 'Mute topic');
    await sidebarLink(page, 'Inbox').getByText('1 unread message').waitFor();
    await page.getByRole('link', { name: /^lunch/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^news/ }).waitFor();
    await say(site, 'ada', 'lunch', 'Soup!');

    await sidebarLink(page, 'general').click();
    await sidebarLink(page, 'lunch').click();
    await heading(page, 'lunch').waitFor();
    await choose(page, 'Actions for lunch', 'Unmute topic');
    await page.getByRole('button', { name: 'Actions for lunch' }).and(page.locator(':focus')).waitFor();
    await until('no topic is muted on the server', async () => {
      const { user_topics } = await site.as('ben').userTopics.list();
      return user_topics.every(({ visibility_policy }) => visibility_policy === 0);
    });
    await choose(page, 'Actions for lunch', 'Follow topic');
    await choose(page, 'Actions for lunch', 'Unfollow topic');
    assert.deepEqual(complaints, []);
  });

  it('a muted channel counts nothing and is last in the sidebar, a pinned one is first', async (t) => {
    const site = await quietSite(t);
    const { owner, people } = site;
    for (const name of ['alpha', 'omega']) await owner.channels.create({ name, subscribers: [people.ben] });
    await site.as('ben').messages.markAllRead();
    await say(site, 'ada', 'lunch', 'Soup?');
    const { page, complaints } = await openApp(site, 'ben');
    await sidebarLink(page, 'Inbox').getByText('1 unread message').waitFor();
    await choose(page, 'Actions for #general', 'Mute channel');
    await page.getByText('You have read everything.').waitFor();
    await sidebarLink(page, 'omega').click();
    await choose(page, 'Actions for #omega', 'Pin channel');
    await page.waitForFunction(() => {
      const root = document.querySelector('parlance-panel')?.shadowRoot;
      const links = [...(root?.querySelectorAll('.sidebar [aria-label="Channels"] > li .label') ?? [])];
      const names = links
        .map((label) => label.textContent)
        .filter((name) => /^(alpha|omega|general)$/.test(name ?? ''));
      return names.join() === 'omega,alpha,general';
    });
    assert.deepEqual(complaints, []);
  });
});
