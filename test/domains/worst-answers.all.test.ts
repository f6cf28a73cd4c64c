import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { type Person, testChat } from '../../lib/testing/testing.ts';
import { MB, STATED } from './stated-answers.ts';

const PEOPLE = 10_000;
/** Each character takes six bytes in JSON. If it is refused, a quotation mark takes two. */
const hard = (length: number) => '\u0001'.repeat(length);
const quotes = (length: number) => '"'.repeat(length);
/** A different text of the maximum length for each number. */
const unlike = (at: number, length: number, sign = '"') => `${at}`.padEnd(length, sign);

interface Growing {
  /** Maximum number of records, and the reason. */
  limit: number;
  because: string;
  /** Records created before each of two measurements. The total follows from the growth between them. */
  step: number;
  /** Creates records, each of the maximum size. */
  add(from: number, to: number): Promise<unknown>;
  /** Operations that return the records. `register` is always measured too. */
  list: Readonly<Record<string, () => Promise<object>>>;
  /** Maximum response size in bytes. */
  most: Readonly<Record<string, number>>;
}

/** The parts of a schema that this file uses. */
interface Part {
  type: string;
  entries?: Record<string, Part>;
  wrapped?: Part;
  options?: readonly Part[];
}

const LISTS = new Set(['array', 'record', 'loose_object', 'unknown', 'any']);

function hasLists({ type, entries = {}, wrapped, options = [] }: Part): boolean {
  return LISTS.has(type) || [...Object.values(entries), ...(wrapped ? [wrapped] : []), ...options].some(hasLists);
}

let made: Awaited<ReturnType<typeof testChat>>;
let ada: Person;
let people: number[];

const each = async (from: number, to: number, make: (at: number) => Promise<unknown>) => {
  for (let at = from; at < to; at++) await make(at);
};
/** A permission with the maximum number of users. */
const named = () => ({ direct_members: people.slice(0, 200), direct_subgroups: [] });
const ofChannel = ['can_add_subscribers_group', 'can_administer_channel_group', 'can_send_message_group'] as const;
const permissions = <const N extends string>(names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, named()])) as Record<N, ReturnType<typeof named>>;

const GROWING: Readonly<Record<string, Growing>> = {
  drafts: {
    limit: 1_000,
    because: 'a million characters of an account, 1,000 drafts',
    step: 50,
    add: (from, to) =>
      ada.drafts.create({
        drafts: Array.from({ length: to - from }, () => ({ type: '', to: [], topic: '', content: hard(1_000) })),
      }),
    list: { 'drafts.list': () => ada.drafts.list() },
    most: { 'drafts.list': 7 * MB, register: 7 * MB },
  },
  'saved snippets': {
    limit: 100,
    because: 'a million characters of an account',
    step: 5,
    add: (from, to) => each(from, to, (at) => ada.savedSnippets.create({ title: `${at}`, content: `x${hard(9_989)}` })),
    list: { 'savedSnippets.list': () => ada.savedSnippets.list() },
    most: { 'savedSnippets.list': 7 * MB, register: 7 * MB },
  },
  'stored texts': {
    limit: 16,
    because: 'ten million bytes of an account',
    step: 4,
    add: (from, to) => each(from, to, (at) => ada.botStorage.set({ storage: { [at]: hard(99_990) } })),
    list: { 'botStorage.get': () => ada.botStorage.get() },
    most: { 'botStorage.get': 10 * MB, register: 0 },
  },
  'scheduled messages': {
    limit: 200,
    because: 'four million characters of an account, as HTML counted too',
    step: 5,
    add: (from, to) =>
      each(from, to, () =>
        ada.scheduledMessages.create({
          type: 'direct',
          to: [ada.user_id],
          content: `x${hard(9_990)}x`,
          scheduled_delivery_timestamp: made.clock.now() / 1000 + 9_000,
        }),
      ),
    list: { 'scheduledMessages.list': () => ada.scheduledMessages.list() },
    most: { 'scheduledMessages.list': 25 * MB, register: 25 * MB },
  },
  'navigation views': {
    limit: 200,
    because: '200 of an account',
    step: 20,
    add: (from, to) =>
      each(from, to, (at) =>
        ada.navigationViews.add({ fragment: unlike(at, 990, '%'), is_pinned: true, name: unlike(at, 100) }),
      ),
    list: { 'navigationViews.list': () => ada.navigationViews.list() },
    most: { 'navigationViews.list': 1 * MB, register: 1 * MB },
  },
  'alert words': {
    limit: 500,
    because: '500 of an account',
    step: 50,
    add: (from, to) =>
      ada.alertWords.add({ alert_words: Array.from({ length: to - from }, (_, at) => unlike(from + at, 100)) }),
    list: { 'alertWords.list': () => ada.alertWords.list() },
    most: { 'alertWords.list': 0.2 * MB, register: 0.2 * MB },
  },
  linkifiers: {
    limit: 100,
    because: '100 of an organization',
    step: 10,
    add: (from, to) =>
      each(from, to, (at) =>
        ada.linkifiers.create({
          pattern: `${unlike(at, 480, '"')}(?P<id>[0-9]+)`,
          url_template: `https://example.com/{id}/${'x'.repeat(970)}`,
        }),
      ),
    list: { 'linkifiers.list': () => ada.linkifiers.list() },
    most: { 'linkifiers.list': 1 * MB, register: 1 * MB },
  },
  playgrounds: {
    limit: 200,
    because: '200 of an organization',
    step: 10,
    add: (from, to) =>
      each(from, to, (at) =>
        ada.playgrounds.create({
          name: unlike(at, 100),
          pygments_language: 'Rust',
          url_template: `https://example.com/${'x'.repeat(970)}?c={code}`,
        }),
      ),
    list: { 'playgrounds.list': () => ada.playgrounds.list() },
    most: { 'playgrounds.list': 1 * MB, register: 1 * MB },
  },
  'profile fields': {
    limit: 100,
    because: '100 of an organization, 200 options each',
    step: 5,
    add: (from, to) =>
      each(from, to, (at) => {
        const options = Array.from({ length: 200 }, (_, n) => [unlike(n, 100), { text: hard(97) + n, order: `${n}` }]);
        const field_data = Object.fromEntries(options);
        return ada.profileFields.create({ name: `field ${at}`, hint: quotes(80), field_type: 3, field_data });
      }),
    list: { 'profileFields.list': () => ada.profileFields.list() },
    most: { 'profileFields.list': 25 * MB, register: 25 * MB },
  },
  'channel folders': {
    limit: 5_000,
    because: '5,000 of an organization',
    step: 20,
    add: (from, to) =>
      each(from, to, (at) => ada.channelFolders.create({ name: `folder ${at}`, description: quotes(1_024) })),
    list: { 'channelFolders.list': () => ada.channelFolders.list() },
    most: { 'channelFolders.list': 50 * MB, register: 50 * MB },
  },
  'topic policies': {
    limit: 50_000,
    because: '50,000 of an account, which may be topics with messages as well',
    step: 50,
    add: (from, to) =>
      each(from, to, async (at) => {
        const topic = unlike(at, 60);
        await ada.messages.send({ type: 'channel', to: 'general', topic, content: 'x' });
        await ada.userTopics.set({ stream_id: made.channels.general as number, topic, visibility_policy: 3 });
      }),
    list: {
      'userTopics.list': () => ada.userTopics.list(),
      'topics.list': () => ada.topics.list({ stream_id: made.channels.general as number }),
    },
    most: { 'userTopics.list': 15 * MB, 'topics.list': 12 * MB, register: 20 * MB },
  },
  accounts: {
    limit: PEOPLE,
    because: `${PEOPLE} people (there is no limit), 10,000 characters of profile each`,
    step: 10,
    async add(from, to) {
      for (const user_id of people.slice(from, to)) {
        const { id } = (await ada.profileFields.list()).custom_fields.find(({ type }) => type === 2) ?? { id: 0 };
        await ada.users.edit({ user_id, profile_data: [{ id, value: ':cat:'.repeat(100) }] });
      }
    },
    list: { 'users.list': () => ada.users.list({ include_custom_profile_fields: true }) },
    most: { 'users.list': 110 * MB, register: 110 * MB },
  },
  bots: {
    limit: 500,
    because: '500 of an owner',
    step: 10,
    add: (from, to) =>
      each(from, to, (at) => ada.bots.create({ full_name: unlike(at, 99, 'x'), short_name: `b${at}` })),
    list: { 'bots.list': () => ada.bots.list() },
    most: { 'bots.list': 0.5 * MB, register: 1 * MB },
  },
  'channels with short descriptions': {
    limit: 20_000,
    because: '20,000 of an organization',
    step: 50,
    add: (from, to) => each(from, to, (at) => ada.channels.create({ name: `few ${at}`, subscribers: [ada.user_id] })),
    list: { 'channels.list': () => ada.channels.list(), 'subscriptions.list': () => ada.subscriptions.list() },
    most: { 'channels.list': 25 * MB, 'subscriptions.list': 30 * MB, register: 60 * MB },
  },
  'channels with long descriptions': {
    limit: 1_000,
    because: 'ten million bytes of names, descriptions, as HTML too, and permissions',
    step: 20,
    add: (from, to) =>
      each(from, to, (at) =>
        ada.channels.create({
          name: `much ${at}`,
          description: quotes(1_024),
          subscribers: [ada.user_id],
          ...permissions(ofChannel),
        }),
      ),
    list: { 'channels.list': () => ada.channels.list(), 'subscriptions.list': () => ada.subscriptions.list() },
    most: { 'channels.list': 15 * MB, 'subscriptions.list': 15 * MB, register: 30 * MB },
  },
  'user groups': {
    limit: 5_000,
    because: '5,000 of an organization, 500,000 memberships, 200 named by a permission',
    step: 20,
    add: (from, to) =>
      each(from, to, (at) =>
        ada.userGroups.create({
          name: `group ${at}`,
          description: hard(1_023),
          members: people.slice(0, 100),
          ...permissions(['can_add_members_group', 'can_join_group', 'can_leave_group', 'can_manage_group']),
          ...permissions(['can_mention_group', 'can_remove_members_group']),
        }),
      ),
    list: { 'userGroups.list': () => ada.userGroups.list() },
    most: { 'userGroups.list': 80 * MB, register: 80 * MB },
  },
  invitations: {
    limit: 20_000,
    because: '20,000 of an organization',
    step: 50,
    add: (from, to) =>
      ada.invites.send({
        invitee_emails: Array.from(
          { length: to - from },
          (_, at) => `${unlike(from + at, 60, 'x')}@example.org`,
        ).join(),
        stream_ids: [],
      }),
    list: { 'invites.list': () => ada.invites.list() },
    most: { 'invites.list': 15 * MB, register: 0 },
  },
  messages: {
    limit: 1_000,
    because: 'ten million characters in one answer',
    step: 20,
    add: (from, to) =>
      each(from, to, () =>
        ada.messages.send({ type: 'channel', to: 'general', topic: 'x', content: `x${hard(9_990)}x` }),
      ),
    list: {
      'messages.list': () => ada.messages.list({ anchor: 'newest', num_before: 5_000, apply_markdown: false }),
    },
    most: { 'messages.list': 70 * MB, register: 1 * MB },
  },
};

describe('the largest possible responses', () => {
  before(async () => {
    made = await testChat();
    ada = made.people.ada as Person;

    const batch = Array.from({ length: 1_000 }, (_, at) => ({ email: `p${at}@example.com`, full_name: 'Person' }));
    people = (await ada.users.createMany({ people: batch })).people.map(({ user_id }) => user_id as number);
    await ada.organization.edit({ max_invites: 10_000 });
    await ada.profileFields.create({ name: 'long', field_type: 2 });
  });
  after(() => made.close());

  const measured = new Set(['register', ...Object.values(GROWING).flatMap(({ list }) => Object.keys(list))]);
  for (const operation of catalogue as readonly Operation[]) {
    if (!hasLists(operation.result as unknown as Part)) continue;
    test(`the size limit of responses of ${operation.name} is in a table of this file`, () => {
      assert.ok(measured.has(operation.name) || STATED[operation.name], 'add it to one of the tables of this file');
    });
  }

  for (const [what, { limit, because, step, add, list, most }] of Object.entries(GROWING)) {
    test(`responses stay below their limit with the most ${what}: ${because}`, async () => {
      const calls = {
        ...list,
        register: () => ada.register({ client_capabilities: { linkifier_url_template: true } }),
      };
      await add(0, step);
      const few = await sizesOf(calls);
      await add(step, 2 * step);
      const more = await sizesOf(calls);
      for (const name of Object.keys(calls)) {
        const growth = ((more.get(name) as number) - (few.get(name) as number)) / step;
        const worst = growth * limit;
        assert.ok(growth > 0 || most[name] === 0, `${name} does not return it`);
        assert.ok(worst <= (most[name] ?? 0) + 1, `${name}: ${Math.round(worst)} bytes, ${growth} for each`);
      }
    });
  }

  test('a large response of register uses at most four times its size as memory', async () => {
    const inUse = heapInUse();
    const answer = await ada.register();
    const held = heapInUse() - inUse;
    const bytes = Buffer.byteLength(JSON.stringify(answer));
    assert.ok(bytes > 3 * MB && held < 4 * bytes + 8 * MB, `${held} for ${bytes}`);
  });
});

/** Bytes of the heap in use. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

/** Response size in bytes of each call. */
async function sizesOf(calls: Readonly<Record<string, () => Promise<object>>>): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const [name, call] of Object.entries(calls)) sizes.set(name, Buffer.byteLength(JSON.stringify(await call())));
  return sizes;
}
