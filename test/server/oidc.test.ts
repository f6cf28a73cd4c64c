import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { type Chat, type ChatOptions, openChat, sqlite } from '../../lib/index.ts';
import { ROLE_NAMES } from '../../lib/internal.ts';
import { type OidcOptions, requestListener, type ServeOptions, serve } from '../../server/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { CLIENT, identityProvider, type People, Visitor } from './identity-provider.ts';
import { listening, running, send } from './running.ts';

const BEN = { name: 'Ben Ngo', email: 'ben@example.com', email_verified: true };

async function withProvider(
  t: TestContext,
  people: People,
  oidc: Partial<OidcOptions> = {},
  { options = {}, chatOptions = {} }: { options?: ServeOptions; chatOptions?: Partial<ChatOptions> } = {},
) {
  const provider = await identityProvider(t, people);
  const server = await running(t, { oidc: [{ issuer: provider.issuer, ...CLIENT, ...oidc }], ...options }, chatOptions);
  provider.serves(server.url, oidc.id);
  const start = `${server.url}/login/oidc/${oidc.id ?? 'sso'}`;
  return { ...server, provider, start, logIn: (subject: string) => new Visitor().logIn(start, subject) };
}

const meIn = async (visitor: Visitor, url: string) => (await visitor.open(`${url}/api/v1/users/me`)).body;

const addUser = (chat: Chat, email: string, full_name = 'Ben') => chat.system().users.ensure({ email, full_name });

/** An account whose address is not verified: its user joined by a link that an administrator has passed on. */
async function joinedByLink(chat: Chat, email: string) {
  const { invite_link } = await chat.as('olga@example.com').invites.createMultiuse({ stream_ids: [] });
  const key = invite_link.split('/').at(-2) ?? '';
  return chat.anonymous().invites.accept({ key, email, full_name: 'Mallory', password: 'a long password' });
}

test('a person whom the provider logs in gets the account with the verified address, and later by the subject', async (t) => {
  const { chat, url, start, provider } = await withProvider(t, { ben: BEN });
  const { user_id } = await addUser(chat, 'ben@example.com');
  const page = await send(Number(new URL(url).port), 'GET', '/login', { auth: null });
  assert.match(page.text, new RegExp(`href="${start}">Log in with 127`));
  const visitor = new Visitor();
  const app = await visitor.logIn(start, 'ben');
  assert.deepEqual([app.status, app.url], [200, `${url}/`]);
  assert.equal((await meIn(visitor, url)).user_id, user_id);

  // A subject that moves to another address keeps its account, and the account its address.
  await addUser(chat, 'chief@example.com', 'Chief');
  provider.people.ben = { ...BEN, email: 'chief@example.com' };
  const again = new Visitor();
  await again.logIn(start, 'ben');
  const me = await meIn(again, url);
  assert.deepEqual([me.user_id, me.delivery_email], [user_id, 'ben@example.com']);
  const logins = await chat.auditLog({ action: 'externalLogin' });
  assert.deepEqual(
    logins.map((entry) => [entry.user_id, entry.status]),
    [
      [user_id, 200],
      [user_id, 200],
    ],
  );
});

test('an address that the provider has not verified opens no account and creates none', async (t) => {
  const { chat, logIn } = await withProvider(
    t,
    { eve: { ...BEN, email_verified: false }, zoe: { name: 'Zoe' } },
    { open: true },
  );
  await addUser(chat, 'ben@example.com');
  for (const subject of ['eve', 'zoe']) {
    const { status, text } = await logIn(subject);
    assert.equal(status, 400, subject);
    assert.match(text, /does not say that it has verified your e-mail address/);
  }
});

test('with trustEmail, an address without the claim email_verified counts as verified', async (t) => {
  const { chat, start, url } = await withProvider(
    t,
    { ben: { name: 'Ben', email: 'ben@example.com' } },
    { trustEmail: true },
  );
  const { user_id } = await addUser(chat, 'ben@example.com');
  const visitor = new Visitor();
  await visitor.logIn(start, 'ben');
  assert.equal((await meIn(visitor, url)).user_id, user_id);
});

test('each of several providers must say whose addresses it may name', async (t) => {
  const { chat } = await running(t);
  const one = { issuer: 'https://login.example.com', ...CLIENT, id: 'one', emailDomains: ['*'] };
  await assert.rejects(
    serve(chat, { port: 0, oidc: [one, { ...one, id: 'two', emailDomains: undefined }] } as ServeOptions),
    {
      name: 'TypeError',
      message: /^Set emailDomains of the provider "two"/,
    },
  );
  const { close } = await serve(chat, { port: 0, oidc: [one, { ...one, id: 'two' }] });
  await close();
});

test('a provider with emailDomains opens no account with an address of another domain, and creates none', async (t) => {
  const people = {
    mallory: { name: 'Olga', email: 'olga@example.com', email_verified: true },
    sub: { name: 'Sub', email: 'sub@olga.partner.example', email_verified: true },
    pat: { name: 'Pat', email: 'Pat@Partner.Example', email_verified: true },
  };
  const limits = { emailDomains: ['partner.example'], open: true, trustEmail: true };
  const { chat, start, url, logIn, provider } = await withProvider(t, people, limits);
  const { user_id } = await addUser(chat, 'pat@partner.example', 'Pat');
  for (const subject of ['mallory', 'sub']) {
    const { status, text } = await logIn(subject);
    assert.equal(status, 400, subject);
    assert.match(text, /does not say that it has verified your e-mail address/);
  }
  for (const email of ['pat@partner.example', 'olga@example.com']) {
    provider.people.pat = { ...people.pat, email };
    const visitor = new Visitor();
    await visitor.logIn(start, 'pat');
    assert.equal((await meIn(visitor, url)).user_id, user_id, 'by the address, then by the subject');
  }
});

test('an account whose own address is not verified is not opened, and with adopt "reset" its earlier access ends', async (t) => {
  const strict = await withProvider(t, { ben: BEN });
  await joinedByLink(strict.chat, 'ben@example.com');
  const refused = await strict.logIn('ben');
  assert.equal(refused.status, 403);
  assert.match(refused.text, /not certain that it is yours/);

  const { chat, start, url, send } = await withProvider(t, { ben: BEN }, {}, { options: { adopt: 'reset' } });
  const { user_id, api_key } = await joinedByLink(chat, 'ben@example.com');
  const visitor = new Visitor();
  await visitor.logIn(start, 'ben');
  assert.equal((await meIn(visitor, url)).user_id, user_id);
  assert.notEqual(await chat.apiKeyOf(user_id), api_key);
  const form = { username: 'ben@example.com', password: 'a long password' };
  assert.equal((await send('POST', '/api/v1/fetch_api_key', { auth: null, form })).status, 401);
});

test('an address that has gone to another subject does not open the account of the first', async (t) => {
  const { chat, logIn } = await withProvider(t, { first: BEN, second: BEN }, { open: true });
  await addUser(chat, 'ben@example.com');
  assert.equal((await logIn('first')).status, 200);
  const { status, text } = await logIn('second');
  assert.equal(status, 403);
  assert.match(text, /belongs to another login of your provider/);
});

test('an account that goes to the new holder of its address loses all logins of the earlier one', async (t) => {
  const ada = { id: 'ada', name: 'Ada', email: 'ben@example.com' };
  const directory = { check: async (login: string) => (login === 'ada' ? ada : undefined) };
  const people = { ada: BEN, ben: BEN };
  const options = { options: { adopt: 'reset' as const }, chatOptions: { directory } };
  const { chat, url, start, logIn } = await withProvider(t, people, {}, options);
  const { user_id } = await addUser(chat, 'ben@example.com');
  const byDirectory = () => chat.anonymous().fetchApiKey({ username: 'ada', password: 'a password of the directory' });
  assert.equal((await byDirectory()).user_id, user_id);
  assert.equal((await logIn('ada')).status, 200);

  const ben = new Visitor();
  await ben.logIn(start, 'ben');
  assert.equal((await meIn(ben, url)).user_id, user_id);
  ada.email = 'ada@example.com';
  assert.notEqual((await byDirectory()).user_id, user_id);
});

test('a verified address with another sign that folds to the same letter does not open the account', async (t) => {
  const { chat, logIn } = await withProvider(t, { kim: { ...BEN, email: '\u212Aim@example.com' } }, { open: true });
  await addUser(chat, 'kim@example.com', 'Kim');
  assert.equal((await logIn('kim')).status, 400);
});

test('a deactivated account stays closed, by its subject and by its address', async (t) => {
  const { chat, logIn } = await withProvider(
    t,
    { ben: BEN, cleo: { ...BEN, email: 'cleo@example.com' } },
    { open: true },
  );
  const { user_id } = await addUser(chat, 'ben@example.com');
  const cleo = await addUser(chat, 'cleo@example.com', 'Cleo');
  assert.equal((await logIn('ben')).status, 200);
  for (const id of [user_id, cleo.user_id]) await chat.system().users.deactivate({ user_id: id });
  for (const subject of ['ben', 'cleo']) {
    const { status, text } = await logIn(subject);
    assert.deepEqual([status, /has been deactivated/.test(text)], [401, true], subject);
  }
});

test('only people with an invitation or an address in an allowed domain get an account, unless the provider is open', async (t) => {
  const people = {
    ben: BEN,
    mod: { ...BEN, email: 'mod@example.com', name: 'Mo' },
    out: { ...BEN, email: 'out@elsewhere.example', name: 'Out' },
  };
  const { chat, logIn, start, url } = await withProvider(t, people);
  const uninvited = await logIn('ben');
  assert.deepEqual([uninvited.status, /Ask an administrator for an invitation/.test(uninvited.text)], [400, true]);

  const administrator = chat.as('olga@example.com');
  await administrator.subscriptions.add({ subscriptions: [{ name: 'secret' }], invite_only: true });
  const { stream_id } = await administrator.channels.getId({ stream: 'secret' });
  await administrator.invites.send({ invitee_emails: 'mod@example.com', stream_ids: [stream_id], invite_as: 300 });
  const visitor = new Visitor();
  await visitor.logIn(start, 'mod');
  const me = await meIn(visitor, url);
  assert.deepEqual([me.delivery_email, me.full_name, me.role], ['mod@example.com', 'Mo', 300]);
  assert.deepEqual(
    (await chat.as(me.user_id).subscriptions.list()).subscriptions.map(({ name }) => name),
    ['secret'],
  );
  assert.deepEqual((await administrator.invites.list()).invites, []);

  await chat.system().allowedDomains.add({ domain: 'example.com', allow_subdomains: false });
  await chat.system().organization.edit({ emails_restricted_to_domains: true });
  assert.equal((await logIn('ben')).status, 200);
  const outside = await logIn('out');
  assert.deepEqual([outside.status, /allowed domains/.test(outside.text)], [400, true]);
  const open = await withProvider(t, people, { open: true });
  assert.equal((await open.logIn('out')).status, 200);
});

test('a new account is a guest where the audience are customers', async (t) => {
  const provider = await identityProvider(t, { ben: BEN });
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  await chat.createOrganization({
    name: 'Shop',
    audience: 'customers',
    owner: { email: 'o@example.com', full_name: 'Olga' },
  });
  const { url, close } = await serve(chat, { port: 0, oidc: [{ issuer: provider.issuer, ...CLIENT, open: true }] });
  t.after(close);
  provider.serves(url);
  const visitor = new Visitor();
  await visitor.logIn(`${url}/login/oidc/sso`, 'ben');
  assert.equal((await meIn(visitor, url)).role, 600);
});

test('each login sets the role and the groups that the claims name, and the only owner stays one', async (t) => {
  const claims = {
    roleClaim: 'realm_access.roles',
    roles: { boss: 'administrator', help: 'moderator' },
    groupClaim: 'groups',
  } as const;
  const { chat, logIn, owner, provider } = await withProvider(
    t,
    { ben: BEN, olga: { ...BEN, email: 'olga@example.com' } },
    { open: true, ...claims },
  );
  await chat.sync({
    groups: [
      { external_id: 'g1', name: 'Support' },
      { external_id: 'g2', name: 'Sales' },
    ],
  });
  await chat.system().userGroups.create({ name: 'football', description: '', members: [owner.user_id] });
  const as = async (roles: unknown, groups: unknown) => {
    provider.people.ben = { ...BEN, realm_access: { roles }, groups };
    assert.equal((await logIn('ben')).status, 200);
    const { members } = await chat.system().users.list();
    const ben = members.find((user) => user.delivery_email === 'ben@example.com');
    const { user_groups } = await chat.system().userGroups.list();
    const joined = user_groups.filter((group) => !group.is_system_group && group.members.includes(ben?.user_id ?? 0));
    return [[...ROLE_NAMES].find(([, role]) => role === ben?.role)?.[0], joined.map(({ name }) => name).sort()];
  };
  assert.deepEqual(await as(['help', 'boss', 'owner'], ['g1', 'football', 'unknown']), [
    'administrator',
    ['Support', 'football'],
  ]);
  assert.deepEqual(await as(['help'], ['Sales']), ['moderator', ['Sales', 'football']]);
  assert.deepEqual(await as('nothing', undefined), ['member', ['football']]);
  assert.deepEqual(await as(['__proto__', 'constructor'], { length: 3 }), ['member', ['football']]);
  const logins = await chat.auditLog({ action: 'externalLogin' });
  assert.deepEqual(
    logins.map(({ details }) => details),
    [{ is_new: true, role: 200 }, { role: 300 }, { role: 400 }, {}],
    'the audit log has each change of a role',
  );
  assert.equal((await logIn('olga')).status, 200);
  const { members } = await chat.system().users.list();
  assert.equal(members.find(({ user_id }) => user_id === owner.user_id)?.role, 100);
});

/** The address with which the provider sends a browser back that has logged in. */
async function answerFor(visitor: Visitor, start: string, subject: string) {
  const { location = '' } = await visitor.logIn(start, subject, { until: /\/callback\?/ });
  assert.match(location, /\/callback\?code=/);
  return location;
}

test('the answer of a provider works once, and only in the browser that began the login', async (t) => {
  const { chat, start, url } = await withProvider(t, { ben: BEN, mallory: { ...BEN, email: 'mallory@example.com' } });
  await addUser(chat, 'ben@example.com');
  await addUser(chat, 'mallory@example.com', 'Mallory');
  const foreign = await answerFor(new Visitor(), start, 'mallory');
  const victim = new Visitor();
  assert.equal((await victim.visit(foreign)).status, 400);
  // The victim has begun a login too.
  await victim.visit(start);
  assert.equal((await victim.visit(foreign)).status, 400);
  assert.equal(victim.cookiesOf(url), '');

  const ben = new Visitor();
  const own = await answerFor(ben, start, 'ben');
  const cookie = ben.cookiesOf(url);
  assert.equal((await ben.visit(own)).status, 200);
  assert.doesNotMatch(ben.cookiesOf(url), /attempt/);
  const replayed = await send(Number(new URL(url).port), 'GET', own.slice(url.length), {
    auth: null,
    headers: { cookie },
  });
  assert.deepEqual(
    [replayed.status, replayed.headers['set-cookie']?.some((one) => one.startsWith('parlance='))],
    [400, false],
  );
});

test('an attempt is refused after 15 minutes, with a changed signature, and at another provider', async (t) => {
  const provider = await identityProvider(t, { ben: BEN });
  const other = await identityProvider(t, { ben: BEN });
  const oidc = [
    { issuer: provider.issuer, ...CLIENT, id: 'one', name: 'One', emailDomains: ['*'] },
    { issuer: other.issuer, ...CLIENT, id: 'two', name: 'Two', emailDomains: ['*'] },
  ];
  const clock = new ManualClock();
  const { chat, url } = await running(t, { oidc }, { clock });
  provider.serves(url, 'one');
  other.serves(url, 'two');
  await addUser(chat, 'ben@example.com');
  const begun = async () => {
    const visitor = new Visitor();
    const answer = await answerFor(visitor, `${url}/login/oidc/one`, 'ben');
    return { answer: answer.slice(url.length), cookie: visitor.cookiesOf(url) };
  };
  const ending = async ({ answer, cookie }: { answer: string; cookie: string }) =>
    (await send(Number(new URL(url).port), 'GET', answer, { auth: null, headers: { cookie } })).status;
  const mixed = await begun();
  assert.equal(await ending({ ...mixed, answer: mixed.answer.replace('/one/', '/two/') }), 400);
  assert.equal(
    await ending({ answer: mixed.answer.replace('/one/', '/two/'), cookie: mixed.cookie.replace('.one.', '.two.') }),
    400,
  );
  assert.equal(
    await ending({ ...mixed, cookie: mixed.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) }),
    400,
  );
  const late = await begun();
  assert.equal(await ending(mixed), 303);
  clock.advance({ minutes: 15 });
  assert.equal(await ending(late), 400);
});

test('a login that began in one process ends in another', async (t) => {
  const { chat, start, url, provider } = await withProvider(t, { ben: BEN });
  await addUser(chat, 'ben@example.com');
  // Another listener has no memory of the first.
  const oidc = [{ issuer: provider.issuer, ...CLIENT }];
  const port = await listening(t, createServer(requestListener(chat, { oidc })));
  const visitor = new Visitor();
  const answer = await answerFor(visitor, start, 'ben');
  const headers = { cookie: visitor.cookiesOf(url) };
  const ended = await send(port, 'GET', answer.slice(url.length), { auth: null, headers });
  assert.deepEqual([ended.status, ended.headers.location], [303, '../../../login?entered']);
});

test('a login leads to the chat, whatever address its link names', async (t) => {
  const { chat, start, url } = await withProvider(t, { ben: BEN });
  await addUser(chat, 'ben@example.com');
  const { url: end } = await new Visitor().logIn(
    `${start}?next=https://evil.example/&redirect_uri=https://evil.example/`,
    'ben',
  );
  assert.equal(end, `${url}/`);
});

test('a provider that does not answer: the server starts, the page says so, and passwords log in', async (t) => {
  const { provider, url, start, send } = await withProvider(t, { ben: BEN });
  provider.goDown();
  const page = await send('GET', '/login', { auth: null });
  assert.equal(page.status, 200);
  assert.match(page.text, /127\.0\.0\.1:\d+ does not answer\. Try again later\./);
  assert.doesNotMatch(page.text, /login\/oidc\/sso"/);
  const begun = await send('GET', '/login/oidc/sso', { auth: null });
  assert.deepEqual([begun.status, /does not answer/.test(begun.text)], [503, true]);
  const form = { email: 'olga@example.com', password: 'a long password' };
  assert.equal((await send('POST', '/login', { auth: null, form })).headers.location, 'login?entered');
  provider.serves(url);
  assert.equal((await new Visitor().logIn(start, '')).status, 400);
});

test('a provider that goes down during a login is named as the one that does not answer', async (t) => {
  const { provider, start } = await withProvider(t, { ben: BEN });
  const visitor = new Visitor();
  const location = await answerFor(visitor, start, 'ben');
  provider.goDown();
  const { status, text } = await visitor.open(location);
  assert.equal(status, 503);
  assert.match(text, /127\.0\.0\.1:\d+ does not answer\./);
});

test('an app that opened the page gets the key of the account, encrypted with its pad, and no browser is logged in', async (t) => {
  const { chat, start, url, send } = await withProvider(t, { ben: BEN }, { name: 'Example' });
  const { user_id } = await addUser(chat, 'ben@example.com');
  const { body: settings } = await send('GET', '/api/v1/server_settings', { auth: null });
  assert.deepEqual(settings.external_authentication_methods, [
    { name: 'oidc:sso', display_name: 'Example', display_icon: null, login_url: start, signup_url: start },
  ]);
  const otp = '0f'.repeat(16) + 'A0'.repeat(16);
  const keyIn = (location = '') => {
    const link = new URL(location);
    assert.deepEqual([link.protocol, link.host], ['zulip:', 'login']);
    const pad = Buffer.from(otp, 'hex');
    const key = Buffer.from(link.searchParams.get('otp_encrypted_api_key') ?? '', 'hex').map(
      (byte, at) => byte ^ (pad[at] ?? 0),
    );
    const { email, user_id, realm } = Object.fromEntries(link.searchParams);
    return { key: Buffer.from(key).toString('latin1'), email, user_id, realm };
  };
  const expected = {
    key: await chat.apiKeyOf(user_id),
    email: 'ben@example.com',
    user_id: String(user_id),
    realm: url,
  };
  const visitor = new Visitor();
  const { location } = await visitor.logIn(`${start}?mobile_flow_otp=${otp}`, 'ben');
  assert.deepEqual(keyIn(location), expected);
  assert.equal(visitor.cookiesOf(url), '');

  // With a password, and from a browser that is logged in: the page asks again.
  await visitor.logIn(start, 'ben');
  const page = await visitor.open(`${url}/login?mobile_flow_otp=${otp}`);
  assert.equal(page.status, 200);
  assert.match(page.text, new RegExp(`href="${start}\\?mobile_flow_otp=${otp}"`));
  assert.match(String(page.headers['content-security-policy']), /form-action 'self' zulip:;/);
  await chat.system().users.setPassword({ user_id, password: 'a long password', keep_api_key: true });
  const form = { email: 'ben@example.com', password: 'a long password' };
  const byPassword = await send('POST', `/login?mobile_flow_otp=${otp}`, { auth: null, form });
  assert.deepEqual(keyIn(byPassword.headers.location), expected);
  assert.equal(byPassword.headers['set-cookie'], undefined);
  for (const bad of ['', 'zz', otp.slice(2), `${otp}00`]) {
    assert.equal((await send('GET', `/login?mobile_flow_otp=${bad}`, { auth: null })).status, 400, bad);
    assert.equal((await send('GET', `/login/oidc/sso?mobile_flow_otp=${bad}`, { auth: null })).status, 400, bad);
  }
});

test('a terminal gets the key as a line to paste, and no other login does', async (t) => {
  const { chat, start, url } = await withProvider(t, { ben: BEN });
  const { user_id } = await addUser(chat, 'ben@example.com');
  const visitor = new Visitor();
  const page = await visitor.logIn(`${start}?terminal_flow_otp=${'0f'.repeat(32)}`, 'ben');
  const [, link = ''] = /<pre id="link">([^<]*)<\/pre>/.exec(page.text) ?? [];
  const { searchParams } = new URL(link.replaceAll('&#38;', '&'));
  const key = Buffer.from(searchParams.get('otp_encrypted_api_key') ?? '', 'hex').map((byte) => byte ^ 0x0f);
  assert.equal(Buffer.from(key).toString('latin1'), await chat.apiKeyOf(user_id));
  assert.equal(page.headers['cache-control'], 'no-store');
  assert.equal(visitor.cookiesOf(url), '');
  const form = await visitor.open(`${url}/login?terminal_flow_otp=${'0f'.repeat(32)}`);
  assert.match(form.text, new RegExp(`href="${start}\\?terminal_flow_otp=${'0f'.repeat(32)}"`));
});

test('a logout of the chat ends its login, and a link logs out of the provider', async (t) => {
  const { chat, start, url } = await withProvider(t, { ben: BEN });
  await addUser(chat, 'ben@example.com');
  const visitor = new Visitor();
  await visitor.logIn(start, 'ben');
  await visitor.visit(`${url}/logout`, { form: {} });
  const page = await visitor.open(`${url}/login`);
  assert.equal(page.status, 200);
  assert.match(page.text, new RegExp(`href="${start}/logout"`));
  const leaving = await visitor.open(`${start}/logout`);
  assert.match(leaving.location ?? '', /session\/end\?.*post_logout_redirect_uri=/);
});

test('invalid options are refused when the server is made', async (t) => {
  const attempt = (oidc: Partial<OidcOptions>[], more: ServeOptions = {}) =>
    running(t, {
      oidc: oidc.map((one) => ({ issuer: 'https://login.example.com', clientId: 'chat', ...one })),
      ...more,
    });
  await assert.rejects(attempt([{ issuer: 'http://login.example.com' }]), /must be an HTTPS URL/);
  await assert.rejects(attempt([{ issuer: 'nonsense' }]), /must be an HTTPS URL/);
  await assert.rejects(attempt([{ clientId: ' ' }]), /needs a client ID/);
  await assert.rejects(attempt([{ id: '../x' }]), /1 to 30 of a-z/);
  await assert.rejects(attempt([{}, {}]), /another id/);
  await assert.rejects(attempt([{}], { web: false }), /needs the login page/);
});
