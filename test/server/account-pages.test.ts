import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { smtp } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { openMailbox } from '../support/mailbox.ts';
import { type Answer, type Running, running, type SendOptions } from './running.ts';

const NEW = 'the play is the thing';
const mail = smtp({ url: 'smtp://127.0.0.1:9', from: 'chat@example.com' });

/** Path of a link. */
const pathOf = (link: string) => new URL(link).pathname;

async function newLinks({ chat, owner }: Running) {
  const session = chat.as(owner.user_id);
  const { id } = await session.channels.create({ name: 'Harbour <news>', subscribers: [owner.user_id] });
  const { invite_link } = await session.invites.createMultiuse({ stream_ids: [id] });
  const { reset_link } = await session.users.createResetLink({ user_id: owner.user_id });
  return { join: pathOf(invite_link), reset: pathOf(reset_link) };
}

const visit = ({ send }: Running, path: string, options: SendOptions = {}) =>
  send('GET', path, { auth: null, ...options });
const submit = ({ send }: Running, path: string, form: Record<string, string>, headers = {}) =>
  send('POST', path, { auth: null, form, headers });

function assertPage({ status, headers }: Answer, expected: number): void {
  assert.equal(status, expected);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
  );
  assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|script-src/);
  assert.match(String(headers['referrer-policy']), /^(no-referrer|same-origin)$/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
}

const ADA = { email: 'ada@example.com', full_name: 'Ada <i>Lovelace</i>', password: NEW };

test('the invitation page shows inviter, role and channels as escaped text', async (t) => {
  const server = await running(t);
  const page = await visit(server, (await newLinks(server)).join);
  assertPage(page, 200);
  assert.match(page.text, /<h1>Join Harbour &#38; Sons<\/h1>/);
  assert.match(page.text, /<strong>Olga<\/strong> has invited you to join as <strong>a member<\/strong>/);
  assert.match(page.text, /#Harbour &#60;news&#62;/);
  assert.equal(page.headers['referrer-policy'], 'same-origin');
});

test('submitting the invitation page creates an account and shows its API key, not in a URL', async (t) => {
  const server = await running(t);
  const { join } = await newLinks(server);
  const page = await submit(server, join, { ...ADA, full_name: 'Ada' });
  assertPage(page, 200);
  assert.equal(page.headers['referrer-policy'], 'no-referrer');
  assert.equal(page.headers.location, undefined);
  const [, key = ''] = /key=(\w{32})/.exec(page.text) ?? [];
  assert.equal(key, await server.chat.apiKeyOf('ada@example.com'));
  const { api_key } = await server.chat.anonymous().fetchApiKey({ username: ADA.email, password: NEW });
  assert.equal(api_key, key);
  const [, encoded = ''] =
    /download="zuliprc" href="data:application\/octet-stream;base64,([^"]+)"/.exec(page.text) ?? [];
  assert.equal(
    Buffer.from(encoded, 'base64').toString(),
    `[api]\nemail=ada@example.com\nkey=${key}\nsite=${server.url}\n`,
  );
});

test('joining with a password logs the browser in, and the page leads into the app', async (t) => {
  const server = await running(t);
  const page = await submit(server, (await newLinks(server)).join, { ...ADA, full_name: 'Ada' });
  assert.match(page.text, /<a class="button" href="\/">Open Harbour/);
  const [cookie = ''] = (page.headers['set-cookie']?.[0] ?? '').split(';');
  const headers = { cookie };
  assert.equal((await visit(server, '/', { headers })).status, 200);
  assert.equal((await visit(server, '/api/v1/users/me', { headers })).body.full_name, 'Ada');
});

test('joining sets no cookie after an error, without a password, and without the web app', async (t) => {
  const server = await running(t);
  const { join } = await newLinks(server);
  const wrong = await submit(server, join, { ...ADA, email: ' ', full_name: 'Ada' });
  const settings = { password_login: false };
  await transportOf(server.chat).engine.storage.write((tx) => tx.organization.update({ settings }));
  const withoutPassword = await submit(server, join, { ...ADA, full_name: 'Ada' });
  const other = await running(t, { web: false });
  const withoutApp = await submit(other, (await newLinks(other)).join, { ...ADA, full_name: 'Ada' });
  const answers = [wrong, withoutPassword, withoutApp];
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers['set-cookie']]),
    [400, 200, 200].map((status) => [status, undefined]),
  );
});

for (const [what, wrong, field] of [
  ['a weak password', { password: 'short' }, 'password'],
  ['a name with forbidden characters', {}, 'full_name'],
  ['a name of one letter', { full_name: 'A' }, 'full_name'],
  ['no address', { email: ' ', full_name: 'Ada' }, 'email'],
  ['an invalid address', { email: 'ada', full_name: 'Ada' }, 'email'],
  ['an address in use', { email: 'Olga@example.com', full_name: 'Ada' }, 'email'],
] as const) {
  test(`the invitation page shows ${what} as an error of its field and keeps all input but the password`, async (t) => {
    const server = await running(t);
    const { join } = await newLinks(server);
    const given = { ...ADA, ...(field === 'password' ? { full_name: 'Ada' } : {}), ...wrong };
    const page = await submit(server, join, given);
    assertPage(page, 400);
    assert.match(page.text, /<title>Error: Join/);
    assert.match(page.text, new RegExp(`<span class="error" id="${field}-error">`));
    assert.match(
      page.text,
      new RegExp(`<input id="${field}"[^>]* aria-describedby="${field}-error[^>]* aria-invalid="true"`),
    );
    assert.equal(page.text.match(/class="error"/g)?.length, 1);
    const focused = [...page.text.matchAll(/<input id="(\w+)"[^>]* autofocus/g)].map(([, id]) => id);
    assert.deepEqual(focused, [field]);
    const written = (text: string) => text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    assert.ok(page.text.includes(`value="${written(given.full_name)}"`));
    assert.ok(page.text.includes(`value="${written(given.email)}"`));
    assert.ok(!page.text.includes(given.password));
    await assert.rejects(server.chat.apiKeyOf('ada@example.com'));
  });
}

test('pages of unknown and revoked links say so and what to do', async (t) => {
  const server = await running(t);
  const { join, reset } = await newLinks(server);
  for (const path of [join.slice(0, -5), `${join.slice(0, -1)}.`, '/join/%zz/', '/join/%3Cscript%3E/']) {
    const page = await visit(server, path);
    assertPage(page, 404);
    assert.match(page.text, /invitation not found/i);
    assert.doesNotMatch(page.text, /<script/);
  }
  assertPage(await visit(server, `/join/${'x'.repeat(2_000)}/`), 400);
  const { invites } = await server.chat.as(server.owner.user_id).invites.list();
  await server.chat.as(server.owner.user_id).invites.revokeMultiuse({ invite_id: Number(invites[0]?.id) });
  for (const page of [await visit(server, join), await submit(server, join, { ...ADA, full_name: 'Ada' })]) {
    assertPage(page, 410);
    assert.match(page.text, /revoked/);
  }
  const dead = await visit(server, `${reset.slice(0, -3)}xx/`);
  assertPage(dead, 404);
  assert.match(dead.text, /href="\/accounts\/password\/reset\/"/);
});

test('the reset page sets a password once, and viewing it does not use up the link', async (t) => {
  const server = await running(t);
  const { reset } = await newLinks(server);
  for (let time = 0; time < 2; time++) {
    const page = await visit(server, reset);
    assertPage(page, 200);
    assert.match(page.text, /value="olga@example.com"/);
  }
  const different = await submit(server, reset, { new_password: NEW, again: 'the play is the thin' });
  assertPage(different, 400);
  assert.match(different.text, /id="again-error">The passwords do not match/);
  const weak = await submit(server, reset, { new_password: 'short', again: 'short' });
  assertPage(weak, 400);
  assert.match(weak.text, /id="new_password-error"/);
  const done = await submit(server, reset, { new_password: NEW, again: NEW });
  assertPage(done, 200);
  assert.ok(done.text.includes(await server.chat.apiKeyOf(server.owner.email)));
  assert.notEqual(await server.chat.apiKeyOf(server.owner.email), server.owner.api_key);
  await server.chat.anonymous().fetchApiKey({ username: server.owner.email, password: NEW });
  assertPage(await submit(server, reset, { new_password: NEW, again: NEW }), 404);
});

test('the boxes of the account pages are not checked', async (t) => {
  const server = await running(t);
  const { join, reset } = await newLinks(server);
  const boxes = async (path: string) =>
    [...(await visit(server, path)).text.matchAll(/<input type="checkbox"[^>]*>/g)].map(([box]) => box);
  const [box = '', ...more] = await boxes(reset);
  assert.match(box, /name="keep_api_key"/);
  for (const each of [box, ...more, ...(await boxes(join))]) assert.doesNotMatch(each, /\bchecked\b/);
});

test('the reset page keeps the API key with keep_api_key', async (t) => {
  const server = await running(t);
  const { reset } = await newLinks(server);
  await submit(server, reset, { new_password: NEW, again: NEW, keep_api_key: 'true' });
  assert.equal(await server.chat.apiKeyOf(server.owner.email), server.owner.api_key);
});

test('with e-mail, the page of a reusable link asks for the address alone and sends a link for the rest', async (t) => {
  const box = await openMailbox(t);
  const rateLimits = { sends_invited_email_by_ip: { seconds: 60, max: 3 } };
  const sending = smtp({ url: box.url, from: 'chat@example.com', timeoutMs: 2_000 });
  const server = await running(t, { rateLimits }, { mail: sending });
  const { join } = await newLinks(server);
  const first = await visit(server, join);
  assertPage(first, 200);
  assert.match(first.text, /<strong>Olga<\/strong> has invited you/);
  assert.doesNotMatch(first.text, /name="(full_name|password)"/);
  const wrong = await submit(server, join, { ...ADA, email: '"><b>' });
  assertPage(wrong, 400);
  assert.match(wrong.text, /id="email-error">[\s\S]*value="&#34;&#62;&#60;b&#62;"/);
  const unknown = await submit(server, join, { ...ADA, email: 'nora@example.com' });
  const known = await submit(server, join, { email: 'olga@example.com' });
  assertPage(unknown, 200);
  assert.equal(unknown.text.replaceAll('nora@', 'olga@'), known.text);
  const tooMany = await submit(server, join, { email: 'olga@example.com' });
  assertPage(tooMany, 429);
  await assert.rejects(server.chat.apiKeyOf('nora@example.com'));
  await server.chat.runDue();
  const letter = box.letters.find(({ to }) => to?.[0]?.address === 'nora@example.com');
  const personal = /\/join\/[\w-]+\//.exec(letter?.text ?? '')?.[0] ?? '';
  const page = await visit(server, personal);
  assertPage(page, 200);
  assert.match(page.text, /value="nora@example.com"[^>]* readonly/);
  assertPage(await submit(server, personal, { full_name: 'Nora', password: NEW }), 200);
  await server.chat.anonymous().fetchApiKey({ username: 'nora@example.com', password: NEW });
  const used = await submit(server, personal, { full_name: 'Nora Again', password: NEW });
  assertPage(used, 410);
  assert.match(used.text, /has been used/);
});

test('the page to request a reset link shows the same for known and unknown addresses', async (t) => {
  const server = await running(t, {}, { mail });
  const path = '/accounts/password/reset/';
  assertPage(await visit(server, path), 200);
  const known = await submit(server, path, { email: 'olga@example.com' });
  const unknown = await submit(server, path, { email: 'nora@example.com' });
  assertPage(known, 200);
  assert.equal(known.text, unknown.text.replaceAll('nora@', 'olga@'));
  const wrong = await submit(server, path, { email: '"><b>' });
  assertPage(wrong, 400);
  assert.match(wrong.text, /value="&#34;&#62;&#60;b&#62;"/);
});

test('without e-mail, the page to request a reset link says to ask an administrator', async (t) => {
  const server = await running(t);
  for (const page of [
    await visit(server, '/accounts/password/reset/'),
    await submit(server, '/accounts/password/reset/', { email: 'olga@example.com' }),
  ]) {
    assertPage(page, 404);
    assert.match(page.text, /Ask an administrator/);
  }
});

test('account pages refuse forms of other sites and forms that are too large', async (t) => {
  const server = await running(t);
  const { join } = await newLinks(server);
  const form = { ...ADA, full_name: 'Ada' };
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    assertPage(await submit(server, join, form, headers), 403);
  }
  assertPage(await submit(server, join, { ...form, filler: 'x'.repeat(40_000) }), 413);
  await assert.rejects(server.chat.apiKeyOf('ada@example.com'));
  assertPage(await submit(server, join, form, { origin: server.url }), 200);
});

test('requests of account pages from one address are limited, with retry-after', async (t) => {
  const server = await running(t, { rateLimits: { pages_by_ip: { seconds: 60, max: 2 } } }, { mail });
  const { join } = await newLinks(server);
  for (let time = 0; time < 2; time++) assertPage(await visit(server, join), 200);
  const page = await visit(server, join);
  assertPage(page, 429);
  assert.ok(Number(page.headers['retry-after']) > 0);
});

test('account pages and their links have the prefix of the server', async (t) => {
  const server = await running(t, { prefix: '/chat' });
  const { join, reset } = await newLinks(server);
  assert.match(join, /^\/chat\/join\//);
  assertPage(await visit(server, join), 200);
  assertPage(await visit(server, reset), 200);
  assert.match((await visit(server, `${reset.slice(0, -3)}xx/`)).text, /href="\/chat\/accounts\/password\/reset\/"/);
});

test('account pages answer other methods with 405 and unknown addresses with 404', async (t) => {
  const { send } = await running(t, { pages: false });
  assert.equal((await send('PUT', '/join/abc/')).status, 405);
  assert.equal((await send('HEAD', '/join/abc/')).status, 404);
  assert.equal((await send('GET', '/accounts/login/')).status, 404);
});

/** A storage that fails, and its log entries. */
async function failing(t: TestContext): Promise<{ server: Running; join: string; reset: string }> {
  const server = await running(t);
  const { join, reset } = await newLinks(server);
  await server.chat.close();
  return { server, join, reset };
}

test('an error of an account page is logged without the secret of its URL', async (t) => {
  const { server, join, reset } = await failing(t);
  for (const path of [join, reset]) {
    const page = await visit(server, path);
    assertPage(page, 503);
    const secret = String(path.split('/').at(-2));
    assert.ok(secret.length > 20);
    assert.ok(!JSON.stringify(server.logged).includes(secret));
    assert.match(page.text, /give this ID to an administrator/);
  }
  assert.equal(server.logged.length, 2);
});
