import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { parseRecipients } from '../../cli/arguments/combined.ts';
import { type Field, PARSERS, type Parser, parseField, type RawValues } from '../../cli/arguments/parsers.ts';
import { shapeOf } from '../../cli/arguments/shape.ts';
import { UsageError } from '../../cli/failure.ts';
import type { Lookups } from '../../cli/lookups.ts';
import { commandPath, kebab } from '../../cli/names.ts';
import { fieldsOf, operationCommand } from '../../cli/operations/command.ts';
import { commands } from '../../cli/operations/metadata.ts';
import { metadata } from '../../cli/program.ts';
import { checkedTogether } from '../../cli/serve/checked-together.ts';
import { serveSettings } from '../../cli/serve/declared-options.ts';
import { readProviders } from '../../cli/serve/oidc-providers.ts';
import { catalogue, type Operation, shellWord } from '../../lib/internal.ts';
import { defineOperation } from '../../lib/operation/operation.ts';
import { inEnvironment } from './environment.ts';

const IDS: Record<string, number> = {
  'channel:general': 7,
  'group:role:members': 3,
  'user:ada@example.com': 4,
  'user:ben@example.com': 5,
};
const FIELDS = [
  { id: 1, name: 'Food', type: 1, field_data: '' },
  { id: 2, name: 'Diet', type: 3, field_data: '{"0":{"text":"Vegan","order":"1"},"1":{"text":"No fish","order":"2"}}' },
  { id: 3, name: 'Mentors', type: 6, field_data: '' },
];
const lookups: Lookups = {
  id: async (kind, text) => (/^\d+$/.test(text) ? Number(text) : (IDS[`${kind}:${text}`] as number)),
  find: async (kind, text) => (kind === 'channel' && text === '7' ? { name: 'general' } : undefined),
  row: async (_kind, text) => FIELDS.find(({ name }) => name === text) ?? {},
  timeZone: async () => 'Europe/Berlin',
};

function field(schema: v.GenericSchema, parser?: Parser): Field {
  return { name: 'a_name', flag: '--a-name', schema, shape: shapeOf(schema), parser };
}

async function read(schema: v.GenericSchema, texts: string[], parser?: Parser): Promise<unknown> {
  return parseField(field(schema, parser), texts)(lookups);
}

describe('names', () => {
  it('names of operations become command words', () => {
    assert.deepEqual(commandPath('scheduledMessages.create'), ['scheduled-messages', 'create']);
    assert.deepEqual(commandPath('fetchApiKey'), ['fetch-api-key']);
    assert.equal(kebab('scheduled_delivery_timestamp'), 'scheduled-delivery-timestamp');
  });

  it('words are quoted for the shell only if needed', () => {
    assert.equal(shellWord('postgres://db.example.com/chat'), 'postgres://db.example.com/chat');
    assert.equal(shellWord("Ada's and Ben's.db"), "'Ada'\\''s and Ben'\\''s.db'");
  });
});

describe('lists in environment variables of chatctl serve', () => {
  for (const separator of [',', ', ', ' '])
    it(`are separated by ${JSON.stringify(separator)}`, () => {
      const origins = ['https://a.example.com', 'https://b.example.com'];
      const settings = inEnvironment({ PARLANCE_TRUSTED_ORIGIN: origins.join(separator) }, {}, () => serveSettings({}));
      assert.deepEqual(settings, { trustedOrigin: origins });
    });
});

describe('ports of chatctl serve', () => {
  it('ports from 0 to 65535 are read', () => {
    for (const port of [0, 65_535]) {
      assert.deepEqual(serveSettings({ port: String(port) }), { port });
      assert.deepEqual(serveSettings({ metrics: `[::1]:${port}` }), { metrics: { host: '::1', port } });
    }
  });

  it('other ports are refused', () => {
    for (const port of ['65536', '-1', '1.5']) {
      assert.throws(() => serveSettings({ port }), UsageError, port);
      assert.throws(() => serveSettings({ metrics: `localhost:${port}` }), UsageError, port);
    }
  });
});

describe('invitations-valid of chatctl serve', () => {
  for (const [text, minutes] of [
    ['never', null],
    ['10d', 14_400],
  ] as const)
    it(`${text} is ${minutes === null ? 'no end' : `${minutes} minutes`}, as option and as variable`, () => {
      const asOption = inEnvironment({}, {}, () => serveSettings({ invitationsValid: text }));
      const asVariable = inEnvironment({ PARLANCE_INVITATIONS_VALID: text }, {}, () => serveSettings({}));
      assert.deepEqual([asOption, asVariable], Array(2).fill({ invitationsValid: minutes }));
    });

  it('other values of invitations-valid are refused', () => {
    for (const text of ['', '0', 'soon', '-1d'])
      assert.throws(() => serveSettings({ invitationsValid: text }), UsageError, text);
  });
});

describe('values on the command line', () => {
  it('text, integers and JSON are read by the type of the parameter', async () => {
    assert.equal(await read(v.string(), ['"5"']), '"5"');
    assert.equal(await read(v.optional(v.number()), ['5']), 5);
    assert.equal(await read(v.nullable(v.number()), ['null']), null);
    assert.deepEqual(await read(v.object({ a: v.number() }), ['{"a":1}']), { a: 1 });
    assert.equal(await read(v.string(), ['first', 'last']), 'last');
  });

  it('lists are read from repeated options, commas or JSON', async () => {
    const ids = v.array(v.number());
    assert.deepEqual(await read(ids, ['1,2', '3']), [1, 2, 3]);
    assert.deepEqual(await read(ids, ['[1,2]', '3']), [1, 2, 3]);
    assert.deepEqual(await read(ids, ['[]']), []);
    // As from an unset shell variable.
    await assert.rejects(() => read(ids, ['']), /is empty/);
    assert.deepEqual(await read(v.array(v.string()), ['a, b', '["c, d","5"]']), ['a', 'b', 'c, d', '5']);
    assert.deepEqual(await read(v.union([v.number(), v.array(v.number())]), ['5']), 5);
    assert.deepEqual(await read(v.union([v.number(), v.array(v.number())]), ['5,6']), [5, 6]);
    assert.deepEqual(await read(v.union([v.array(v.string()), v.array(v.number())]), ['5,6'], 'users'), [5, 6]);
  });

  it('names are accepted for IDs of channels, users and groups, and for emoji and roles', async () => {
    assert.equal(await read(v.number(), ['general'], 'channel'), 7);
    assert.equal(await read(v.number(), ['9'], 'channel'), 9);
    assert.deepEqual(await read(v.array(v.number()), ['ada@example.com,9', 'ben@example.com'], 'users'), [4, 9, 5]);
    assert.deepEqual(await read(v.array(v.number()), ['[1,2]'], 'users'), [1, 2]);
    assert.equal(await read(v.string(), ['tada'], 'emoji'), 'tada');
    assert.equal(await read(v.string(), [':+1:'], 'emoji'), '+1');
    assert.equal(await read(v.string(), ['🎉'], 'emoji'), 'tada');
    assert.equal(await read(v.string(), ['❤️'], 'emoji'), 'heart');
    assert.equal(await read(v.string(), ['👍🏽'], 'emoji'), '+1');
    assert.equal(await read(v.string(), ['?!'], 'emoji'), '?!');
    assert.equal(await read(v.string(), ['later'], 'propagate mode'), 'change_later');
    assert.equal(await read(v.string(), ['change_all'], 'propagate mode'), 'change_all');
    assert.equal(await read(v.number(), ['Guest'], 'role'), 600);
    assert.equal(await read(v.number(), ['300'], 'role'), 300);
    assert.deepEqual(await read(v.any(), ['role:members'], 'permission'), 3);
    assert.deepEqual(await read(v.any(), ['{"direct_members":[4],"direct_subgroups":[]}'], 'permission'), {
      direct_members: [4],
      direct_subgroups: [],
    });
    assert.deepEqual(await read(v.any(), ['role:members'], 'permission change'), { new: 3 });
    assert.deepEqual(await read(v.any(), ['{"new":3,"old":5}'], 'permission change'), { new: 3, old: 5 });
    const named = v.array(v.object({ name: v.string() }));
    const typed = ['a,7', '{"name":"c","color":"#fff"}'];
    const made = parseField(field(named, 'new subscriptions'), typed, { create: true });
    assert.deepEqual(await made(lookups), [{ name: 'a' }, { name: 'general' }, { name: 'c', color: '#fff' }]);
    assert.deepEqual(await read(v.array(v.string()), ['7', '["d"]'], 'channel names'), ['general', 'd']);
  });

  it('profile fields accept words for their type, data and values', async () => {
    assert.equal(await read(v.number(), ['short-text'], 'field type'), 1);
    assert.equal(await read(v.number(), ['7'], 'field type'), 7);
    const data = (...texts: string[]) => read(v.any(), texts, 'field data');
    const options = { 0: { text: 'Vegan', order: '1' }, 1: { text: 'No fish, please', order: '2' } };
    assert.deepEqual(await data('Vegan,"No fish, please"'), options);
    assert.deepEqual(await data('Vegan', '"No fish, please"'), options);
    assert.deepEqual(await data('account=github'), { subtype: 'github' });
    const url_pattern = 'https://wiki.example.com/~%(username)s';
    assert.deepEqual(await data(url_pattern), { subtype: 'custom', url_pattern });
    assert.deepEqual(await data('{"0":{"text":"Vegan","order":"1"}}'), { 0: { text: 'Vegan', order: '1' } });
    const values = (...texts: string[]) => read(v.array(v.any()), texts, 'profile data');
    assert.deepEqual(await values('Food=Soup=good', 'Diet=no FISH', 'Mentors=ada@example.com, ben@example.com'), [
      { id: 1, value: 'Soup=good' },
      { id: 2, value: '1' },
      { id: 3, value: [4, 5] },
    ]);
    assert.deepEqual(await values('Food=', 'Diet=', 'Mentors='), [
      { id: 1, value: '' },
      { id: 2, value: '' },
      { id: 3, value: [] },
    ]);
    assert.deepEqual(await values('[{"id":1,"value":"Soup"}]'), [{ id: 1, value: 'Soup' }]);
    await assert.rejects(values('Diet=Meat'), /no option "Meat"/);
    await assert.rejects(values('Food'), UsageError);
  });

  it('invalid values are usage errors that name the option', async () => {
    const refused = (schema: v.GenericSchema, text: string, parser?: Parser) =>
      assert.rejects(
        async () => read(schema, [text], parser),
        (error: Error) => error instanceof UsageError && error.message.startsWith('--a-name '),
      );
    await refused(v.number(), 'five');
    await refused(v.array(v.number()), '1,x');
    await refused(v.object({}), '{');
    await refused(v.number(), 'king', 'role');
    await refused(v.string(), 'some', 'propagate mode');
  });
});

describe('the recipients of a message', () => {
  const meaning = async (given: Record<string, string[]>, understood: 'names' | 'ids') => {
    const meant = parseRecipients(new Map(Object.entries(given)), understood);
    return { type: await meant.get('type')?.(lookups), to: await meant.get('to')?.(lookups) };
  };
  it('--to is a channel if there is a topic, and otherwise users by address, or as --type says', async () => {
    assert.deepEqual(await meaning({ to: ['general'], topic: ['x'] }, 'names'), { type: 'channel', to: 'general' });
    assert.deepEqual(await meaning({ to: ['a, b & c'], topic: ['x'] }, 'names'), { type: 'channel', to: 'a, b & c' });
    assert.deepEqual(await meaning({ to: ['general'], topic: ['x'] }, 'ids'), { type: 'channel', to: 7 });
    assert.deepEqual(await meaning({ to: ['ada@example.com,ben@example.com'] }, 'names'), {
      type: 'direct',
      to: ['ada@example.com', 'ben@example.com'],
    });
    assert.deepEqual(await meaning({ to: ['ada@example.com', 'ben@example.com'] }, 'ids'), {
      type: 'direct',
      to: [4, 5],
    });
    assert.deepEqual(await meaning({ to: ['[4,5]'], type: ['direct'] }, 'ids'), { type: 'direct', to: [4, 5] });
    assert.deepEqual(await meaning({ to: ['me@home'], topic: ['x'] }, 'names'), { type: 'channel', to: 'me@home' });
  });
});

describe('the command of an operation', () => {
  const operation = defineOperation({
    name: 'things.create',
    http: 'POST /things',
    summary: 'Create a thing',
    access: 'user',
    effect: 'write',
    params: {
      announce: v.optional(v.boolean()),
      stream_ids: v.optional(v.array(v.number())),
      user: v.optional(v.string()),
    },
    result: v.object({}),
    errors: [],
    run: async () => ({}),
  }) as unknown as Operation;

  async function given(...args: string[]): Promise<RawValues> {
    let seen: RawValues = new Map();
    const command = operationCommand(operation, 'create', {}, async (typed) => {
      seen = typed.given;
    });
    await command
      .exitOverride()
      .configureOutput({ outputError: () => undefined })
      .parseAsync(args, { from: 'user' });
    return seen;
  }

  it('boolean options are accepted as --x, --no-x and --x=true or false', async () => {
    assert.equal((await given('--announce')).get('announce'), true);
    assert.equal((await given('--no-announce')).get('announce'), false);
    assert.equal((await given('--announce=false')).get('announce'), false);
    assert.equal((await given('--announce=true')).get('announce'), true);
    assert.equal((await given()).has('announce'), false);
    await assert.rejects(given('--announce=maybe'), UsageError);
  });

  it('repeated options are collected', async () => {
    assert.deepEqual((await given('--stream-ids', '1', '--stream-ids', '2,3')).get('stream_ids'), ['1', '2,3']);
  });

  it('a parameter with the name of a global option gets another name', async () => {
    assert.deepEqual((await given('--the-user', 'x', '--user', 'ada@example.com')).get('user'), ['x']);
  });
});

describe('the metadata of commands', () => {
  const operations = new Map((catalogue as readonly Operation[]).map((operation) => [operation.name, operation]));

  it('names of unknown groups, commands, parameters or columns do not compile', () => {
    // @ts-expect-error: no such group
    commands('linkifierz', '', {});
    // @ts-expect-error: no such command
    commands('linkifiers', '', { lizt: {} });
    // @ts-expect-error: no such parameter
    commands('linkifiers', '', { edit: { args: ['linkifier'] } });
    // @ts-expect-error: no such parameter
    commands('linkifiers', '', { edit: { parsers: { linkifier: 'user' } } });
    // @ts-expect-error: no such parameter
    commands('messages', '', { edit: { stdin: { parameter: 'text' } } });
    // @ts-expect-error: a default of another type
    commands('messages', '', { list: { defaults: { num_before: 'many' } } });
    // @ts-expect-error: no such list in the answer
    commands('linkifiers', '', { list: { columns: { patterns: ['id'] } } });
    // @ts-expect-error: no such column
    commands('linkifiers', '', { list: { columns: { linkifiers: ['number'] } } });
    // @ts-expect-error: no such column of a list that comes as a map
    commands('customEmoji', '', { list: { columns: { emoji: [['number', 'ID']] } } });
    // @ts-expect-error: no such field in the answer
    commands('linkifiers', '', { create: { done: ({ answer }) => `${answer.filter_id}` } });
  });

  it('all metadata is of existing operations and parameters', () => {
    for (const [name, said] of metadata) {
      const operation = operations.get(name);
      assert.ok(operation, `there is no operation ${name}`);
      const named = [
        ...(said.args ?? []).map((arg) => (typeof arg === 'string' ? arg : arg.parameter)),
        ...Object.keys({ ...said.parsers, ...said.flags, ...said.defaults, ...said.defaultsForPeople }),
        ...(said.stdin ? [said.stdin.parameter, ...(said.stdin.unless ?? [])] : []),
      ];
      for (const parameter of named) assert.ok(parameter in operation.params, `${name} has no parameter ${parameter}`);
      const { entries = {} } = operation.result as { entries?: object };
      const fields = ['changes', ...Object.keys({ ...operation.params, ...entries })];
      const sentences = [said.done, said.confirm, said.empty].filter((text) => typeof text === 'string');
      for (const [place, field = ''] of sentences.join().matchAll(/\{(?:\w+ )?(\w+)\}/g))
        assert.ok(fields.includes(field), `${name} has no ${place}`);
    }
    const parameters = new Set([...operations.values()].flatMap((operation) => Object.keys(operation.params)));
    assert.deepEqual(
      Object.keys(PARSERS).filter((name) => !parameters.has(name)),
      [],
    );
  });

  it('no two commands of a group have the same name', () => {
    const names = [...operations.keys()].flatMap((name) => {
      const [group, ...rest] = commandPath(name);
      return [rest.join(' '), ...(metadata.get(name)?.aliases ?? [])].map((each) => `${group} ${each}`);
    });
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('no two options of a command have the same name', () => {
    for (const operation of operations.values()) {
      const flags = fieldsOf(operation, metadata.get(operation.name) ?? {}).map((each) => each.flag);
      assert.equal(new Set(flags).size, flags.length, operation.name);
    }
  });
});

describe('OpenID Connect options of chatctl serve', () => {
  const settingsOf = (env: Record<string, string>, typed: Record<string, unknown> = {}) =>
    inEnvironment(env, {}, () => checkedTogether(serveSettings(typed), {}).oidc);

  it('come from options and variables, and the secret only from a variable', () => {
    const env = {
      PARLANCE_OIDC: 'https://login.example.com',
      PARLANCE_OIDC_CLIENT_ID: 'chat',
      PARLANCE_OIDC_CLIENT_SECRET: 'secret',
      PARLANCE_OIDC_OPEN: 'off',
      PARLANCE_OIDC_SCOPE: '',
      PARLANCE_OIDC_ROLE_CLAIM: 'groups',
      PARLANCE_OIDC_ROLE: 'a=b=administrator,helpers=moderator',
    };
    assert.deepEqual(settingsOf(env), {
      ...{ issuer: 'https://login.example.com', clientId: 'chat', clientSecret: 'secret', open: false },
      ...{ roleClaim: 'groups', roles: { 'a=b': 'administrator', helpers: 'moderator' } },
    });
    assert.equal(settingsOf({}), undefined);
    const typed = { oidc: 'http://localhost:4000', oidcClientId: 'chat', oidcTrustEmail: true };
    assert.deepEqual(settingsOf({}, typed), { issuer: 'http://localhost:4000', clientId: 'chat', trustEmail: true });
  });

  it('are refused if they are incomplete or invalid', () => {
    const oidc = 'https://login.example.com';
    const refused: [Record<string, unknown>, RegExp][] = [
      [{ oidc }, /needs --oidc-client-id/],
      [{ oidcClientId: 'chat' }, /--oidc-client-id needs --oidc/],
      [{ oidc: 'http://login.example.com', oidcClientId: 'chat' }, /must be an HTTPS URL/],
      [{ oidc: 'http://localhost.evil.example', oidcClientId: 'chat' }, /must be an HTTPS URL/],
      [{ oidc, oidcClientId: 'chat', oidcRole: ['admins'] }, /must be a value and a role/],
      [{ oidc, oidcClientId: 'chat', oidcRole: ['admins=king'] }, /must be a value and a role/],
      [{ oidc, oidcClientId: 'chat', oidcRole: ['admins=owner'] }, /needs --oidc-role-claim/],
      [{ oidc, oidcClientId: 'chat', web: false }, /--no-web/],
      [{ oidcProviders: 'x.json', web: false }, /--oidc-providers and --no-web/],
      [{ oidcProviders: 'x.json', oidcName: 'Example' }, /--oidc-name needs --oidc/],
      [{ oidcProviders: 'x.json', oidc, oidcClientId: 'chat' }, /add the provider to the file/],
    ];
    for (const [typed, message] of refused) assert.throws(() => settingsOf({}, typed), message);
  });

  it('may name a file with several providers', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-providers-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'providers.json');
    const read = (content: unknown) => {
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return readProviders(file);
    };
    const staff = { id: 'staff', issuer: 'https://login.example.com', clientId: 'chat', clientSecret: 'secret' };
    const partners = {
      ...staff,
      id: 'partners',
      open: false,
      emailDomains: ['partner.example'],
      roles: { boss: 'administrator' },
      roleClaim: 'groups',
    };
    const both = [{ ...staff, emailDomains: ['*'] }, partners];
    assert.deepEqual(read(both), both);
    assert.deepEqual(read([staff]), [staff]);
    const refused: [unknown, RegExp][] = [
      ['[', /is not JSON/],
      [[], /must have a provider/],
      [[staff, staff], /each provider needs another id/],
      [[staff, partners], /each of several providers needs emailDomains/],
      [[{ ...staff, id: '../x' }], /0\.id: must be 1 to 30 of a-z/],
      [[{ ...staff, id: undefined }], /0\.id/],
      [[{ ...staff, issuer: 'http://login.example.com' }], /0\.issuer: must be an HTTPS URL/],
      [[{ ...staff, clientSecret: '' }], /0\.clientSecret: must not be empty/],
      [[{ ...staff, client_id: 'chat' }], /0\.client_id/],
      [[{ ...staff, roles: { boss: 'king' } }], /0\.roles\.boss/],
      [[{ ...staff, roles: { boss: 'owner' } }], /0\.roles: needs roleClaim/],
      [[{ ...staff, issuer: 'https://login example.com' }], /0\.issuer: must be an HTTPS URL/],
      [[{ ...staff, emailDomains: [] }], /0\.emailDomains: must have a domain/],
      [[{ ...staff, clientId: undefined }], /0\.clientId: is missing/],
      ['"secret"', /the file: must be Array/],
      [['secret'], /: 0: must be Object/],
      [[{ ...staff, clientSecret: 81754209 }], /0\.clientSecret: must be string/],
    ];
    const namesNoSecret = (message: RegExp) => (error: unknown) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /"secret"|81754209/);
      return true;
    };
    for (const [content, message] of refused) assert.throws(() => read(content), namesNoSecret(message));
    assert.throws(() => readProviders(join(folder, 'none.json')), /failed \(ENOENT\)/);
  });
});
