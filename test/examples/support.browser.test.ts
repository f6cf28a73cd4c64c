import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startShop } from '../../examples/support/serve.ts';
import { launched, NO_BROWSER } from '../client/pages.ts';
import { databasePath } from './folder.ts';

const SKIP = { skip: NO_BROWSER };

test(
  'a customer writes from a page of the shop, the staff answers, and other customers see nothing of it',
  SKIP,
  async (t) => {
    const alias = { 'parlance/client': fileURLToPath(import.meta.resolve('../../lib/client/browser.ts')) };
    const { url, chat, close } = await startShop({ database: await databasePath(t), port: 0, alias });
    t.after(close);
    const { context } = await launched(t);
    const ben = await context.newPage();
    await ben.goto(url);
    await ben.waitForTimeout(500);
    assert.equal(await ben.getByText('Write to us').count(), 0, 'nobody is logged in');
    await ben.goto(`${url}/?login=ben`);
    await ben.getByText('Write to us').click();
    await ben.getByLabel('Message').fill('Where is <b>order</b> 42?');
    await ben.getByRole('button', { name: 'Send' }).click();
    await ben.getByText('Ben: Where is <b>order</b> 42?').waitFor();

    const grace = chat.as('grace@example.com');
    const { messages } = await grace.messages.list({ anchor: 'newest', num_before: 1, apply_markdown: false });
    assert.equal(messages[0]?.content, 'Where is <b>order</b> 42?');
    const to = Number(messages[0]?.stream_id);
    await grace.messages.send({ type: 'channel', to, topic: 'support', content: 'On its way.' });
    await ben.getByText('Grace: On its way.').waitFor();
    await ben.reload();
    await ben.getByText('Write to us').click();
    await ben.getByText('Grace: On its way.').waitFor();

    const cleo = await (await context.browser()?.newContext())?.newPage();
    assert.ok(cleo);
    await cleo.goto(`${url}/?login=cleo`);
    await cleo.getByText('Write to us').click();
    await cleo.getByLabel('Message').fill('Hello');
    await cleo.getByRole('button', { name: 'Send' }).click();
    await cleo.getByText('Cleo: Hello').waitFor();
    assert.deepEqual(await cleo.locator('li').allTextContents(), ['Cleo: Hello']);
    assert.deepEqual(await ben.locator('li').allTextContents(), [
      'Ben: Where is <b>order</b> 42?',
      'Grace: On its way.',
    ]);
    const { members } = await chat.as('cleo@example.net').users.list();
    assert.ok(!members.some(({ full_name }) => full_name === 'Ben'), 'customers see no other customers');
  },
);
