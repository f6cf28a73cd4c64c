import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect as connectSocket, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { connect, type Directory, type LdapOptions, ldap } from '../../lib/index.ts';
import { running } from '../server/running.ts';
import { authority, certificateFor, withoutOpenssl } from '../storage/certificates.ts';
import { BASE, group, NO_SLAPD, person, SERVICE, type Slapd, startSlapd } from './slapd.ts';

/** An address of this machine that is not a loopback address. */
const [HOST] = Object.values(networkInterfaces()).flatMap(
  (all) => all?.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address) ?? [],
);

async function nameOf(directory: Directory, login: string, password: string): Promise<string | undefined> {
  const found = await directory.check(login, password);
  return found && 'name' in found ? found.name : undefined;
}

describe('a directory', { skip: NO_SLAPD }, () => {
  let slapd: Slapd;
  before(async () => {
    slapd = await startSlapd([
      person('ben', { cn: 'Ben Ngo' }),
      person('cleo', { cn: 'Cleo (Ops) *' }),
      person('twin1', { sn: 'Twin' }),
      person('twin2', { sn: 'Twin' }),
      person('nomail', { mail: [] }),
      person('a*c', { cn: 'Star' }),
      group('support', 'ben'),
    ]);
  });
  after(() => slapd.stop());

  const people = `ou=people,${BASE}`;
  const directory = (options: Partial<LdapOptions> = {}) =>
    ldap({ url: slapd.url, base: people, ...SERVICE, filter: '(uid={login})', ...options });

  it('knows a person with the right password, by what the filter looks for', async () => {
    const ben = await directory().check('ben', 'password of ben');
    assert.match(ben?.id ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(ben, { id: ben?.id, email: 'ben@example.com', name: 'Ben Ngo' });
    const byMail = directory({ filter: '(|(mail={login})(uid={login}))' });
    assert.deepEqual(await byMail.check(' BEN@example.com ', 'password of ben'), ben);
    const ids = { idAttribute: 'UID', emailAttribute: 'Mail', nameAttribute: 'sn' };
    assert.deepEqual(await directory(ids).check('ben', 'password of ben'), {
      id: 'ben',
      email: 'ben@example.com',
      name: 'ben',
    });
  });

  it('tells the ID of a person with a wrong password, whatever the login name', async () => {
    const byAll = directory({ filter: '(|(mail={login})(uid={login}))' });
    const ben = await byAll.check('ben', 'password of ben');
    for (const login of ['ben', 'Ben@example.com'])
      assert.deepEqual(await byAll.check(login, 'wrong'), { id: ben?.id, isWrong: true });
  });

  it('fails for a person without an ID only after the right password', async () => {
    const withoutId = directory({ idAttribute: 'employeeNumber' });
    assert.equal(await withoutId.check('ben', 'wrong'), undefined);
    await assert.rejects(withoutId.check('ben', 'password of ben'), /has no employeeNumber/);
  });

  it('knows no one with an empty password, an unknown or an ambiguous name', async () => {
    const attempts: [string, string][] = [
      ...([
        ['ben', ''],
        ['eve', 'password of ben'],
        ['', ''],
        [' ', 'x'],
      ] as [string, string][]),
    ];
    for (const [login, password] of attempts)
      assert.equal(await directory().check(login, password), undefined, `${login} ${password}`);
    const bySurname = directory({ filter: '(sn={login})' });
    assert.equal(await bySurname.check('Twin', 'password of twin1'), undefined);
  });

  it('takes a name literally: no sign changes the filter', async () => {
    for (const login of ['be*', '*', 'ben)(uid=*', 'ben)(|(uid=*))', '\\62en', 'ben\0', '*)(objectClass=*'])
      assert.equal(await directory().check(login, 'password of ben'), undefined, login);
    assert.equal(await nameOf(directory(), 'a*c', 'password of a*c'), 'Star');
    const byName = directory({ filter: '(cn={login})' });
    assert.equal(await nameOf(byName, 'Cleo (Ops) *', 'password of cleo'), 'Cleo (Ops) *');
  });

  it('knows no name with invisible signs, which some directories ignore', async () => {
    const ignoring = directory({ filter: '(|(uid=ben)(cn={login}))' });
    assert.equal(await nameOf(ignoring, 'someone', 'password of ben'), 'Ben Ngo');
    for (const login of ['b\u00aden', 'ben\u200b', 'ben\0'])
      assert.equal(await ignoring.check(login, 'password of ben'), undefined);
  });

  it('lists the entries that a filter finds', async () => {
    const names: string[] = [];
    for await (const entry of ldap({ url: slapd.url, base: BASE, ...SERVICE }).entries('(objectClass=groupOfNames)', [
      'cn',
      'member',
    ]))
      names.push(`${entry.get('cn')} ${entry.get('member')} ${entry.dn}`);
    assert.deepEqual(names, [`support uid=ben,${people} cn=support,ou=groups,${BASE}`]);
  });

  it('fails if the service may not search, or if the directory does not answer', async () => {
    await assert.rejects(directory({ bindPassword: 'wrong' }).check('ben', 'password of ben'));
    await assert.rejects(ldap({ url: slapd.url, base: people }).check('ben', 'password of ben'));
    await assert.rejects(directory({ url: 'ldap://127.0.0.1:9' }).check('ben', 'password of ben'), /ECONNREFUSED/);
  });

  it('gets no password without TLS from another machine', async (t) => {
    if (HOST === undefined) return t.skip('this machine has no network');
    const other = await startSlapd([person('ben')], { host: HOST });
    t.after(() => other.stop());
    // The same search works without the protection, so only TLS is missing.
    await assert.rejects(directory({ url: other.url }).check('ben', 'password of ben'), /TLS|unsupported|extended/i);
  });

  describe('with STARTTLS', { skip: HOST === undefined ? 'this machine has no network' : withoutOpenssl }, () => {
    const host = HOST ?? '';
    let folder: string;
    let ca: string;
    let secure: Slapd;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parlance-ldap-'));
      ca = authority(folder, 'ca');
      secure = await startSlapd([person('ben')], { host, tls: certificateFor(folder, host, ca) });
    });
    after(async () => {
      await secure.stop();
      await rm(folder, { recursive: true });
    });

    /** What another process that trusts this authority gets: the e-mail address, or the error. */
    async function checked(url: string, password: string, trusted = ca): Promise<string> {
      const options = { url, base: people, ...SERVICE, filter: '(uid={login})' };
      const script = `
        const { ldap } = await import(${JSON.stringify(new URL('../../lib/adapters/ldap.ts', import.meta.url).href)});
        const directory = ldap(${JSON.stringify(options)});
        const found = await directory.check('ben', ${JSON.stringify(password)}).catch(({ message }) => ({ email: message }));
        process.stdout.write(found?.email ?? 'no one');`;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '-e', script],
        { env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted } },
      );
      return stdout;
    }

    it('checks that the certificate is one of the IP address of the directory', async () => {
      assert.equal(await checked(secure.url, 'password of ben'), 'ben@example.com');
      assert.equal(await checked(secure.url, 'wrong'), 'no one');
      assert.match(await checked(secure.url, 'password of ben', authority(folder, 'other')), /certificate/);
      const other = await startSlapd([person('ben')], { host, tls: certificateFor(folder, 'localhost', ca) });
      try {
        assert.match(await checked(other.url, 'password of ben'), /does not match certificate/);
      } finally {
        await other.stop();
      }
    });

    it('takes no answer from before the change to TLS', async (t) => {
      let connections = 0;
      // The start of an answer to the next request, "success". The first byte of the real answer would complete it.
      const injected = Buffer.from('300d02010361080a010004000401', 'hex');
      const relay = createServer((near) => {
        const isPassword = ++connections % 2 === 0;
        const far = connectSocket(secure.port, host);
        near.pipe(far).on('error', () => near.destroy());
        near.on('error', () => far.destroy());
        far.once('data', (answer) => {
          near.write(isPassword ? Buffer.concat([answer, injected]) : answer);
          far.pipe(near);
        });
      });
      await once(relay.listen(0, host), 'listening');
      t.after(() => relay.close());
      const url = `ldap://${host}:${(relay.address() as AddressInfo).port}`;
      assert.equal(await checked(url, 'wrong'), 'no one');
      assert.equal(await checked(url, 'password of ben'), 'ben@example.com');
    });
  });

  it('refuses invalid options', () => {
    const refused: [Partial<LdapOptions>, RegExp][] = [
      [{ url: 'https://ldap.example.com' }, /url of ldap/],
      [{ url: 'ldap://ldap.example.com/dc=example' }, /url of ldap/],
      [{ url: '' }, /url of ldap/],
      [{ base: ' ' }, /base of ldap/],
      [{ filter: '(uid=ben)' }, /contain \{login\}/],
      [{ filter: 'uid={login}' }, /in parentheses/],
      [{ bindDn: 'cn=x' }, /both bindDn and bindPassword/],
      [{ bindDn: 'cn=x', bindPassword: '' }, /must not be empty/],
    ];
    for (const [options, message] of refused)
      assert.throws(() => ldap({ url: 'ldaps://ldap.example.com', base: BASE, ...options }), message);
  });

  it('passwords of the directory work when those of the chat are turned off', async (t) => {
    const { chat, send } = await running(t, {}, { directory: directory() });
    await chat.system().organization.edit({ password_login: false });
    const fetchKey = async (username: string, password: string) =>
      (await send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username, password } })).body;
    assert.equal((await fetchKey('ben', 'password of ben')).result, 'success');
    assert.equal((await fetchKey('olga@example.com', 'a long password')).code, 'AUTHENTICATION_FAILED');
    const { body } = await send('GET', '/api/v1/server_settings', { auth: null });
    const { password, email, ldap: isLdap } = body.authentication_methods;
    assert.deepEqual([password, email, isLdap, body.email_auth_enabled], [true, false, true, false]);
    const { text } = await send('GET', '/login', { auth: null });
    assert.match(text, /E-mail or user name/);
    assert.doesNotMatch(text, /Forgot your password/);
  });

  it('opens the account of a person, new or by the verified address, and passwords of the chat stay', async (t) => {
    const { chat, send, url } = await running(t, {}, { directory: directory() });
    const { body: settings } = await send('GET', '/api/v1/server_settings', { auth: null });
    assert.deepEqual([settings.authentication_methods.ldap, settings.require_email_format_usernames], [true, false]);
    const fetchKey = async (username: string, password: string) =>
      (await send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username, password } })).body;
    const ben = await fetchKey('ben', 'password of ben');
    assert.deepEqual([ben.result, ben.email], ['success', 'ben@example.com']);
    const session = connect({ site: url, email: ben.email, api_key: ben.api_key });
    t.after(() => session.close());
    assert.deepEqual((await session.users.me()).full_name, 'Ben Ngo');
    assert.equal((await fetchKey('ben', 'password of ben')).user_id, ben.user_id);
    const cleo = await chat.system().users.ensure({ email: 'cleo@example.com', full_name: 'Cleo' });
    assert.equal((await fetchKey('cleo', 'password of cleo')).user_id, cleo.user_id);

    assert.equal((await fetchKey('olga@example.com', 'a long password')).result, 'success');
    assert.equal((await fetchKey('ben', 'wrong')).code, 'AUTHENTICATION_FAILED');
    assert.match((await fetchKey('nomail', 'password of nomail')).msg, /verified your e-mail address/);
    await chat.system().users.deactivate({ user_id: cleo.user_id });
    assert.equal((await fetchKey('cleo', 'password of cleo')).code, 'USER_DEACTIVATED');

    const page = await send('GET', '/login', { auth: null });
    assert.match(page.text, /E-mail or user name/);
    const form = { email: 'ben', password: 'password of ben' };
    const login = await send('POST', '/login', { auth: null, form });
    assert.deepEqual([login.status, login.headers.location], [303, 'login?entered']);
  });

  it('has five wrong passwords for a person, whatever login names are entered', async (t) => {
    const byAll = directory({ filter: '(|(mail={login})(uid={login})(cn={login})(sn={login}))' });
    const { chat, send } = await running(t, {}, { directory: byAll });
    const fetchKey = async (username: string, password: string) =>
      (await send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username, password } })).status;
    // "Cleo (Ops) *" is the display name.
    const logins = ['cleo', 'cleo@example.com', 'Cleo (Ops) *'];
    for (let attempt = 0; attempt < 5; attempt++)
      assert.equal(await fetchKey(logins[attempt % 2] ?? '', `wrong ${attempt}`), 401);
    for (const password of ['wrong', 'password of cleo']) assert.equal(await fetchKey('Cleo (Ops) *', password), 429);
    assert.equal(await fetchKey('ben', 'password of ben'), 200);

    const cleo = await chat.system().users.ensure({ email: 'cleo@example.com', full_name: 'Cleo' });
    const login = chat.anonymous().fetchApiKey({ username: 'cleo', password: 'password of cleo' });
    assert.equal((await login).user_id, cleo.user_id, 'a login in this process has no limit');
    await chat.system().users.unlock({ user_id: cleo.user_id });
    assert.equal(await fetchKey('Cleo (Ops) *', 'password of cleo'), 200);
  });

  it('is guessed at only as often as a password of the chat, also while it does not answer', async (t) => {
    const down = directory({ url: 'ldap://127.0.0.1:9' });
    for (const broken of [directory(), down]) {
      const { send } = await running(t, {}, { directory: broken });
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 7; attempt++) {
        const form = { username: 'olga@example.com', password: `wrong ${attempt}` };
        const { status, body } = await send('POST', '/api/v1/fetch_api_key', { auth: null, form });
        statuses.push(status);
        if (attempt === 0) assert.equal(/does not answer/.test(body.msg), broken === down);
      }
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
    }
  });
});
