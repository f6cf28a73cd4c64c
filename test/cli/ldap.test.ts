import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { checkedTogether } from '../../cli/serve/checked-together.ts';
import { serveSettings } from '../../cli/serve/declared-options.ts';
import { BASE, group, NO_SLAPD, person, SERVICE, type Slapd, startSlapd } from '../adapters/slapd.ts';
import { inEnvironment } from './environment.ts';
import { organization } from './organization.ts';

const MAPPING = {
  users: { filter: '(objectClass=inetOrgPerson)' },
  groups: { filter: '(objectClass=groupOfNames)', external_id: 'cn' },
  roles: { Admins: 'administrator' },
};

describe('chatctl sync --ldap', { skip: NO_SLAPD }, () => {
  let slapd: Slapd;
  before(async () => {
    const many = Array.from({ length: 600 }, (_, at) => person(`p${at}`, { cn: `Person ${at}` }));
    const outer = group('Everyone', 'cleo');
    slapd = await startSlapd([
      person('ben', { cn: 'Ben *Ngo*' }),
      person('cleo', { cn: 'Cleo' }),
      ...many,
      group('Admins', 'ben', 'p7'),
      { ...outer, member: [...(outer.member ?? []), `CN=admins, ou=groups,${BASE}`] },
    ]);
  });
  const account = { PARLANCE_LDAP_BIND_DN: SERVICE.bindDn, PARLANCE_LDAP_PASSWORD: SERVICE.bindPassword };
  beforeEach(() => void Object.assign(process.env, account));
  after(() => {
    for (const name of Object.keys(account)) delete process.env[name];
    return slapd.stop();
  });

  async function syncing(t: TestContext) {
    const { folder, run } = await organization(t);
    const sync = async (mapping: unknown, ...more: string[]) => {
      const file = join(folder, 'mapping.json');
      await writeFile(file, typeof mapping === 'string' ? mapping : JSON.stringify(mapping));
      return run('sync', file, '--ldap', slapd.url, '--ldap-base', BASE, ...more);
    };
    return { run, sync };
  }

  it('creates the users and groups that the mapping finds, with roles, and a second run changes nothing', async (t) => {
    const { run, sync } = await syncing(t);
    const done = await sync(MAPPING, '--json');
    assert.equal(done.exitCode, EXIT.done, done.err);
    assert.equal(JSON.parse(done.out).counts.created, 604);
    assert.match((await sync(MAPPING)).out, /^604 unchanged\.$/m);
    const { user } = JSON.parse((await run('users', 'get', 'ben@example.com', '--include-external-ids', '--json')).out);
    assert.deepEqual([user.full_name, user.role], ['Ben Ngo', 200]);
    assert.match(user.external_id, /^[0-9a-f-]{36}$/);
    const { user: cleo } = JSON.parse((await run('users', 'get', 'cleo@example.com', '--json')).out);
    assert.equal(cleo.role, 400);
    const { user_groups } = JSON.parse((await run('user-groups', 'list', '--json')).out);
    const [admins, everyone] = ['Admins', 'Everyone'].map((name) =>
      user_groups.find((one: { name: string }) => one.name === name),
    );
    assert.ok(admins.members.includes(user.user_id));
    assert.deepEqual([everyone.members, everyone.direct_subgroup_ids], [[cleo.user_id], [admins.id]]);
  });

  it('refuses a mapping that is not valid, and names an entry without a required attribute', async (t) => {
    const { sync } = await syncing(t);
    const refused: [unknown, RegExp][] = [
      ['{', /is not JSON/],
      [{}, /users: /],
      [{ users: { filter: 'uid=*' } }, /users\.filter: must be a filter in parentheses/],
      [{ ...MAPPING, roles: { Admins: 'king' } }, /roles\.Admins: /],
      [{ ...MAPPING, channels: {} }, /channels/],
      [{ users: { filter: '(uid=ben)', name: 'title' } }, /uid=ben,.* has no title/],
      [{ users: { filter: '(uid=nobody)' } }, /finds no users/],
    ];
    for (const [mapping, message] of refused) {
      const { exitCode, err } = await sync(mapping);
      assert.equal(exitCode, EXIT.usage, err);
      assert.match(err, message);
    }
    process.env.PARLANCE_LDAP_PASSWORD = 'wrong';
    const failed = await sync(MAPPING);
    assert.deepEqual(
      [failed.exitCode, /refuses the search: InvalidCredentials/.test(failed.err)],
      [EXIT.unreachable, true],
      failed.err,
    );
  });
});

describe('LDAP options of chatctl serve', () => {
  const directoryOf = (env: Record<string, string>) =>
    inEnvironment(env, {}, () => checkedTogether(serveSettings({}), {}).directory);

  it('come from options and variables, and the account for searches only from variables', () => {
    const env = { PARLANCE_LDAP: 'ldaps://ldap.example.com', PARLANCE_LDAP_BASE: BASE, PARLANCE_LDAP_FILTER: '' };
    assert.deepEqual(directoryOf(env), { url: 'ldaps://ldap.example.com', base: BASE });
    const more = { PARLANCE_LDAP_BIND_DN: 'cn=chat', PARLANCE_LDAP_PASSWORD: 'secret', PARLANCE_LDAP_ID: 'objectGUID' };
    const all = { bindDn: 'cn=chat', bindPassword: 'secret', idAttribute: 'objectGUID' };
    assert.deepEqual(directoryOf({ ...env, ...more }), { url: 'ldaps://ldap.example.com', base: BASE, ...all });
    assert.throws(() => directoryOf({ PARLANCE_LDAP: 'ldaps://ldap.example.com' }), /needs --ldap-base/);
    assert.throws(() => directoryOf({ PARLANCE_LDAP_BASE: BASE }), /--ldap-base needs --ldap/);
    assert.throws(() => directoryOf({ ...env, PARLANCE_LDAP_BIND_DN: 'cn=chat' }), /both PARLANCE_LDAP_BIND_DN and/);
  });
});
