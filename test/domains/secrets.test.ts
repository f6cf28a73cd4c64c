import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unwrapRawJson } from '../../lib/base/raw-json.ts';
import { passwordMatches } from '../../lib/domains/users/passwords.ts';
import { ChatError } from '../../lib/index.ts';
import { type Caller, catalogue, type Operation, transportOf } from '../../lib/internal.ts';
import { fetchHandler } from '../../server/index.ts';
import type { Params } from '../world/case.ts';
import { sqliteEngine } from '../world/copies.ts';
import type { UserName } from '../world/fixture.ts';
import { BASE_URL, type World } from '../world/world.ts';
import { plainParams } from './tables.ts';

const operations = catalogue as readonly Operation[];
/** Calls without a login get nothing by a token. */
const withLogin = operations.filter(({ access }) => access !== 'anyone');
const TTL_SECONDS = 30;

/** A world in which lists have what authenticates: open links of owners, and bots with keys. */
async function richWorld(): Promise<World> {
  const world = await sqliteEngine.world();
  const owner = world.as('owner');
  await owner.invites.createMultiuse({ invite_as: 100 });
  await owner.invites.send({ invitee_emails: 'fortinbras@example.com', stream_ids: [], invite_as: 100 });
  await owner.bots.create({ full_name: 'Oracle', short_name: 'oracle', bot_type: 3, payload_url: 'https://example.com/' });
  return world;
}

async function tokenOf(world: World, user: UserName | number): Promise<Caller> {
  const named = typeof user === 'number' ? user : world.users[user];
  const { token } = await world.chat.tokens.create({ user: named, ttlSeconds: TTL_SECONDS });
  return { ...(await transportOf(world.chat).checkLogin('token', token)), client: 'page' };
}

async function outcomeOf(world: World, name: string, caller: Caller, params: Params) {
  const operation = operations.find((one) => one.name === name) as Operation;
  try {
    return { answer: unwrapRawJson(await transportOf(world.chat).engine.call(operation, caller, params)) };
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return { code: error.code };
  }
}

/** What decides who may log in as whom, by account. */
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
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* stringsIn(inner);
}

/** Served to everyone: pictures authenticate nobody. */
const PICTURES = /^\/(user_avatars|custom_emoji|static)\//;

/** What logs in, joins or reads without a login when the token has expired, and how. */
async function working(world: World, values: unknown): Promise<string[]> {
  const { chat, clock, storage } = world;
  const transport = transportOf(chat);
  const accounts = await storage.read((tx) => tx.users.changedSince(0));
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
    }
    if (/^parlance\./.test(text)) {
      await attempt('token', text, () => transport.checkLogin('token', text));
      await attempt('cookie', text, () => transport.checkLogin('cookie', text));
    }
    if (text.length >= 16 && text.length <= 100) {
      await attempt('invitation', text, () => anonymous.invites.preview({ key: text }));
      await attempt('reset link', text, () => anonymous.passwords.checkReset({ token: text }));
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

const TYPES = { event_types: null, fetch_event_types: null };

async function eventsOf(world: World, caller: Caller, queue_id: string): Promise<unknown> {
  return outcomeOf(world, 'events.list', caller, { queue_id, last_event_id: -1, dont_block: true });
}

/** What a plain call with a write token gives away or changes. Undefined if this user cannot make it anyhow. */
async function playedByToken(name: string, user: UserName): Promise<{ isRefused: boolean; found: string[] } | undefined> {
  const world = await richWorld();
  try {
    const caller = await tokenOf(world, user);
    const params = await plainParams(name, world, user);
    const queue = await outcomeOf(world, 'register', caller, TYPES);
    const before = await accountsOf(world);
    const outcome = await outcomeOf(world, name, caller, params);
    if ('code' in outcome) return outcome.code === 'TOKEN_NOT_ALLOWED' ? { isRefused: true, found: [] } : undefined;
    const changed = JSON.stringify(await accountsOf(world)) === JSON.stringify(before) ? [] : ['accounts changed'];
    const events = await eventsOf(world, caller, String((queue.answer as { queue_id: string }).queue_id));
    return { isRefused: false, found: [...changed, ...(await working(world, [outcome, events]))] };
  } finally {
    await world.close();
  }
}

test('no answer to a token, and no event, contains something that works without it', async () => {
  const found: string[] = [];
  const refused: string[] = [];
  const unplayed: string[] = [];
  for (const { name } of withLogin) {
    let played: Awaited<ReturnType<typeof playedByToken>>;
    for (const user of ['owner', 'hamlet', 'cordelia'] as const) played ??= await playedByToken(name, user);
    if (!played) unplayed.push(name);
    else if (played.isRefused) refused.push(name);
    for (const what of played?.found ?? []) found.push(`${name}: ${what}`);
  }
  console.log({ refused, unplayed }, found);
  assert.deepEqual(found, []);
});
