import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { NO_BROWSER } from '../../client/pages.ts';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { PHONE } from '../app/app.ts';
import { axeFindings, type PanelSite, panelSite } from '../page.ts';
import { LUNCH, rowsWith, texts, toucher, untilComplete } from './conversation.ts';

const say = (site: PanelSite, login: 'ada' | 'ben' | 'cleo', content: string, topic = 'lunch') =>
  site.as(login).messages.send({ type: 'channel', to: site.channelId, topic, content });

/** Opens the menu of a message with the keyboard, and chooses an action. */
async function choose(page: Page, row: Locator, name: string): Promise<void> {
  await row.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name }).click();
}

describe('actions of messages in a panel', { skip: NO_BROWSER }, () => {
  it("edits the user's own message and shows the change", async (t) => {
    const site = await panelSite(t);
    await say(site, 'ben', 'Soup at noon');
    const { page, complaints } = await site.open('ben', LUNCH);
    const row = page.locator('article[data-id]');
    await row.hover();
    await row.getByRole('button', { name: 'Edit message' }).click();
    const field = row.getByRole('textbox');
    await field.fill('Soup at one');
    await row.getByRole('button', { name: 'Save' }).click();
    await rowsWith(page, 'Soup at one').getByText('edited').waitFor();
    await choose(page, rowsWith(page, 'Soup at one'), 'View edit history');
    const dialog = page.getByRole('dialog', { name: 'Edit history' });
    await dialog.locator('.highlight_text_inserted').waitFor();
    await untilMatch(() => dialog.locator('.highlight_text_inserted').textContent(), /one/);
    assert.deepEqual(await axeFindings(page), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
  });

  it('quotes a message with code in the composer, below earlier text', async (t) => {
    const site = await panelSite(t);
    const said = 'Try this:\n````\nsoup\n````';
    await say(site, 'ada', said);
    const { page, complaints } = await site.open('ben', LUNCH);
    const field = page.locator('.composer textarea');
    await field.fill('Thanks.');
    await choose(page, rowsWith(page, 'Try this'), 'Quote message');
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.matches('.composer textarea'));
    await untilMatch(() => field.inputValue(), /`{5}\n$/);
    const [first, , link, ...quoted] = (await field.inputValue()).split('\n');
    assert.equal(first, 'Thanks.');
    assert.match(link ?? '', /^@_\*\*Ada.*\|\d+\*\* \[said\]\(http.*#narrow\/channel\/.*\/near\/\d+\):$/);
    assert.deepEqual(quoted, ['`````quote', ...said.split('\n'), '`````', '']);
    await page.keyboard.type('Good soup.');
    await page.keyboard.press('Control+Enter');
    await rowsWith(page, 'Good soup.').locator('blockquote pre').getByText('soup').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('a click on a sender opens their card, to mention and to write to them', async (t) => {
    const site = await panelSite(t);
    const { ben, cleo } = site.people;
    const { id } = await site.owner.profileFields.create({ name: 'Team', field_type: 1 });
    await site.as('cleo').profileFields.set({ data: [{ id, value: 'Kitchen' }] });
    await site.as('cleo').userStatus.set({ status_text: 'At lunch', emoji_name: 'pizza' });
    await site.as('cleo').settings.edit({ timezone: 'Asia/Tokyo' });
    await site.owner.userGroups.create({ name: 'cooks', description: '', members: [ben, cleo] });
    await site.owner.userGroups.create({ name: 'waiters', description: '', members: [cleo] });
    await say(site, 'cleo', 'Soup at noon');
    const { page, complaints } = await site.open('ben', LUNCH);
    await rowsWith(page, 'Soup at noon').locator('.sender').click();
    const card = page.getByRole('dialog', { name: 'Profile of Cleo Montgomery' });
    for (const text of ['At lunch', 'Kitchen', 'cooks', 'Member', /Asia\/Tokyo/]) await card.getByText(text).waitFor();
    await untilEqual(() => card.getByText('waiters').count(), 0);
    assert.deepEqual(await axeFindings(page), []);
    await card.getByRole('button', { name: 'Mention' }).click();
    await card.waitFor({ state: 'detached' });
    await page.waitForFunction((text) => {
      const field = document.querySelector('parlance-panel')?.shadowRoot?.querySelector('textarea');
      return field?.value === text;
    }, `@**Cleo Montgomery|${cleo}** `);
    await choose(page, rowsWith(page, 'Soup at noon'), 'View profile of sender');
    await card.getByRole('button', { name: 'Send a message' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cleo Montgomery' }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('draws polls and to-do lists, with live votes and edits of several users', async (t) => {
    const site = await panelSite(t);
    const poll = await say(site, 'ada', '/poll Lunch?\nSoup\nBread');
    const list = await say(site, 'ada', '/todo Party\nShop: milk');
    const change = (login: 'ada' | 'cleo', { id }: { id: number }, fields: object) =>
      site.as(login).messages.addSubmessage({ message_id: id, content: JSON.stringify(fields) });
    const { page, complaints } = await site.open('ben', LUNCH);
    const lunch = page.getByRole('region', { name: /^Poll: Lunch/ });
    await lunch.getByRole('button', { name: /Soup/ }).click();
    await lunch.getByRole('button', { name: 'Soup 1 vote', pressed: true }).waitFor();
    await change('cleo', poll, { type: 'vote', key: 'canned,0', vote: 1 });
    await lunch.getByRole('button', { name: 'Soup 2 votes' }).getByText('Ben and Cleo Montgomery').waitFor();
    await lunch.getByRole('textbox', { name: 'New option' }).fill('Tea');
    await lunch.getByRole('button', { name: 'Add option' }).click();
    await lunch.getByRole('button', { name: /Tea/ }).click();
    await lunch.getByRole('button', { name: 'Tea 1 vote', pressed: true }).waitFor();
    await change('ada', poll, { type: 'question', question: 'Dinner?' });
    await page.getByRole('region', { name: 'Poll: Dinner?' }).waitFor();

    const party = page.getByRole('region', { name: 'To-do list: Party' });
    await party.getByRole('checkbox', { name: 'Shop' }).click();
    await party.locator('.task-done', { hasText: 'Shop' }).waitFor();
    await change('cleo', list, { type: 'new_task', key: 1, task: 'Cook', desc: '', completed: false });
    await party.getByRole('checkbox', { name: 'Cook' }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(complaints, []);
  });

  it('keeps the menu of a long press when the finger is lifted, until a tap elsewhere', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ben', 'Soup at noon');
    const { page, complaints } = await site.open('ben', LUNCH, PHONE);
    const row = rowsWith(page, 'Soup at noon');
    await untilComplete(page);
    const { x = 0 } = (await row.boundingBox()) ?? {};
    const touch = await toucher(page, row);
    await touch('touchStart');
    const menu = page.getByRole('menu', { name: 'Message actions' });
    await menu.waitFor();
    await touch('touchEnd');
    await menu.getByRole('menuitem', { name: 'Star message' }).tap();
    await menu.waitFor({ state: 'detached' });
    await touch('touchStart');
    await menu.waitFor();
    await touch('touchEnd');
    await menu.getByRole('menuitem', { name: 'Remove star' }).waitFor();
    await page.touchscreen.tap(x + 100, 5);
    await menu.waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
  });

  it("deletes the user's own message after confirmation, and shows a refusal", async (t) => {
    const site = await panelSite(t);
    await say(site, 'ben', 'Soup at noon');
    await say(site, 'ada', 'Of Ada');
    const { page, complaints } = await site.open('ben', LUNCH);
    await rowsWith(page, 'Of Ada').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    await untilEqual(() => page.getByRole('menuitem', { name: 'Delete message' }).count(), 0);
    await page.keyboard.press('Escape');

    site.intercept((req, res) => {
      if (req.method !== 'DELETE') return false;
      site.intercept(undefined);
      req.resume();
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ result: 'error', msg: 'Too late', code: 'BAD_REQUEST' }));
      return true;
    });
    await choose(page, rowsWith(page, 'Soup at noon'), 'Delete message');
    const dialog = page.getByRole('dialog', { name: 'Delete message' });
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByText('Too late').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await rowsWith(page, 'Soup at noon').waitFor({ state: 'detached' });
    await untilEqual(() => texts(page), ['Of Ada']);
    assert.deepEqual(complaints, []);
  });

  it('reports a message of another user, blocks its sender, hides the message and unblocks', async (t) => {
    const site = await panelSite(t);
    await say(site, 'cleo', 'Buy my soup');
    const { page, complaints } = await site.open('ben', LUNCH);
    await choose(page, rowsWith(page, 'Buy my soup'), 'Report message');
    const dialog = page.getByRole('dialog', { name: 'Report message' });
    await dialog.getByLabel('Reason').selectOption('Other');
    await dialog.getByRole('button', { name: 'Report' }).click();
    assert.equal(await dialog.getByLabel('Details').evaluate((field: HTMLInputElement) => field.validity.valid), false);
    await dialog.getByLabel('Details').fill('Cold soup');
    assert.deepEqual(await axeFindings(page), []);
    await dialog.getByRole('button', { name: 'Report' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [report] = (await site.owner.reports.list()).reports;
    assert.deepEqual(
      [report?.report_type, report?.description, report?.content],
      ['other', 'Cold soup', 'Buy my soup'],
    );

    await choose(page, rowsWith(page, 'Buy my soup'), 'Block Cleo Montgomery');
    await rowsWith(page, 'Show hidden message').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Show hidden message' }).click();
    await choose(page, rowsWith(page, 'Buy my soup'), 'Unblock Cleo Montgomery');
    await until('nobody is blocked', async () => (await site.as('ben').users.listBlocked()).blocked_users.length === 0);
    assert.deepEqual(complaints, []);
  });

  it("shows reactions of two users, and removes the user's own by keyboard", async (t) => {
    const site = await panelSite(t);
    const { id } = await say(site, 'ada', 'Soup?');
    const { page, complaints } = await site.open('ben', LUNCH);
    await site.as('cleo').messages.addReaction({ message_id: id, emoji_name: 'tada' });
    const reaction = page.getByRole('button', { name: /reacted with :tada:$/ });
    await reaction.waitFor();
    await reaction.click();
    await page.getByRole('button', { name: 'You and Cleo Montgomery reacted with :tada:', pressed: true }).waitFor();
    const reactions = async () => (await site.owner.messages.get({ message_id: id })).message.reactions.length;
    await until('the server has both', async () => (await reactions()) === 2);
    await reaction.focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Cleo Montgomery reacted with :tada:', pressed: false }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(complaints, []);
  });

  it('moving part of a topic updates the open lists of both topics', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ada', 'Stays in dinner', 'dinner');
    for (const content of ['First', 'Second', 'Third']) await say(site, 'ada', content);
    const panels = ['lunch', 'dinner'].map(
      (topic) =>
        `<div class="half" id="${topic}"><parlance-panel site="/chat" channel="general" topic="${topic}"></parlance-panel></div>`,
    );
    const { page, complaints } = await site.open('ada', panels.join(''));
    const list = (topic: string) => page.locator(`#${topic} article .rendered_markdown`);
    await list('lunch').getByText('Third').waitFor();
    await list('dinner').getByText('Stays in dinner').waitFor();
    await choose(page, page.locator('#lunch article', { hasText: 'Second' }), 'Move messages');
    const dialog = page.getByRole('dialog', { name: 'Move messages' });
    await dialog.getByRole('textbox', { name: 'Topic' }).fill('dinner');
    assert.deepEqual(await axeFindings(page), []);
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await list('dinner').getByText('Third').waitFor();
    await list('lunch').getByText('Third').waitFor({ state: 'detached' });
    const shown = async (topic: string) => (await list(topic).allTextContents()).map((text) => text.trim());
    assert.deepEqual((await shown('lunch')).slice(0, 1), ['First']);
    assert.deepEqual((await shown('dinner')).slice(0, 3), ['Stays in dinner', 'Second', 'Third']);
    assert.deepEqual(complaints, []);
  });

  it('shows, counts and announces messages of others', async (t) => {
    const site = await panelSite(t);
    await say(site, 'ada', 'First');
    const { page, complaints } = await site.open('ben', LUNCH);
    await page.getByText('First').waitFor();
    await page.evaluate(() => {
      const seen: number[] = [];
      Object.assign(globalThis, { seen });
      document.addEventListener('parlance-unread', (event) => {
        seen.push((event as CustomEvent<{ total: number }>).detail.total);
      });
    });
    await say(site, 'cleo', 'Hello **all**');
    const status = page.locator('[role="status"]');
    await status.getByText('Cleo Montgomery: Hello all').waitFor({ state: 'attached' });
    // The panel announces one text each 2 seconds, and each replaces the one before.
    const announced = await page.evaluateHandle(() => {
      const seen: string[] = [];
      const region = document.querySelector('parlance-panel')?.shadowRoot?.querySelector('[role="status"]');
      if (region)
        new MutationObserver(() => seen.push(region.textContent ?? '')).observe(region, {
          ...{ childList: true, characterData: true, subtree: true },
        });
      return seen;
    });
    await Promise.all([1, 2, 3, 4, 5].map((index) => say(site, 'cleo', `Message ${index}`)));
    await until('they are counted', async () =>
      (await announced.jsonValue()).some((text) => /^\d new messages$/.test(text)),
    );
    await say(site, 'cleo', 'Elsewhere', 'dinner');
    await page.waitForFunction(() => (globalThis as unknown as { seen: number[] }).seen.at(-1) === 1);
    assert.deepEqual(complaints, []);
  });
});
