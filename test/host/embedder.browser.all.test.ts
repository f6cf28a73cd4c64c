import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import type { BrowserContext, Page } from 'playwright-core';
import { launched, NO_BROWSER, watched } from '../client/pages.ts';
import { withoutPostgres } from '../support/engines.ts';
import { postgresPlace } from '../support/postgres.ts';
import { until, untilEqual } from '../support/until.ts';
import { type Person, startHost, startPartner } from './shop.ts';

const ORDER = { type: 'channel', to: 'orders', topic: 'new' } as const;

test('a Fastify application embeds the chat: its login, accounts, transactions and pages, and a page of a partner', {
  skip: NO_BROWSER || withoutPostgres,
}, async (t) => {
  const people: Person[] = [
    { id: 'p-1', name: 'Ben *Ngo*', password: 'one' },
    { id: 'p/2 ü', name: 'Cleo', password: 'two' },
  ];
  const { host, pool, schema } = await hosted(t, people);
  const { counts } = await host.mirror();
  assert.deepEqual([counts.created, counts.failed], [3, 0]);
  assert.equal((await host.mirror()).counts.unchanged, 3);

  const { context } = await launched(t);
  const ben = await watched(context);
  await ben.page.goto(host.url);
  await untilEqual(() => ben.page.locator('parlance-panel').count(), 0);
  assert.equal(await logIn(ben.page, { id: 'p-1', password: 'wrong' }), 401);
  assert.equal(await logIn(ben.page, { id: 'p-1', password: 'one' }), 200);
  await ben.page.goto(host.url);
  await write(ben.page, 'Hello from Ben');

  // The order and its message share a transaction: a commit stores both, and a rollback neither.
  const order = (number: number, fails = false) => post(ben.page, '/orders', { number, fails });
  assert.equal(await order(17, true), 409);
  assert.equal(await order(18), 200);
  await shown(ben.page).getByText('Order 18').waitFor();
  assert.equal(await order(18), 409, 'the number is taken: the error comes before the message');
  await write(ben.page, 'Thank you');
  await untilEqual(() => shown(ben.page).allInnerTexts(), ['Hello from Ben', 'Order 18', 'Thank you']);
  const { rows } = await pool.query(`SELECT number FROM ${schema}.orders`);
  assert.deepEqual(rows, [{ number: 18 }]);

  // A page of another site has no cookie of the host. It shows the chat to Cleo with tokens.
  const partner = await startPartner(host, 'p/2 ü', 4);
  t.after(partner.close);
  const elsewhere = (await context.browser()?.newContext()) as BrowserContext;
  const cleo = await watched(elsewhere);
  await cleo.page.goto(partner.url);
  await shown(cleo.page).getByText('Order 18').waitFor();
  await write(cleo.page, 'Hello from Cleo');
  await shown(ben.page).getByText('Hello from Cleo').waitFor();
  assert.deepEqual(await elsewhere.cookies(), []);
  const system = host.chat.system();
  await until(
    'the token was replaced',
    async () => partner.tokens.length > 1 || (await write(cleo.page, 'Still here')),
    {
      every: 1_000,
    },
  );
  await system.messages.send({ ...ORDER, content: 'From the shop' });
  for (const { page } of [ben, cleo]) await shown(page).getByText('From the shop').waitFor();

  // Cleo leaves the host. Her page and token end, with their permission to write.
  people.splice(1, 1);
  const left = await host.mirror();
  assert.deepEqual(
    left.changes.map(({ action, external_id }) => [action, external_id]),
    [['deactivated', 'p/2 ü']],
  );
  const answer = await fetch(`${host.url}/chat/api/v1/users/me`, {
    headers: { authorization: `Bearer ${partner.tokens.at(-1)}` },
  });
  assert.equal(answer.status, 401);
  await assert.rejects(host.chat.tokens.create({ user: { external_id: 'p/2 ü' } }), { code: 'UNAUTHORIZED' });
  await cleo.page.getByText('You are signed out.').waitFor();
  assert.deepEqual(ben.complaints, []);
  assert.deepEqual(cleo.complaints, []);
});

async function hosted(t: TestContext, people: Person[]) {
  const place = await postgresPlace();
  t.after(place.drop);
  const pool = new pg.Pool({ connectionString: place.url, max: 2 });
  t.after(() => pool.end());
  const host = await startHost(pool, place.schema, people);
  t.after(host.close);
  return { host, pool, schema: place.schema };
}

const shown = (page: Page) => page.getByRole('article').locator('.rendered_markdown');

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
  await shown(page).getByText(text).last().waitFor();
}

const logIn = (page: Page, given: { id: string; password: string }) => post(page, '/login', given);

/** The status of a request by a script of the page. */
async function post(page: Page, path: string, body: object): Promise<number> {
  const answer = await page.request.post(new URL(path, page.url()).href, { data: body });
  return answer.status();
}
