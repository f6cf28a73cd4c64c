import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import type { BrowserContext } from 'playwright-core';
import { startShop } from '../../examples/support/serve.ts';
import { smtp } from '../../lib/index.ts';
import { listenForMail } from '../../server/lmtp.ts';
import { launched, NO_BROWSER, watched } from '../client/pages.ts';
import { clockAhead } from '../kills/victims.ts';
import { freePort } from '../support/free-port.ts';
import { openMailbox } from '../support/mailbox.ts';
import { databasePath } from './folder.ts';

const CUSTOMER = 'ben@example.net';

test('a customer asks, closes the page, gets the answer in one e-mail, and the reply to it appears in the open web app', {
  skip: NO_BROWSER,
}, async (t) => {
  const box = await openMailbox(t);
  const time = { aheadMs: 0 };
  const clock = { ...clockAhead(0), now: () => Date.now() + time.aheadMs };
  const replies = { domain: 'reply.shop.example.com' };
  const mail = smtp({ url: box.url, from: 'The shop <chat@shop.example.com>', replies, timeoutMs: 5_000 });
  const shop = await startShop({ database: await databasePath(t), port: await freePort(), mail, clock });
  t.after(shop.close);
  const { url, chat } = shop;
  const lmtp = await listenForMail(chat, { host: '127.0.0.1', port: 0 });
  t.after(() => lmtp.close());
  /** Later, the worker does what is due. */
  const wait = async (minutes: number) => {
    await chat.runDue();
    time.aheadMs += minutes * 60_000;
    await chat.runDue();
  };
  const { context } = await launched(t);

  const ben = await watched(context);
  await ben.page.goto(`${url}/?login=ben`);
  await ben.page.getByText('Write to us').click();
  await ben.page.getByRole('textbox').fill('Where is **order** 42?');
  await ben.page.getByRole('button', { name: 'Send' }).click();
  await ben.page.getByRole('article').getByText('Where is order 42?').waitFor();
  await ben.page.close();
  await wait(10);

  const staff = await watched((await context.browser()?.newContext()) as BrowserContext);
  await staff.page.goto(`${url}/?login=grace`);
  await staff.page.getByRole('link', { name: 'Answer customers' }).click();
  await staff.page
    .getByRole('link', { name: /customer \d+/ })
    .first()
    .click();
  await staff.page.getByText('Where is order 42?').first().waitFor();
  await staff.page.getByRole('navigation').getByRole('link', { name: 'general chat' }).click();
  for (const text of ['It is on its way.', 'It arrives tomorrow.']) {
    await staff.page.getByRole('textbox', { name: /^Message to/ }).fill(text);
    await staff.page.getByRole('button', { name: 'Send' }).click();
    await staff.page.getByRole('article').locator('.rendered_markdown').getByText(text).waitFor();
  }
  await wait(3);
  await wait(10);
  const letters = box.letters.filter(({ to }) => to?.[0]?.address === CUSTOMER);
  assert.equal(letters.length, 1, 'one e-mail');
  const [letter] = letters;
  assert.match(letter?.text ?? '', /It is on its way\.[\s\S]*It arrives tomorrow\.[\s\S]*Reply to this e-mail/);
  assert.ok(letter?.text?.includes(`Read and reply:\n${url}/\n`), 'the link leads to the shop');

  const transport = createTransport({ ...lmtp.address, lmtp: true, secure: false, ignoreTLS: true } as never);
  t.after(() => transport.close());
  await transport.sendMail({
    from: `Ben <${CUSTOMER}>`,
    to: letter?.replyTo?.[0]?.address,
    subject: `Re: ${letter?.subject}`,
    inReplyTo: letter?.messageId,
    text: `Great, thank you!\n\nOn Fri, Nov 20, 2026 at 9:32 AM The shop <chat@shop.example.com> wrote:\n\n${(letter?.text ?? '').replace(/^/gm, '> ')}\n`,
  });
  await staff.page.getByRole('article').getByText('Great, thank you!', { exact: true }).waitFor();

  // The link of the e-mail opens the page of the shop, in which the conversation goes on.
  const again = await watched(context);
  await again.page.goto(`${url}/`);
  await again.page.getByText('Write to us').click();
  await again.page.getByRole('article').getByText('Great, thank you!').waitFor();
  await again.page.getByRole('article').getByText('It arrives tomorrow.').waitFor();
  assert.deepEqual([...ben.complaints, ...staff.complaints, ...again.complaints], []);
});
