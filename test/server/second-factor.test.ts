import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { ChatOptions } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { requestListener, type ServeOptions } from '../../server/index.ts';
import { codeOf } from '../support/authenticator.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, listening, type Running, running, send } from './running.ts';

const PASSWORD = 'a long password';
const CREDENTIALS = { email: 'olga@example.com', password: PASSWORD };
const STEP = { seconds: 30 };

interface Server extends Running {
  clock: ManualClock;
  logIn(form?: Record<string, string>): Promise<Answer>;
}

async function served(t: TestContext, options: ServeOptions = {}, chatOptions: Partial<ChatOptions> = {}) {
  const clock = new ManualClock();
  const server = await running(t, options, { clock, ...chatOptions });
  const logIn = (form: Record<string, string> = CREDENTIALS) => server.send('POST', '/login', { auth: null, form });
  return { ...server, clock, logIn };
}

const cookieOf = ({ headers }: Answer) => (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
const sealedIn = ({ text }: Answer) => /name="sealed" value="([\w-]+)"/.exec(text)?.[1] ?? assert.fail(text);
const recoveryCodesIn = ({ text }: Answer) =>
  /<pre id="recovery-codes">([^<]*)/.exec(text)?.[1]?.trim().split('\n') ?? assert.fail(text);

/** The app that has scanned the page. It types the key, since the picture has no text. */
function appOf({ text }: Answer, clock: ManualClock): () => string {
  const [, key = ''] = /Type this key into the app: <code>([A-Z2-7 ]+)<\/code>/.exec(text) ?? [];
  assert.equal(key.replaceAll(' ', '').length, 32);
  assert.match(text, /<div role="img" aria-label="QR code[^>]*><svg /);
  return () => codeOf(`otpauth://totp/x?secret=${key.replaceAll(' ', '')}`, clock.now());
}

const isLoggedIn = async ({ send }: Server, cookie: string) =>
  (await send('GET', '/api/v1/users/me', { auth: null, headers: { cookie } })).status === 200;

/** Turns the second factor of the owner on, on its page. */
async function turnedOn(server: Server) {
  const { send, clock } = server;
  const cookie = cookieOf(await server.logIn());
  const post = (form: Record<string, string>) =>
    send('POST', '/accounts/second-factor', { auth: null, form, headers: { cookie } });
  const setUp = await post({ password: PASSWORD });
  const app = appOf(setUp, clock);
  const recoveryCodes = recoveryCodesIn(await post({ sealed: sealedIn(setUp), code: app() }));
  clock.advance(STEP);
  return { cookie, app, recoveryCodes, post };
}

test('after the password, a login asks for the code, and its page contains no password', async (t) => {
  const server = await served(t);
  const { app, recoveryCodes } = await turnedOn(server);
  const asked = await server.logIn();
  assert.equal(asked.status, 200);
  assert.match(asked.text, /<h1>Enter your code<\/h1>/);
  assert.equal(asked.headers['set-cookie'], undefined);
  assert.doesNotMatch(asked.text, new RegExp(PASSWORD));
  assert.ok(!Buffer.from(sealedIn(asked), 'base64url').includes(PASSWORD));

  const wrong = await server.logIn({ sealed: sealedIn(asked), code: '000000x' });
  assert.deepEqual([wrong.status, wrong.headers['set-cookie']], [400, undefined]);
  assert.match(wrong.text, /The code is wrong, or was already used/);

  const entered = await server.logIn({ sealed: sealedIn(wrong), code: app() });
  assert.deepEqual([entered.status, entered.headers.location], [303, 'login?entered']);
  assert.equal(await isLoggedIn(server, cookieOf(entered)), true);

  const again = await server.logIn({ sealed: sealedIn(asked), code: app() });
  assert.match(again.text, /already used/);
  const recovered = await server.logIn({ sealed: sealedIn(asked), code: recoveryCodes[0] ?? '' });
  assert.equal(recovered.status, 303);
});

test('the code must follow within ten minutes, to the same server, and with the password that was entered', async (t) => {
  const server = await served(t);
  const { app } = await turnedOn(server);
  const sealed = sealedIn(await server.logIn());
  const sealedElsewhere = sealedIn(await turnedOnElsewhere(t));
  const changed = `${sealed.slice(0, -4)}${sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
  for (const other of [changed, sealedElsewhere, 'x']) {
    const { status, text, headers } = await server.logIn({ sealed: other, code: app() });
    assert.deepEqual([status, headers['set-cookie']], [400, undefined]);
    assert.match(text, /longer than 10 minutes/);
  }
  server.clock.advance({ seconds: 600 });
  assert.match((await server.logIn({ sealed, code: app() })).text, /longer than 10 minutes/);
  const fresh = sealedIn(await server.logIn());
  await server.chat.system().users.setPassword({ user_id: server.owner.user_id, password: 'the play is the thing' });
  assert.match((await server.logIn({ sealed: fresh, code: app() })).text, /password is wrong/);
});

async function turnedOnElsewhere(t: TestContext) {
  const other = await served(t);
  await turnedOn(other);
  return other.logIn();
}

test('wrong codes count like wrong passwords, and a right password without a code does not', async (t) => {
  const server = await served(t);
  const { app } = await turnedOn(server);
  const form = { username: CREDENTIALS.email, password: PASSWORD };
  const fetchKey = (code?: string) =>
    server.send('POST', '/api/v1/fetch_api_key', { auth: null, form: code === undefined ? form : { ...form, code } });
  for (let attempt = 0; attempt < 7; attempt++) {
    const { status, body } = await fetchKey();
    assert.deepEqual([status, body.code, body.reason], [401, 'SECOND_FACTOR_NEEDED', 'code_missing']);
  }
  for (let attempt = 0; attempt < 4; attempt++) assert.equal((await fetchKey('000000x')).body.reason, 'code_wrong');
  assert.equal((await fetchKey(app())).status, 200);
  assert.equal((await fetchKey('000000x')).body.reason, 'code_wrong');
  server.clock.advance(STEP);
  // Five wrong codes in half an hour: the server does not ask the database any more.
  assert.equal((await fetchKey(app())).status, 429);
});

test('a role that needs a second factor sets it up at the next login, before it gets a cookie', async (t) => {
  const server = await served(t);
  const { chat, clock, owner } = server;
  const before = cookieOf(await server.logIn());
  await chat.system().organization.edit({ second_factor_required_for: 'owners' });
  const given = { ...CREDENTIALS, code: '000000', url: 'otpauth://totp/x?secret=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' };
  assert.doesNotMatch((await server.logIn(given)).text, /AAAA AAAA/, 'the key comes from the server only');
  const setUp = await server.logIn();
  assert.equal(setUp.headers['set-cookie'], undefined);
  assert.match(setUp.text, /Your role in Harbour &#38; Sons needs a second factor/);
  const forged = await server.logIn({ ...CREDENTIALS, url: 'javascript:x', code: '000000' });
  assert.equal(forged.status, 200, 'the set-up begins again');
  const again = await server.logIn();
  const app = appOf(again, clock);
  const wrong = await server.logIn({ sealed: sealedIn(again), code: '000000x' });
  assert.deepEqual([wrong.status, wrong.headers['set-cookie']], [400, undefined]);
  assert.equal(appOf(wrong, clock)(), app(), 'the page shows the same key again');
  const done = await server.logIn({ sealed: sealedIn(wrong), code: app() });
  assert.equal(recoveryCodesIn(done).length, 10);
  assert.equal(await isLoggedIn(server, cookieOf(done)), true);
  assert.equal(await isLoggedIn(server, before), true, 'a login from before goes on');
  assert.match((await server.logIn({ ...CREDENTIALS, url: 'x', code: '1' })).text, /<h1>Enter your code<\/h1>/);
  assert.equal((await chat.as(owner.user_id).secondFactor.get()).is_on, true);
});

test('a person who joins with a role that needs a second factor gets no login and no API key before it is set up', async (t) => {
  const server = await served(t);
  const { chat, send, clock, owner } = server;
  await chat.system().organization.edit({ second_factor_required_for: 'members' });
  const { invite_link } = await chat.as(owner.user_id).invites.createMultiuse({ stream_ids: [] });
  const { pathname } = new URL(invite_link);
  const form = { email: 'ben@example.com', full_name: 'Ben', password: PASSWORD };
  const joined = await send('POST', pathname, { auth: null, form });
  assert.match(joined.text, /Welcome, Ben[\s\S]*<a class="button" href="\/login">Log in<\/a>/);
  assert.doesNotMatch(joined.text, /key=/);
  assert.equal(joined.headers['set-cookie'], undefined);
  const setUp = await server.logIn({ email: 'ben@example.com', password: PASSWORD });
  const done = await server.logIn({ sealed: sealedIn(setUp), code: appOf(setUp, clock)() });
  assert.equal(recoveryCodesIn(done).length, 10);
});

test('a raise during a set-up ends its login, also after the password was checked', async (t) => {
  const server = await served(t);
  const { chat, clock } = server;
  const { user_id } = await chat
    .system()
    .users.create({ email: 'ben@example.com', full_name: 'Ben', password: PASSWORD });
  await chat.system().organization.edit({ second_factor_required_for: 'everyone' });
  const setUp = await server.logIn({ email: 'ben@example.com', password: PASSWORD });
  const transport = transportOf(chat);
  const { newCookie } = transport;
  transport.newCookie = async (account) => {
    await chat.system().users.edit({ user_id, role: 300 });
    return newCookie(account);
  };
  const done = await server.logIn({ sealed: sealedIn(setUp), code: appOf(setUp, clock)() });
  assert.equal(done.headers['set-cookie'], undefined);
  assert.match(done.text, /Your logins have just ended\. Log in again\./);
});

test('a set-up that took longer than ten minutes begins again with another key', async (t) => {
  const server = await served(t);
  const { chat, clock } = server;
  await chat.system().organization.edit({ second_factor_required_for: 'owners' });
  const first = await server.logIn();
  const app = appOf(first, clock);
  clock.advance({ minutes: 9 });
  const wrong = await server.logIn({ sealed: sealedIn(first), code: '000000x' });
  clock.advance({ minutes: 2 });
  const late = await server.logIn({ sealed: sealedIn(wrong), code: app() });
  assert.match(late.text, /A set-up must end within 10 minutes/);
  assert.notEqual(appOf(late, clock)(), app());
  const done = await server.logIn({ sealed: sealedIn(late), code: appOf(late, clock)() });
  assert.equal(recoveryCodesIn(done).length, 10);
});

test('the page of the second factor needs a login, the password to turn it on, and a code to turn it off', async (t) => {
  const server = await served(t);
  const { send } = server;
  const anonymous = await send('GET', '/accounts/second-factor', { auth: null });
  assert.deepEqual([anonymous.status, anonymous.headers.location], [302, '../login']);
  const { cookie, app, recoveryCodes, post } = await turnedOn(server);
  assert.equal(recoveryCodes.length, 10);
  const page = await send('GET', '/accounts/second-factor', { auth: null, headers: { cookie } });
  assert.match(page.text, /Recovery codes left: 10/);
  assert.match((await post({ code: '000000x' })).text, /The code is wrong/);
  assert.match((await post({ code: '000000x', renew: 'true' })).text, /The code is wrong/);
  const renewed = await post({ code: recoveryCodes[0] ?? '', renew: 'true' });
  assert.match(renewed.text, /The earlier recovery codes no longer work/);
  assert.equal(recoveryCodesIn(renewed).filter((code) => recoveryCodes.includes(code)).length, 0);
  assert.match((await post({ code: app() })).text, /<h1>Your second factor is off<\/h1>/);
  const wrong = await post({ password: 'wrong' });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /The current password is wrong/);
  assert.equal((await server.logIn()).status, 303);
});

test('another site cannot turn a second factor on or off', async (t) => {
  const server = await served(t);
  const { cookie, app } = await turnedOn(server);
  const headers = { cookie, 'sec-fetch-site': 'cross-site' };
  const { status } = await server.send('POST', '/accounts/second-factor', {
    auth: null,
    headers,
    form: { code: app() },
  });
  assert.equal(status, 403);
});

test('the reset page asks for the code, and sends a role without a second factor to the login page', async (t) => {
  const server = await served(t);
  const { app } = await turnedOn(server);
  const link = async () => {
    const { reset_link } = await server.chat.system().users.createResetLink({ user_id: server.owner.user_id });
    return new URL(reset_link).pathname;
  };
  const path = await link();
  const again = { new_password: 'the play is the thing', again: 'the play is the thing' };
  const post = (to: string, form: Record<string, string>) => server.send('POST', to, { auth: null, form });
  assert.match((await server.send('GET', path, { auth: null })).text, /<label for="code">Code<\/label>/);
  const without = await post(path, again);
  assert.equal(without.status, 400);
  assert.match(without.text, /id="code-error"/);
  assert.match((await post(path, { ...again, code: app() })).text, /<h1>Your password is set<\/h1>[\s\S]*key=\w{32}/);

  await server.chat.system().users.resetSecondFactor({ user_id: server.owner.user_id });
  await server.chat.system().organization.edit({ second_factor_required_for: 'owners' });
  const next = await post(await link(), { new_password: PASSWORD, again: PASSWORD });
  assert.match(next.text, /<a class="button" href="\/login">Log in<\/a>/);
  assert.doesNotMatch(next.text, /key=/);
});

test('the audit log has a login that lacks its code, with the password of the chat and of a directory', async (t) => {
  const olga = { id: 'olga', email: CREDENTIALS.email, name: 'Olga' };
  const directory = {
    check: async (_: string, password: string) => (password === 'of the directory' ? olga : undefined),
  };
  const server = await served(t, {}, { directory });
  await turnedOn(server);
  for (const password of [PASSWORD, 'of the directory']) {
    const form = { username: CREDENTIALS.email, password, code: '000000x' };
    assert.equal((await server.send('POST', '/api/v1/fetch_api_key', { auth: null, form })).body.reason, 'code_wrong');
    server.clock.advance({ seconds: 20 });
    await server.chat.runDue();
  }
  const logins = (await server.chat.auditLog({ action: 'fetchApiKey' })).filter(({ status }) => status === 401);
  assert.deepEqual(
    logins.map(({ user_id, code }) => [user_id, code]),
    [
      [server.owner.user_id, 'SECOND_FACTOR_NEEDED'],
      [server.owner.user_id, 'SECOND_FACTOR_NEEDED'],
    ],
  );
});

test('a login in a directory is linked to an account only after the code', async (t) => {
  const directory = {
    check: async (id: string, password: string) =>
      password === 'of the directory' ? { id, email: CREDENTIALS.email, name: 'Olga' } : undefined,
  };
  const server = await served(t, {}, { directory });
  const { app } = await turnedOn(server);
  const fetchKey = async (username: string, code: string) => {
    const form = { username, password: 'of the directory', code };
    return (await server.send('POST', '/api/v1/fetch_api_key', { auth: null, form })).body;
  };
  assert.equal((await fetchKey('mallory', '000000x')).reason, 'code_wrong');
  assert.equal((await fetchKey('olga', app())).user_id, server.owner.user_id);
});

test('forms of the page of the second factor count as requests of the account', async (t) => {
  const server = await served(t, { rateLimits: { api_by_user: { seconds: 60, max: 2 } } });
  const cookie = cookieOf(await server.logIn());
  const post = () =>
    server.send('POST', '/accounts/second-factor', { auth: null, form: { password: PASSWORD }, headers: { cookie } });
  assert.deepEqual([(await post()).status, (await post()).status, (await post()).status], [200, 200, 429]);
});

test('over HTTP, an API key and a cookie need a code to raise an account, and the login of the host does not', async (t) => {
  const server = await served(t);
  const { app, cookie } = await turnedOn(server);
  await server.chat.system().organization.edit({ second_factor_required_for: 'administrators' });
  const [eva, ben, cleo] = await Promise.all(
    ['eva', 'ben', 'cleo'].map((name) =>
      server.chat.system().users.create({ email: `${name}@example.com`, full_name: name }),
    ),
  );
  const raise = (user: { user_id: number } | undefined, more: object = {}, form: object = {}) =>
    server.send('PATCH', `/api/v1/users/${user?.user_id}`, { form: { role: '200', ...form }, ...more });
  for (const more of [{}, { auth: null, headers: { cookie } }]) {
    const { status, body } = await raise(eva, more);
    assert.deepEqual([status, body.code, body.reason], [401, 'SECOND_FACTOR_NEEDED', 'code_missing']);
  }
  assert.equal((await raise(eva, {}, { code: app() })).status, 200);
  assert.equal((await raise(ben, { auth: null, headers: { cookie } }, { code: app() })).body.reason, 'code_wrong');
  server.clock.advance(STEP);
  assert.equal((await raise(ben, { auth: null, headers: { cookie } }, { code: app() })).status, 200);
  // A refused login of the API keeps the login.
  assert.equal(await isLoggedIn(server, cookie), true);

  const host = await listening(
    t,
    createServer(requestListener(server.chat, { authenticate: () => CREDENTIALS.email })),
  );
  const form = { role: '200' };
  assert.equal((await send(host, 'PATCH', `/api/v1/users/${cleo?.user_id}`, { auth: null, form })).status, 200);
});
