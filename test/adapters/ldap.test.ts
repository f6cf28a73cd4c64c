import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { connect, type LdapOptions, ldap } from '../../lib/index.ts';
import { running } from '../server/running.ts';
import { BASE, group, NO_SLAPD, person, SERVICE, type Slapd, startSlapd } from '../support/slapd.ts';

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

  it('knows no one with a wrong or empty password, an unknown or an ambiguous name', async () => {
    const attempts: [string, string][] = [
      ...([
        ['ben', 'password of cleo'],
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
    assert.equal((await directory().check('a*c', 'password of a*c'))?.name, 'Star');
    const byName = directory({ filter: '(cn={login})' });
    assert.equal((await byName.check('Cleo (Ops) *', 'password of cleo'))?.email, 'cleo@example.com');
  });

  it('knows no name with invisible signs, which some directories ignore', async () => {
    const ignoring = directory({ filter: '(|(uid=ben)(cn={login}))' });
    assert.equal((await ignoring.check('someone', 'password of ben'))?.name, 'Ben Ngo');
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
    const [host] = Object.values(networkInterfaces()).flatMap(
      (all) =>
        all?.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address) ?? [],
    );
    if (host === undefined) return t.skip('this machine has no network');
    const other = await startSlapd([person('ben')], { host });
    t.after(() => other.stop());
    // The same search works without the protection, so only TLS is missing.
    await assert.rejects(directory({ url: other.url }).check('ben', 'password of ben'), /TLS|unsupported|extended/i);
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
