import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ConnectionOptions,
  checkCredentials,
  chooseConnection,
  type SiteConnection,
} from '../../cli/connection.ts';
import { type Failure, UsageError } from '../../cli/failure.ts';
import { readAddress } from '../../lib/storage/postgres/address.ts';
import { inEnvironment } from './environment.ts';

const RC = '[api]\nemail=file@example.com\nkey=filekey\nsite=https://file.example.com\n';

function choose(options: ConnectionOptions, env: Record<string, string> = {}, files: Record<string, string> = {}) {
  const connection = inEnvironment(env, files, () => chooseConnection(options));
  // The test of `auth status` checks the source of the server.
  if (connection.kind === 'site') delete connection.source;
  return connection;
}

describe('the connection of a command', () => {
  it('options take precedence over the environment, and the environment over the file', () => {
    const files = { '.zuliprc': RC };
    const env = { ZULIP_SITE: 'https://env.example.com', ZULIP_EMAIL: 'env@example.com', ZULIP_API_KEY: 'envkey' };
    const options = { site: 'https://option.example.com', user: 'option@example.com', apiKey: 'optionkey' };
    assert.deepEqual(choose({}, {}, files), {
      kind: 'site',
      site: 'https://file.example.com',
      email: 'file@example.com',
      apiKey: 'filekey',
      insecure: false,
    });
    assert.deepEqual(choose({}, env, files), {
      kind: 'site',
      site: 'https://env.example.com',
      email: 'env@example.com',
      apiKey: 'envkey',
      insecure: false,
    });
    assert.deepEqual(choose(options, env, files), {
      kind: 'site',
      site: 'https://option.example.com',
      email: 'option@example.com',
      apiKey: 'optionkey',
      insecure: false,
    });
  });

  it('~/.zuliprc takes precedence over ~/zuliprc, and a named file over both', () => {
    const other = RC.replaceAll('file', 'other');
    const site = (connection: object) => (connection as SiteConnection).site;
    assert.equal(site(choose({}, {}, { zuliprc: other })), 'https://other.example.com');
    assert.equal(site(choose({}, {}, { '.zuliprc': RC, zuliprc: other })), 'https://file.example.com');
    assert.equal(site(choose({}, { ZULIP_CONFIG: 'x' }, { '.zuliprc': RC, x: other })), 'https://other.example.com');
    assert.equal(
      site(choose({ configFile: 'y' }, { ZULIP_CONFIG: 'x' }, { x: other, y: RC })),
      'https://file.example.com',
    );
  });

  it('an API key is sent only to the site and for the account in the same place', () => {
    const files = { '.zuliprc': RC };
    assert.deepEqual(choose({ site: 'other.example.com' }, {}, files), {
      kind: 'site',
      site: 'https://other.example.com',
      insecure: false,
    });
    assert.deepEqual(choose({ user: 'ben@example.com' }, {}, files), {
      kind: 'site',
      site: 'https://file.example.com',
      email: 'ben@example.com',
      insecure: false,
    });
    assert.deepEqual(choose({ site: 'file.example.com/' }, {}, files), {
      kind: 'site',
      site: 'https://file.example.com',
      email: 'file@example.com',
      apiKey: 'filekey',
      insecure: false,
    });
    // Credentials without a site are for the given site.
    assert.deepEqual(choose({ site: 'other.example.com' }, { ZULIP_EMAIL: 'e', ZULIP_API_KEY: 'k' }, files), {
      kind: 'site',
      site: 'https://other.example.com',
      email: 'e',
      apiKey: 'k',
      insecure: false,
    });
  });

  it('--db or PARLANCE_DB selects a database, unless --site is given', () => {
    const env = { PARLANCE_DB: 'env.db', ZULIP_SITE: 'https://env.example.com' };
    assert.deepEqual(choose({}, env), { kind: 'database', location: 'env.db', place: 'env.db', source: 'PARLANCE_DB' });
    assert.deepEqual(choose({ db: 'line.db', user: 'ben@example.com' }, env), {
      kind: 'database',
      location: 'line.db',
      place: 'line.db',
      source: '--db',
      user: 'ben@example.com',
    });
    assert.equal(choose({ site: 'line.example.com' }, env).kind, 'site');
    assert.throws(() => choose({ db: 'line.db', site: 'line.example.com' }), UsageError);
    assert.throws(() => choose({}), UsageError);
  });

  it('PARLANCE_ variables take precedence over CHATCTL_ ones, and empty ones count as unset', () => {
    const older = { CHATCTL_DB: 'older.db', CHATCTL_BASE_URL: 'https://older.example.com' };
    const asOlder = {
      kind: 'database',
      location: 'older.db',
      place: 'older.db',
      source: 'CHATCTL_DB',
      baseUrl: 'https://older.example.com',
    };
    assert.deepEqual(choose({}, older), asOlder);
    assert.deepEqual(choose({}, { ...older, PARLANCE_DB: ' ', PARLANCE_BASE_URL: '' }), asOlder);
    const both = { ...older, PARLANCE_DB: 'new.db', PARLANCE_BASE_URL: 'https://new.example.com' };
    assert.deepEqual(choose({}, both), {
      kind: 'database',
      location: 'new.db',
      place: 'new.db',
      source: 'PARLANCE_DB',
      baseUrl: 'https://new.example.com',
    });
    assert.equal(choose({}, { PARLANCE_DB: '', CHATCTL_DB: '', ZULIP_SITE: 'a.example.com' }).kind, 'site');
  });

  it('an invalid base URL is refused with the name of its option or variable', () => {
    assert.throws(() => choose({ db: 'a.db', baseUrl: 'nonsense' }), /--base-url must be an address/);
    assert.throws(() => choose({ db: 'a.db' }, { PARLANCE_BASE_URL: 'nonsense' }), /PARLANCE_BASE_URL must be/);
  });

  it('--schema or PARLANCE_SCHEMA sets ?schema= in the address of PostgreSQL', () => {
    const location = (options: ConnectionOptions, env = {}) => (choose(options, env) as { location: string }).location;
    const db = 'postgres://ada@db/chat';
    assert.equal(location({ db, schema: 'a&b' }), `${db}?schema=a%26b`);
    assert.equal(location({ db: `${db}?sslmode=require`, schema: 'a' }), `${db}?sslmode=require&schema=a`);
    assert.equal(location({ db }, { PARLANCE_SCHEMA: 'b' }), `${db}?schema=b`);
    assert.equal(location({ db, schema: 'a' }, { PARLANCE_SCHEMA: 'b' }), `${db}?schema=a`);
    assert.equal(location({ schema: 'a' }, { PARLANCE_DB: db }), `${db}?schema=a`);
    assert.equal(location({ db: `${db}?schema=a`, schema: 'a' }), `${db}?schema=a`);
    assert.equal(choose({ site: 'a.example.com' }, { PARLANCE_SCHEMA: 'b' }).kind, 'site');
  });

  it('a schema is refused with SQLite, with another schema in the address and with a server', () => {
    const db = 'postgres://ada:secret@db/chat?schema=a';
    const other = /^--schema is b, but the address of the database has schema=a\.$/;
    assert.throws(() => choose({ db, schema: 'b' }), { name: 'UsageError', message: other });
    assert.throws(() => choose({ db }, { PARLANCE_SCHEMA: 'b' }), /^UsageError: PARLANCE_SCHEMA is b, /);
    assert.throws(() => choose({ db: 'chat.db', schema: 'b' }), /--schema works only with PostgreSQL/);
    assert.throws(
      () => choose({ db: 'chat.db' }, { PARLANCE_SCHEMA: 'b' }),
      /PARLANCE_SCHEMA works only with PostgreSQL/,
    );
    assert.throws(() => choose({ site: 'a.example.com', schema: 'b' }), /--schema needs --db/);
  });

  it('an address that cannot be parsed is passed on and refused when it is read', () => {
    const { location } = choose({ db: 'postgres://ada:se#cret@db/chat', schema: 'a' }) as { location: string };
    assert.equal(location, 'postgres://ada:se?schema=a#cret@db/chat');
    assert.throws(() => readAddress(location), { reason: 'bad-address', message: /cannot be read/ });
  });

  it('addresses are completed: http for this machine, https for others, no trailing slash', () => {
    const site = (written: string) => (choose({ site: written }) as SiteConnection).site;
    assert.equal(site('localhost:9991'), 'http://localhost:9991');
    assert.equal(site('localhost'), 'http://localhost');
    assert.equal(site('localhost.example.com'), 'https://localhost.example.com');
    assert.equal(site('chat.example.com/'), 'https://chat.example.com');
    assert.equal(site('http://127.0.0.1:9991//'), 'http://127.0.0.1:9991');
  });

  it('an address with another scheme is refused', () => {
    for (const written of ['htp://chat.example.com', 'https:://chat.example.com', '://chat.example.com']) {
      assert.throws(() => choose({ site: written }), /The address of a server cannot begin with/, written);
    }
  });

  it('certificates are checked unless insecure is exactly true', () => {
    const insecure = (options: ConnectionOptions, env = {}, files = {}) =>
      (choose({ site: 'a.example.com', ...options }, env, files) as SiteConnection).insecure;
    assert.equal(insecure({}), false);
    assert.equal(insecure({ insecure: true }), true);
    assert.equal(insecure({}, { ZULIP_ALLOW_INSECURE: 'true' }), true);
    assert.throws(() => insecure({}, { ZULIP_ALLOW_INSECURE: 'yes' }), UsageError);
    assert.equal(insecure({ configFile: 'x' }, {}, { x: '[api]\ninsecure=true\n' }), true);
    assert.equal(insecure({ configFile: 'x' }, {}, { x: '[api]\nsite=b.example.com\ninsecure=true\n' }), false);
  });

  it('missing credentials exit with code 4 and name three ways to give them', () => {
    assert.throws(
      () => checkCredentials({ kind: 'site', site: 'https://a.example.com', insecure: false }),
      (error: Failure) =>
        error.exitCode === 4 &&
        /--api-key/.test(error.advice ?? '') &&
        /ZULIP_API_KEY/.test(error.advice ?? '') &&
        /--config-file/.test(error.advice ?? ''),
    );
  });
});
