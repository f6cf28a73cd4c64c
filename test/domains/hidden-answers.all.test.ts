import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Session } from '../../lib/index.ts';
import { catalogue, hasDryRun, type Operation } from '../../lib/internal.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { sqliteEngine } from '../world/copies.ts';
import { RESTRICTED } from '../world/fixture.ts';
import { UNUSED_MAIL, UnchangedWorlds } from '../world/unchanged-worlds.ts';
import type { World } from '../world/world.ts';
import { plainParams } from './tables.ts';

const PEOPLE = ['owner', 'administrator', 'moderator', 'hamlet', 'cordelia', 'newcomer', 'guest'] as const;
type Person = (typeof PEOPLE)[number];

/** Messages of the fixture that a user cannot read. */
const HIDDEN_MESSAGES = {
  administrator: ['direct', 'group', 'council', 'vaultBefore', 'vaultAfter', 'whisper'],
  newcomer: ['direct', 'group', 'council', 'vaultBefore', 'vaultAfter', 'whisper'],
  guest: ['direct', 'group', 'council', 'vaultBefore', 'whisper'],
} as const satisfies Partial<Record<Person, readonly string[]>>;

type Viewer = keyof typeof HIDDEN_MESSAGES;
const VIEWERS = Object.keys(HIDDEN_MESSAGES) as Viewer[];

type Variation = (tx: Transaction, world: World, viewer: Viewer) => Promise<unknown>;

const others = ({ users }: World, viewer: Viewer) =>
  PEOPLE.filter((name) => name !== viewer).map((name) => users[name]);

const forOthers =
  (vary: (tx: Transaction, user: number, world: World) => Promise<unknown>): Variation =>
  async (tx, world, viewer) => {
    for (const user of others(world, viewer)) await vary(tx, user, world);
  };

/** Data that differs in the second world. Each change is hidden from the viewer. */
const VARIATIONS: Record<string, Variation> = {
  'texts and existence of messages': async (tx, world, viewer) => {
    const [removed, ...edited] = HIDDEN_MESSAGES[viewer].map((name) => idOf(world, name));
    const changed = { content: 'Another text', rendered_content: '<p>Another text</p>', is_me_message: false };
    for (const id of edited) await tx.messages.edit(id, { ...changed, timestamp: 1 });
    await tx.messages.remove([removed as number]);
  },
  'reactions to hidden messages': async (tx, world, viewer) => {
    const emoji = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' } as const;
    const [, message] = HIDDEN_MESSAGES[viewer].map((name) => idOf(world, name));
    await tx.reactions.add({ message_id: message as number, user_id: world.users.hamlet, ...emoji });
  },
  'stars and read state': forOthers(async (tx, user, { messages }) => {
    await tx.flags.set(user, [messages.ghost, messages.harbour], 'starred');
    await tx.readState.markRead(user, [messages.ghost, messages.ghostReply, messages.harbour]);
  }),
  drafts: forOthers((tx, user) => tx.drafts.removeAll(user)),
  snippets: forOthers(async (tx, user) => {
    for (const { id } of await tx.savedSnippets.of(user)) await tx.savedSnippets.remove(user, id);
  }),
  'scheduled messages': forOthers(async (tx, user) => {
    for (const { id } of await tx.scheduledMessages.of(user)) await tx.scheduledMessages.remove(id, user);
  }),
  reminders: forOthers(async (tx, user) => {
    for (const { id } of await tx.reminders.of(user)) await tx.reminders.remove(id, user);
  }),
  'navigation views': forOthers(async (tx, user) => {
    for (const { fragment } of await tx.navigationViews.of(user)) await tx.navigationViews.remove(user, fragment);
  }),
  mutes: async (tx, world, viewer) => {
    for (const user of others(world, viewer))
      for (const muted of PEOPLE)
        if (world.users[muted] !== user) await tx.mutedUsers.add(user, { id: world.users[muted], timestamp: 1 });
  },
  'topics that users follow or mute': async (tx, { users, channels, ...world }, viewer) => {
    const ids = others({ users, channels, ...world }, viewer);
    await tx.userTopics.set(ids, {
      channel_id: channels.public,
      topic: 'ghosts',
      visibility_policy: 3,
      last_updated: 1,
    });
    await tx.userTopics.set(ids, {
      channel_id: channels.webPublic,
      topic: 'ships',
      visibility_policy: 1,
      last_updated: 1,
    });
  },
  'alert words': forOthers((tx, user) => tx.alertWords.add(user, ['hello', 'rotten', 'x'])),
  phones: forOthers(async (tx, user) => {
    await tx.pushTokens.add({ user_id: user, kind: 'fcm', token: `token-${user}`, ios_app_id: null });
    const device = { user_id: user, push_account_id: 77, token_kind: 'fcm', push_public_key: 'key' } as const;
    const registration = await tx.pushDevices.register(device);
    if (registration) await tx.pushDevices.activate(registration, 1_000 + user);
  }),
  'times when users were online': forOthers((tx, user, { now }) =>
    tx.presences.record([{ user_id: user, active_ms: now, connected_ms: now }]),
  ),
  'personal settings and passwords': forOthers((tx, user) =>
    tx.users.update(user, {
      password_hash: null,
      settings: {
        enable_offline_push_notifications: false,
        enable_stream_push_notifications: true,
        enable_offline_email_notifications: false,
        send_read_receipts: false,
        send_private_typing_notifications: false,
        send_stream_typing_notifications: false,
        receives_typing_notifications: false,
        automatically_follow_topics_policy: 1,
        enable_drafts_synchronization: false,
        presence_enabled: false,
      },
    }),
  ),
  'subscribers of a private channel, which administrators see': async (tx, { users, channels }, viewer) => {
    if (viewer === 'administrator') return;
    await tx.subscriptions.add([{ user_id: users.cordelia, channel_id: channels.shared, color: '#ff0000' }]);
  },
  'the name of a user that a restricted guest cannot see': async (tx, { users }, viewer) => {
    if (viewer === 'guest') await tx.users.update(users.secondOwner, { full_name: 'Someone Else' });
  },
  'personal settings of subscriptions': forOthers(async (tx, user, { channels }) => {
    for (const property of ['is_muted', 'pin_to_top', 'push_notifications'] as const)
      await tx.subscriptions.update(user, property, new Map([[channels.public, true]]));
  }),
};

const idOf = ({ messages, kept }: World, name: keyof World['messages'] | 'whisper') =>
  name === 'whisper' ? (kept.whisper as number) : messages[name];

/** Operations whose responses may differ, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'settings.confirmEmail': 'a working link shows that the password did not change since its request',
  'passwords.reset': 'a working link shows that the password did not change since its request',
  register: 'its response lists users who are online, which is not hidden',
  'presence.report': 'its response lists users who are online, which is not hidden',
};

interface Question {
  viewer: Viewer;
  /** The caller of the plain call. */
  caller: Person;
  ask(world: World, operation: Operation, call: object): Promise<unknown>[];
}

const OPTIONS = { mail: UNUSED_MAIL };

async function prepare(world: World, viewer: Viewer): Promise<void> {
  if (viewer === 'guest') await world.settings(RESTRICTED);
  const whisper = { type: 'direct', to: [world.users.moderator], content: 'Shh' } as const;
  world.kept.whisper = (await world.as('cordelia').messages.send(whisper)).id;
}

const vary = (world: World, viewer: Viewer) =>
  world.storage.write(async (tx) => {
    for (const variation of Object.values(VARIATIONS)) await variation(tx, world, viewer);
  });

/** Two worlds with the same IDs for each viewer. The second one differs in data that is hidden from the viewer. */
const pairs = new Map(
  VIEWERS.map((viewer) => [
    viewer,
    {
      plain: new UnchangedWorlds((world) => prepare(world, viewer)),
      varied: new UnchangedWorlds(async (world) => {
        await prepare(world, viewer);
        await vary(world, viewer);
      }),
    },
  ]),
);

/** Makes a call in both worlds. */
async function answersInBoth(operation: Operation, question: Question): Promise<[string[], string[]]> {
  const { viewer, caller } = question;
  const { plain, varied } = pairs.get(viewer) as { plain: UnchangedWorlds; varied: UnchangedWorlds };
  const world = await plain.next(OPTIONS);
  const writes = await world.writes();
  const params = await plainParams(operation.name, world, caller);
  if ((await world.writes()) === writes) {
    const first = await answersIn(world, operation, params, question);
    return [first, await answersIn(await varied.next(OPTIONS), operation, params, question)];
  }
  // The parameters name new records. They come before the variation, which also changes them.
  const other = await sqliteEngine.world(OPTIONS);
  try {
    await prepare(other, viewer);
    const same = await plainParams(operation.name, other, caller);
    await vary(other, viewer);
    return [await answersIn(world, operation, params, question), await answersIn(other, operation, same, question)];
  } finally {
    await other.close();
  }
}

function answersIn(world: World, operation: Operation, params: object, { viewer, ask }: Question): Promise<string[]> {
  const asked = callsOf(operation, params, world, viewer).flatMap((call) => ask(world, operation, call));
  return Promise.all(asked.map(settled));
}

/** The plain call of an operation, and the same call for each message that is hidden from the viewer. */
function callsOf({ params: declared, effect }: Operation, params: object, world: World, viewer: Viewer): object[] {
  const ids = HIDDEN_MESSAGES[viewer].map((name) => idOf(world, name));
  const about = (name: string, value: (id: number) => unknown) =>
    Object.hasOwn(declared, name) ? ids.map((id) => ({ ...params, [name]: value(id) })) : [];
  const isWrite = effect !== 'read';
  return [params, ...about('message_id', (id) => id), ...(isWrite ? about('messages', (id) => [id]) : [])];
}

/** Removes random keys, links and IDs. */
async function settled(answer: Promise<unknown>): Promise<string> {
  const outcome = await answer.then(
    (value) => ({ value }),
    ({ code, message }: { code?: string; message: string }) => ({ code, message }),
  );
  return JSON.stringify(outcome)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}/g, 'RANDOM')
    .replace(/(?<=\/(join|reset)\/)[\w-]+/g, 'RANDOM')
    .replace(/(?<=1\/)[0-9a-f]{1,2}\/[\w-]{24}/g, 'RANDOM')
    .replace(/(?<="(api_key|token)":")[^"]*/g, 'RANDOM');
}

const whyOf = (session: Session, about: number, { name }: Operation, call: object) =>
  session.why(about, name as 'register', call);

function dryRunOf({ dryRun }: Session, { name }: Operation, call: object): Promise<unknown> {
  const [group, action] = name.split('.') as [string, string | undefined];
  const found = (dryRun as unknown as Record<string, Record<string, unknown>>)[group];
  const method = (action === undefined ? found : found?.[action]) as (call: object) => Promise<unknown>;
  return method(call);
}

const operations = (catalogue as readonly Operation[]).filter(
  (operation) => (operation.effect === 'read' || hasDryRun(operation)) && !(operation.name in EXCEPTIONS),
);

describe('responses do not depend on hidden data', () => {
  after(async () => {
    for (const { plain, varied } of pairs.values()) await Promise.all([plain.close(), varied.close()]);
  });

  for (const operation of operations) {
    test(`why of ${operation.name} shows an administrator no hidden data`, async () => {
      const ask: Question['ask'] = (world, ...question) =>
        (['hamlet', 'cordelia', 'guest'] as const).map((about) =>
          whyOf(world.as('administrator'), world.users[about], ...question),
        );
      const [first, second] = await answersInBoth(operation, { viewer: 'administrator', caller: 'hamlet', ask });
      assert.deepEqual(second, first);
    });

    if (!hasDryRun(operation)) continue;
    for (const viewer of ['newcomer', 'guest'] as const) {
      test(`a dry run of ${operation.name} shows a ${viewer === 'guest' ? 'guest' : 'member'} no hidden data`, async () => {
        const ask: Question['ask'] = (world, ...call) => [dryRunOf(world.as(viewer), ...call)];
        const [first, second] = await answersInBoth(operation, { viewer, caller: viewer, ask });
        assert.deepEqual(second, first);
      });
    }
  }
});
