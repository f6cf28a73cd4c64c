import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { MAX_KEYS_PER_USER } from '../../lib/engine/idempotency.ts';
import { ChatError } from '../../lib/index.ts';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { testOn } from '../support/engines.ts';
import type { Params } from '../world/case.ts';
import { bothEngines, sqliteEngine } from '../world/copies.ts';
import { stateDigest } from '../world/digest.ts';
import type { UserName } from '../world/fixture.ts';
import { png } from '../world/pictures.ts';
import { UNUSED_MAIL } from '../world/unchanged-worlds.ts';
import type { World } from '../world/world.ts';
import { plainParams } from './tables.ts';

const operations = catalogue as readonly Operation[];
const repeatable = operations.filter(({ params }) => 'idempotency_key' in params);

/** Operations that create records and take no idempotency key, with the reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  'users.createMany': 'a repeated row reports `exists`',
  'users.createResetLink': 'a secret that must not be stored; another link does no harm',
  'tokens.create': 'a secret that must not be stored; another token does no harm',
  'subscriptions.add': 'a repeated call reports `already_subscribed`',
  'alertWords.add': 'a set',
  'mutedUsers.add': 'a set',
  'defaultChannels.add': 'a set',
  'allowedDomains.add': 'a set: an existing member is refused',
  'navigationViews.add': 'a set: an existing member is refused',
  'reactions.add': 'a set: REACTION_ALREADY_EXISTS',
  'typing.send': 'passes',
  'avatars.upload': 'replaces the picture',
};

/** Other parameters for the same key. */
const OTHER: Readonly<Record<string, Params>> = {
  'messages.send': { content: 'Other' },
  'webhooks.receive': { payload: '{"text": "Other"}' },
  'uploads.send': { file: new File(['other'], 'a.txt') },
  'drafts.create': { drafts: [] },
  'reminders.create': { note: 'Other' },
  'scheduledMessages.create': { content: 'Other' },
  'savedSnippets.create': { content: 'Other' },
  'invites.send': { invitee_emails: 'other@example.com' },
  'invites.createMultiuse': { invite_expires_in_minutes: 5 },
  'linkifiers.create': { pattern: 'other' },
  'exports.create': { export_type: 2 },
  'customEmoji.upload': { file: new File(['other'], 'a.png') },
};

const callerOf = ({ name }: Operation): UserName =>
  name === 'webhooks.receive'
    ? 'webhook'
    : /^(messages|scheduledMessages|reminders|drafts)\./.test(name)
      ? 'cordelia'
      : 'owner';

type Call = (params: Params) => Promise<Record<string, unknown>>;

function callOf({ name }: Operation, world: World, caller: UserName): Call {
  const [group, method] = name.split('.') as [string, string];
  const session = world.as(caller) as unknown as Record<string, Record<string, Call>>;
  return session[group]?.[method] as Call;
}

const auditOf = ({ storage }: World) => storage.read((tx) => tx.audit.list({ since: 0, limit: 1_000 }));

test('every operation that creates a record accepts an idempotency key', () => {
  const creating = operations
    .filter(({ name }) => /\.(create\w*|send|receive|upload|add)$/.test(name))
    .map(({ name }) => name)
    .filter((name) => !(name in WITHOUT))
    .sort();
  assert.deepEqual(repeatable.map(({ name }) => name).sort(), creating);
});

for (const engine of bothEngines) {
  describe(`a call repeated with an idempotency key (${engine.name})`, () => {
    for (const operation of repeatable) {
      testOn(engine)(`${operation.name} changes nothing and returns the first answer`, async (t) => {
        const world = await engine.world({ mail: UNUSED_MAIL });
        t.after(() => world.close());
        const caller = callerOf(operation);
        const plain = await plainParams(operation.name, world, caller);
        const params = { ...plain, idempotency_key: 'one' };
        const call = callOf(operation, world, caller);
        const first = await call(params);
        const before = [await stateDigest(world.storage), await auditOf(world)];
        assert.deepEqual(await call(params), first);
        const other = OTHER[operation.name] ?? { name: 'Other', full_name: 'Other' };
        await assert.rejects(call({ ...params, ...other }), { code: 'IDEMPOTENCY_KEY_REUSED', status: 422 });
        assert.deepEqual([await stateDigest(world.storage), await auditOf(world)], before);
      });

      testOn(engine)(`${operation.name} happens once if all calls come together`, async (t) => {
        const world = await engine.world({ mail: UNUSED_MAIL });
        t.after(() => world.close());
        const caller = callerOf(operation);
        const params = { ...(await plainParams(operation.name, world, caller)), idempotency_key: 'one' };
        const call = callOf(operation, world, caller);
        const answers = await Promise.all(Array.from({ length: 4 }, () => call(params)));
        for (const answer of answers) assert.deepEqual(answer, answers[0]);
      });
    }
  });
}

describe('idempotency keys of single operations', () => {
  const world = async (t: TestContext) => {
    const made = await sqliteEngine.world({ mail: UNUSED_MAIL });
    t.after(() => made.close());
    return made;
  };

  test('a repeated invites.send fails like the first call, and counts once', async (t) => {
    const { as, storage, clock, users } = await world(t);
    const params = {
      invitee_emails: 'horatio@example.com, cordelia@example.com',
      stream_ids: [],
      idempotency_key: 'one',
    };
    const invite = async () => {
      const error = await as('owner')
        .invites.send(params)
        .catch((refusal: ChatError) => refusal);
      assert.ok(error instanceof ChatError);
      return error;
    };
    const sent = () => storage.read((tx) => tx.invitations.sentSince(users.owner, clock.now() - 3_600_000));
    const first = await invite();
    assert.equal(first.code, 'INVITATION_FAILED');
    assert.equal(first.data.sent_invitations, true);
    const counted = await sent();
    const second = await invite();
    assert.deepEqual([second.code, second.message, second.data], [first.code, first.message, first.data]);
    assert.equal(await sent(), counted);
  });

  test('a repeated customEmoji.upload gets the first response if that arrives between its checks', async (t) => {
    const { as, storage } = await world(t);
    const upload = (idempotency_key: string) =>
      as('owner').customEmoji.upload({ emoji_name: 'gruel', file: png, idempotency_key });
    const { read } = storage;
    let reads = 0;
    const otherBeforeSecondRead = (key: string) => {
      reads = 0;
      storage.read = async (...given) => {
        if (++reads === 2) await upload(key);
        return read.apply(storage, given) as never;
      };
    };
    otherBeforeSecondRead('one');
    assert.deepEqual(await upload('one'), {});
    assert.ok(reads > 2);
    storage.read = read;
    await as('owner').customEmoji.deactivate({ emoji_name: 'gruel' });
    otherBeforeSecondRead('two');
    await assert.rejects(upload('three'), { code: 'BAD_REQUEST', message: /already exists/ });
  });

  test('a repeated users.create may have another password, and no digest of it is stored', async (t) => {
    const { as, storage, users } = await world(t);
    const params = { email: 'new@example.com', full_name: 'New', idempotency_key: 'one' };
    const first = await as('owner').users.create({ ...params, password: 'correct horse battery' });
    const key = () => storage.read((tx) => tx.idempotency.get(users.owner, 'users.create', 'one', 0));
    const { digest } = (await key()) ?? {};
    assert.deepEqual(await as('owner').users.create({ ...params, password: 'staple horse battery' }), first);
    assert.deepEqual(await as('owner').users.create(params), first);
    assert.equal((await key())?.digest, digest);
  });

  test('channels.create with an idempotency key is refused for more than 2,500 subscribers', async (t) => {
    const { as } = await world(t);
    const people = Array.from({ length: 2_600 }, (_, at) => ({ email: `p${at}@example.com`, full_name: `P ${at}` }));
    const ids: number[] = [];
    for (const part of [people.slice(0, 2_000), people.slice(2_000)]) {
      const made = await as('owner').users.createMany({ people: part.map((person) => ({ ...person, channels: [] })) });
      ids.push(...made.people.map(({ user_id }) => user_id as number));
    }
    const create = (subscribers: number[]) =>
      as('owner').channels.create({ name: 'All', subscribers, idempotency_key: 'one' });
    await assert.rejects(create(ids), { code: 'BAD_REQUEST', message: /at most 2,500 users/ });
    const first = await create(ids.slice(0, 2_500));
    assert.deepEqual(await create(ids.slice(0, 2_500)), first);
  });

  test('a repeated uploads.send stores one file', async (t) => {
    const { as, storage, files } = await world(t);
    const written: string[] = [];
    const removed: string[] = [];
    const { write, remove } = files;
    Object.assign(files, {
      write: (key: string, content: AsyncIterable<Uint8Array>) => {
        written.push(key);
        return write.call(files, key, content);
      },
      remove: (key: string) => {
        removed.push(key);
        return remove.call(files, key);
      },
    });
    const send = (text: string) =>
      as('cordelia').uploads.send({ file: new File([text], 'a.txt'), idempotency_key: 'one' });
    const first = await send('Soup');
    assert.deepEqual(await send('Soup'), first);
    await assert.rejects(send('Cake'), { code: 'IDEMPOTENCY_KEY_REUSED' });
    assert.equal(written.length, 3);
    assert.deepEqual(removed, written.slice(1));
    assert.equal((await as('cordelia').uploads.list()).attachments.length, 1);
    assert.equal(await storage.read((tx) => tx.uploads.nextCollection()).then((next) => next !== undefined), true);
  });

  test('an idempotency key is removed after 100,000 later ones of its user', async (t) => {
    const { as, storage, users, clock } = await world(t);
    const call = { operation: 'messages.send', digest: 'x', answer: '{"id":1}' };
    for (let from = 0; from < MAX_KEYS_PER_USER + 500; from += 20_000) {
      await storage.write(async ({ idempotency }) => {
        for (let at = from; at < Math.min(from + 20_000, MAX_KEYS_PER_USER + 500); at++) {
          const created_ms = clock.now() - MAX_KEYS_PER_USER - 500 + at;
          await idempotency.add({ ...call, user_id: users.cordelia, key: `k${at}`, created_ms }, 0);
        }
      });
    }
    const isKept = async (key: string) =>
      (await storage.read((tx) => tx.idempotency.get(users.cordelia, 'messages.send', key, 0))) !== undefined;
    const snippet = { title: 'Soup', content: 'today', idempotency_key: 'one' };
    await as('cordelia').savedSnippets.create(snippet);
    assert.deepEqual([await isKept('k0'), await isKept('k500'), await isKept('k501')], [false, false, true]);
  });
});
