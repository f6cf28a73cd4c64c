import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { unwrapRawJson } from '../../lib/base/raw-json.ts';
import { passwordMatches } from '../../lib/domains/users/passwords.ts';
import { ChatError } from '../../lib/index.ts';
import { type Caller, catalogue, hasDryRun, type Operation, transportOf } from '../../lib/internal.ts';
import { deriveWebhookToken } from '../../lib/rules/credentials.ts';
import { fetchHandler } from '../../server/index.ts';
import { testOn } from '../support/engines.ts';
import type { Params } from '../world/case.ts';
import { featureEngines, sqliteEngine } from '../world/copies.ts';
import { PASSWORD, type UserName } from '../world/fixture.ts';
import { BASE_URL, type World } from '../world/world.ts';
import { plainParams } from './tables.ts';

const operations = catalogue as readonly Operation[];
/** Operations with a login: others give nothing to a token. */
const withLogin = operations.filter(({ access }) => access !== 'anyone');
const TTL_SECONDS = 30;

/** A world with secrets in its lists: links of owners, and bots with keys. */
async function richWorld(): Promise<World> {
  const world = await sqliteEngine.world();
  const owner = world.as('owner');
  await owner.invites.createMultiuse({ invite_as: 100 });
  await owner.invites.send({ invitee_emails: 'fortinbras@example.com', stream_ids: [], invite_as: 100 });
  await owner.bots.create({
    full_name: 'Oracle',
    short_name: 'oracle',
    bot_type: 3,
    payload_url: 'https://example.com/',
  });
  return world;
}

async function tokenOf(world: World, user: UserName | number): Promise<Caller> {
  const named = typeof user === 'number' ? user : world.users[user];
  const { token } = await world.chat.tokens.create({ user: named, ttlSeconds: TTL_SECONDS });
  return { ...(await transportOf(world.chat).checkLogin('token', token)), client: 'page' };
}

async function outcomeOf(
  world: World,
  name: string,
  caller: Caller,
  params: Params,
): Promise<{ answer?: unknown; code?: string }> {
  const operation = operations.find((one) => one.name === name) as Operation;
  try {
    return { answer: unwrapRawJson(await transportOf(world.chat).engine.call(operation, caller, params)) };
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return { code: error.code ?? 'none' };
  }
}

/** Data of each account that decides about logins. */
const accountsOf = ({ storage }: World) =>
  storage.read(async (tx) =>
    Object.fromEntries(
      (await tx.users.changedSince(0)).map(
        ({ id, delivery_email, password_hash, key_generation, login_generation, sign_in_unlocks, is_active, role }) => [
          id,
          { delivery_email, password_hash, key_generation, login_generation, sign_in_unlocks, is_active, role },
        ],
      ),
    ),
  );

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* stringsIn(inner);
}

/** Public files: pictures give no access. */
const PICTURES = /^\/(user_avatars|custom_emoji|organization_pictures|static)\//;

/** Values that give access after the token has expired, each with the way. */
async function working(world: World, values: unknown): Promise<string[]> {
  const { chat, clock, storage } = world;
  const transport = transportOf(chat);
  const accounts = await storage.read((tx) => tx.users.changedSince(0));
  const { secret = '' } = (await storage.read((tx) => tx.organization.get())) ?? {};
  const anonymous = chat.anonymous();
  const whole = new Set(stringsIn(values));
  const pieces = new Set([...whole].flatMap((text) => [text, ...text.split(/[^\w.-]+/)]));
  const found: string[] = [];
  const attempt = async (way: string, text: string, work: () => Promise<unknown>) => {
    const works = await work().then(
      (result) => result !== false,
      (error: unknown) => {
        if (error instanceof ChatError) return false;
        throw error;
      },
    );
    if (works) found.push(`${way} ${text}`);
  };
  clock.advance({ seconds: TTL_SECONDS });
  for (const text of pieces) {
    if (/^[A-Za-z0-9]{32}$/.test(text)) {
      for (const { delivery_email } of accounts)
        await attempt('key', text, () => transport.authenticate(delivery_email, text));
      if (accounts.some((bot) => text === deriveWebhookToken(secret, bot))) found.push(`hook ${text}`);
    }
    if (/^parlance\./.test(text)) {
      await attempt('token', text, () => transport.checkLogin('token', text));
      await attempt('cookie', text, () => transport.checkLogin('cookie', text));
    }
    if (text.length >= 16 && text.length <= 100) {
      await attempt('invitation', text, () => anonymous.invites.preview({ key: text }));
      await attempt('reset', text, () => anonymous.passwords.checkReset({ token: text }));
    }
    if (text.length < 6 || text.length > 100) continue;
    for (const { password_hash } of accounts)
      if (password_hash) await attempt('password', text, () => passwordMatches(text, password_hash));
  }
  const handle = fetchHandler(chat, { rateLimits: false });
  for (const text of whole) {
    const path = text.startsWith(BASE_URL) ? text.slice(BASE_URL.length) : text;
    if (!/^\/\w/.test(path) || PICTURES.test(path)) continue;
    await attempt('address', path, async () => (await handle(new Request(BASE_URL + path))).status === 200);
  }
  return found;
}

/** Operations that tokens cannot call. `loginFor` and omitted fields complete the rule. */
const CLOSED = [
  ...['allowedDomains.add', 'allowedDomains.edit', 'allowedDomains.remove'],
  ...['users.setPassword', 'users.getApiKey', 'users.unlock', 'users.endLogins'],
  ...['users.createResetLink', 'users.regenerateApiKey'],
  ...['secondFactor.begin', 'secondFactor.confirm', 'secondFactor.renewCodes', 'secondFactor.remove'],
  ...['users.resetSecondFactor'],
  ...['tokens.create', 'tokens.revoke'],
  ...['users.create', 'users.ensure', 'users.createMany'],
  ...['users.deactivate', 'users.deactivateMe', 'users.reactivate', 'users.erase', 'bots.deactivate'],
  ...['invites.send', 'invites.createMultiuse', 'invites.resend'],
  ...['bots.create', 'bots.getApiKey', 'bots.regenerateApiKey'],
  ...['push.register', 'push.addApnsToken', 'push.addFcmToken'],
  ...['channels.getEmailAddress', 'webhooks.receive'],
  ...['exports.create', 'exports.list', 'exports.remove'],
];
const CLOSED_PARAMETERS: Readonly<Record<string, Params>> = {
  'settings.edit': { email: 'prince@example.com', new_password: 'the play is the thing' },
  'users.edit': { role: 300, new_email: 'other@example.com' },
  'users.editByEmail': { role: 300, new_email: 'other@example.com' },
  'organization.edit': {
    can_create_bots_group: { new: 11 },
    can_invite_users_group: { new: 11 },
    create_multiuse_invite_group: { new: 11 },
    disallow_disposable_email_addresses: false,
    emails_restricted_to_domains: true,
    password_login: false,
    second_factor_required_for: 'nobody',
  },
  'bots.edit': { role: 300, bot_owner_id: 9, service_payload_url: 'https://example.com/', is_active: false },
};

test('tokens cannot use exactly these operations and parameters', () => {
  const closed = withLogin.filter(({ scope }) => scope === 'login').map(({ name }) => name);
  assert.deepEqual(closed.sort(), [...CLOSED].sort());
  const parameters = withLogin.flatMap(({ name, loginFor }) => (loginFor.length > 0 ? [[name, loginFor]] : []));
  const expected = Object.entries(CLOSED_PARAMETERS).map(([name, values]) => [name, Object.keys(values)]);
  assert.deepEqual(Object.fromEntries(parameters), Object.fromEntries(expected));
});

test('a token is refused for operations and parameters that are closed to tokens, and nothing changes', async () => {
  const world = await richWorld();
  try {
    const caller = await tokenOf(world, 'owner');
    const before = await accountsOf(world);
    const about = { user_id: world.users.bot, bot_id: world.users.bot, email: world.emails.cordelia };
    for (const [name, parameters] of Object.entries(CLOSED_PARAMETERS)) {
      for (const given of Object.entries(parameters)) {
        const params = { ...about, ...Object.fromEntries([given]) };
        const outcome = await outcomeOf(world, name, caller, params);
        assert.equal(outcome.code, 'TOKEN_NOT_ALLOWED', `${name} ${given[0]}`);
      }
    }
    for (const name of CLOSED) {
      // The plain calls on domains all prepare the same one.
      const isOfDomains = name.startsWith('allowedDomains.');
      const params = isOfDomains ? { domain: 'other.example' } : await plainParams(name, world, 'owner');
      const { code } = await outcomeOf(world, name, caller, params);
      assert.equal(code, 'TOKEN_NOT_ALLOWED', name);
    }
    assert.deepEqual(await accountsOf(world), before);
    assert.deepEqual(await outcomeOf(world, 'settings.edit', caller, { new_password: '', enter_sends: true }), {
      answer: {},
    });
  } finally {
    await world.close();
  }
});

/**
 * Secrets that a plain call with a write token returns, and changes of accounts. Undefined if this user cannot make the
 * call.
 */
async function playedByToken({ name, loginFor }: Operation, user: UserName): Promise<string[] | undefined> {
  const world = await richWorld();
  try {
    const caller = await tokenOf(world, user);
    const plain = Object.entries(await plainParams(name, world, user));
    const params = Object.fromEntries(plain.filter(([parameter]) => !loginFor.includes(parameter)));
    const { answer: queue } = await outcomeOf(world, 'register', caller, { fetch_event_types: [] });
    const before = await accountsOf(world);
    const outcome = await outcomeOf(world, name, caller, params);
    if (outcome.code) return undefined;
    const { queue_id } = queue as { queue_id: string };
    const events = await outcomeOf(world, 'events.list', caller, { queue_id, last_event_id: -1, dont_block: true });
    const isUnchanged = isDeepStrictEqual(await accountsOf(world), before);
    return [...(isUnchanged ? [] : ['changes accounts']), ...(await working(world, [outcome, events]))];
  } finally {
    await world.close();
  }
}

describe('responses and events of a call with a token give no access after the token', () => {
  for (const operation of withLogin.filter(({ scope }) => scope !== 'login')) {
    test(operation.name, async () => {
      for (const user of ['owner', 'hamlet', 'cordelia'] as const) {
        const found = await playedByToken(operation, user);
        if (found) return assert.deepEqual(found, []);
      }
      assert.fail('The plain call is refused to all these users.');
    });
  }
});

test('a plain call with an API key returns each kind of secret, and the search finds them', async () => {
  const world = await richWorld();
  try {
    const { bots, invites, tokens, users } = world.as('owner');
    const ways = async (values: unknown) => (await working(world, values)).map((found) => found.split(' ', 1)[0]);
    assert.deepEqual(await ways(await bots.list()), ['hook', 'key']);
    assert.deepEqual(await ways(await invites.list()), ['invitation', 'address']);
    assert.deepEqual(await ways(await users.createResetLink({ user_id: world.users.cordelia })), ['reset', 'address']);
    assert.deepEqual(await ways(await tokens.create({ ttl_seconds: 600 })), ['token']);
    assert.ok((await ways({ password: PASSWORD })).includes('password'));
  } finally {
    await world.close();
  }
});

const hasNoDryRun = (operation: Operation) => operation.effect !== 'read' && !hasDryRun(operation);

for (const engine of featureEngines) {
  const withSecrets = operations.filter((one) => one.hasSecrets && one.access !== 'anyone' && !hasNoDryRun(one));
  testOn(engine)(`a dry run returns no valid secret, even for a repeated call (${engine.name})`, async () => {
    const world = await engine.world();
    try {
      const call = transportOf(world.chat);
      const caller = { userId: world.users.owner, client: 'test' };
      for (const operation of withSecrets) {
        const key = 'idempotency_key' in operation.params ? { idempotency_key: operation.name } : {};
        // The owner may not post in the channel of the plain call.
        const postable = operation.name === 'channels.getEmailAddress' ? { stream_id: world.channels.public } : {};
        const params = { ...(await plainParams(operation.name, world, 'owner')), ...postable, ...key };
        if ('idempotency_key' in params) await call.engine.call(operation, caller, params);
        const { answer } = await call.dryRun(operation, caller, params);
        assert.deepEqual(await working(world, answer), [], operation.name);
      }
    } finally {
      await world.close();
    }
  });
}
