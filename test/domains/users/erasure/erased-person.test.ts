import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { localFiles, openChat } from '../../../../lib/index.ts';
import { migrations } from '../../../../lib/storage/migrations/index.ts';
import { SqliteStorage } from '../../../../lib/storage/sqlite/sqlite.ts';
import { everything } from '../../../storage/everything.ts';
import { places } from '../../../storage/migration-places.ts';
import { testOn } from '../../../support/engines.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { tablesWithRowsOf } from './rows-of-person.ts';
import { PLANTED, useTheRest } from './whole-life.ts';

const PASSWORD = 'nine-lives-of-a-cat';
const NAME = 'Gretchen Oxblood-Rey (QA)';
const ADDRESS = 'gretchen.oxblood@mail.example';
/** What the person wrote, by where it is stored. */
const TEXTS = {
  status: 'Feeding the axolotl',
  profile: 'Chromedome Street 77',
  note: 'Keyring behind the aquarium',
  draft: 'Resignation to the vicar',
  snippet: 'Signature with a quill',
  scheduled: 'Breakfast at dawn for badgers',
  reminder: 'Water the orchids tonight',
  alert: 'flugelhorn',
  message: 'The vault opens with marzipan',
  edited: 'The vault opens with nougat',
  direct: 'A secret about the lighthouse',
  poll: 'Votes for the pelican',
  report: 'She stole the tuba',
  bot: 'Storage of the parrot',
  file: 'ledger-of-smugglers.txt',
  bytes: 'Nine barrels under the pier',
  token: 'c0ffee5ea7ed',
  browser: 'https://push.example.com/send/ostrich',
  navigation: 'Favourite corner',
  topic: 'Muted zeppelins',
  ...PLANTED,
};
const SEARCH_WORD = 'marzipan';
/** The search index stores only the ends of words whose beginnings the word before has. */
const SEARCH_WORD_END = 'zipan';

/** Rows with the ID of an erased account, and without texts of the person. */
const TABLES_WITH_IDS = [
  ...['audit_log', 'channel_folders', 'channels', 'conversation_participants', 'custom_emoji', 'data_exports'],
  ...['email_counts', 'event_recipients', 'group_members', 'invitation_offers', 'message_flags', 'reactions'],
  ...['read_ranges', 'reports', 'sent_deliveries', 'subscription_periods', 'subscriptions', 'user_groups', 'users'],
];
/** No column refers to an account. The search of the raw database covers those with texts. */
const TABLES_OF_NOBODY = [
  ...['address_proofs', 'conversations', 'emoji_images', 'event_cursors', 'event_log', 'events', 'group_subgroups'],
  ...['imported_records', 'invitations', 'linkifiers', 'message_attachments', 'message_retention', 'migrations'],
  ...[
    'organization',
    'organization_pictures',
    'outbox',
    'playgrounds',
    'presence_updates',
    'profile_fields',
    'unfinished_fills',
    'upload_space',
  ],
];

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A chat in which the person has used every feature that stores texts. */
async function livedIn(t: TestContext, place: Awaited<ReturnType<(typeof places)[number]['make']>>) {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-files-'));
  const clock = new ManualClock();
  const mail = {
    async send() {
      throw new Error('the mail server is away');
    },
    async close() {},
  };
  const storage = place.storage(migrations);
  const chat = await openChat({
    storage,
    clock,
    logger: quiet,
    mail,
    files: localFiles(folder),
  });
  t.after(async () => {
    await chat.close();
    await place.remove();
    await rm(folder, { recursive: true });
  });
  const ada = await chat.createOrganization({ name: 'Example', owner: { email: 'a@example.com', full_name: 'Ada' } });
  const owner = chat.as(ada);
  const field = await owner.profileFields.create({ name: 'Home', field_type: 1 });
  await owner.invites.send({ invitee_emails: ADDRESS, stream_ids: [] });
  const { user_id } = await owner.users.create({ email: ADDRESS, full_name: NAME });
  // The e-mail about it waits in the outbox.
  await owner.users.setPassword({ user_id, password: PASSWORD });
  await owner.channels.create({ name: 'general', subscribers: [ada.user_id, user_id] });
  await owner.users.edit({ user_id, role: 200 });
  // If most rows of a segment are removed, the index merges it anyway.
  for (let n = 0; n < 30; n++)
    await owner.messages.send({ type: 'channel', to: 'general', topic: 'plans', content: `Item ${n} of the list` });
  const { queue_id } = await owner.register({});
  const cursor = await chat.on('event', () => undefined, { cursor: 'index' });
  await cursor.stop();
  const person = chat.as(user_id);
  await person.register({});
  await person.userStatus.set({ status_text: TEXTS.status });
  await person.profileFields.set({ data: [{ id: field.id, value: TEXTS.profile }] });
  await person.drafts.create({
    drafts: [{ type: 'stream', to: [1], topic: 'x', content: TEXTS.draft, timestamp: 1 }],
  });
  await person.savedSnippets.create({ title: 'T', content: TEXTS.snippet });
  await person.alertWords.add({ alert_words: [TEXTS.alert] });
  await person.navigationViews.add({ fragment: '#narrow/is/starred', is_pinned: true, name: TEXTS.navigation });
  await person.botStorage.set({ storage: { key: TEXTS.bot } });
  await person.push.addFcmToken({ token: TEXTS.token });
  await person.settings.edit({ timezone: 'Antarctica/Troll' });
  const channel = (content: string, more = {}) =>
    person.messages.send({ type: 'channel', to: 'general', topic: 'plans', content, ...more });
  await channel(TEXTS.message, { idempotency_key: 'once' });
  const { id: changed } = await channel(TEXTS.edited);
  await person.messages.edit({ message_id: changed, content: `${TEXTS.edited} or not` });
  await person.messages.send({ type: 'direct', to: [ada.user_id], content: TEXTS.direct });
  await person.userTopics.set({ stream_id: 1, topic: TEXTS.topic, visibility_policy: 1 });
  await person.scheduledMessages.create({
    type: 'direct',
    to: [ada.user_id],
    content: TEXTS.scheduled,
    scheduled_delivery_timestamp: Math.floor(clock.now() / 1000) + 86_400,
  });
  const poll = await owner.messages.send({ type: 'channel', to: 'general', topic: 'plans', content: '/poll Bird?' });
  await person.messages.addSubmessage({
    message_id: poll.id,
    msg_type: 'widget',
    content: JSON.stringify({ type: 'new_option', idx: 1, option: TEXTS.poll }),
  });
  await person.reminders.create({
    message_id: poll.id,
    note: TEXTS.reminder,
    scheduled_delivery_timestamp: Math.floor(clock.now() / 1000) + 86_400,
  });
  await person.messages.report({ message_id: poll.id, report_type: 'other', description: TEXTS.report });
  await owner.messages.report({ message_id: changed, report_type: 'spam' });
  const file = new File([TEXTS.bytes], TEXTS.file, { type: 'text/plain' });
  const { url } = await person.uploads.send({ file });
  const linked = await channel(`[${TEXTS.file}](${url}) of ${NAME}, ${ADDRESS}`);
  await person.uploads.send({ file: new File([`${TEXTS.bytes}, unlinked`], TEXTS.file, { type: 'text/plain' }) });
  const mention = await owner.messages.send({
    type: 'channel',
    to: 'general',
    topic: 'plans',
    content: `Ask @**${NAME}**, or @_**${NAME}|${user_id}** later. \`@**${NAME}|${user_id}**\``,
  });
  await owner.drafts.create({
    drafts: [{ type: 'stream', to: [1], topic: 'x', content: `Hello @**${NAME}**`, timestamp: 1 }],
  });
  await chat.anonymous().passwords.requestReset({ email: ADDRESS });
  await assert.rejects(chat.anonymous().fetchApiKey({ username: ADDRESS, password: 'wrong' }));
  await chat.runDue();
  await useTheRest({ chat, place, owner, user_id, password: PASSWORD });
  // Last: a notification that waits would remove the browser.
  await person.push.addBrowser({
    endpoint: TEXTS.browser,
    public_key: createECDH('prime256v1').generateKeys('base64url'),
    auth_secret: randomBytes(16).toString('base64url'),
  });
  // A single segment is not merged again without reason, and keeps the words of removed rows.
  if (storage instanceof SqliteStorage) await storage.mergeWords();
  const files = async () => {
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    return (await Promise.all(names.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')))).join('\n');
  };
  const finish = async () => {
    for (let turn = 0; turn < 3; turn++) {
      clock.advance({ minutes: 2 });
      await chat.runDue();
    }
  };
  return { chat, clock, owner, user_id, queue_id, files, finish, mention: mention.id, linked: linked.id, changed };
}

for (const { name, skip, make } of places) {
  const run = testOn({ skip });
  run(`no text of an erased person is in the database minutes later, on ${name}`, async (t: TestContext) => {
    const place = await make();
    const { owner, user_id, queue_id, files, finish, mention } = await livedIn(t, place);
    const texts = { NAME, ADDRESS, ...TEXTS };
    const before = `${await everything(place)}${await files()}`;
    assert.match(before, /Hello Gretchen/, 'an e-mail waits');
    const isIn = (stored: string) =>
      Object.entries(texts).flatMap(([what, text]) =>
        [text, text.toLowerCase(), Buffer.from(text).toString('hex')].some((form) => stored.includes(form))
          ? [what]
          : [],
      );
    // A note is stored nowhere as it was given.
    assert.deepEqual(
      isIn(before).sort(),
      Object.keys(texts)
        .filter((what) => what !== 'note')
        .sort(),
    );
    const answer = await owner.users.erase({ user_id, messages: 'delete' });
    assert.deepEqual(answer, { message_count: 4, file_count: 2, export_count: 0, bot_ids: [] });
    await finish();
    const stored = await everything(place);
    assert.deepEqual(isIn(stored), []);
    assert.ok(!stored.includes(SEARCH_WORD_END));
    assert.equal(await files(), '');
    const mentioned = `**Deleted user ${user_id}|${user_id}**`;
    const { raw_content } = await owner.messages.get({ message_id: mention });
    assert.equal(raw_content, `Ask @${mentioned}, or @_${mentioned} later. \`@${mentioned}\``);
    const { user } = await owner.users.get({ user_id });
    assert.deepEqual([user.full_name, user.is_active], [`Deleted user ${user_id}`, false]);
    const { events } = await owner.events.list({ queue_id, last_event_id: -1, dont_block: true });
    assert.ok(events.some(({ type }) => type === 'delete_message'));
  });
}

const [sqlite] = places;
const runOnSqlite = testOn({ skip: sqlite?.skip });

runOnSqlite('each table of the schema has no row of an erased person, or keeps IDs only', async (t: TestContext) => {
  const place = await (sqlite as (typeof places)[number]).make();
  const { owner, user_id, finish } = await livedIn(t, place);
  const before = await tablesWithRowsOf(place, user_id);
  // For a new table: let the person use it, in `useTheRest`.
  assert.deepEqual(before.withoutRows, ['bot_notices', 'digests']);
  assert.deepEqual(before.ofNobody, TABLES_OF_NOBODY);
  await owner.users.erase({ user_id, messages: 'delete' });
  await finish();
  // For a new table: remove its rows, in `RECORDS` of lib/storage/sql/erasure.ts.
  assert.deepEqual((await tablesWithRowsOf(place, user_id)).withRows, TABLES_WITH_IDS);
});

runOnSqlite('kept messages stay as they were, with their files, under the new name', async (t: TestContext) => {
  const place = await (sqlite as (typeof places)[number]).make();
  const { owner, user_id, files, finish, linked, changed } = await livedIn(t, place);
  const before = await owner.messages.get({ message_id: linked });
  const answer = await owner.users.erase({ user_id });
  assert.deepEqual(answer, { message_count: 4, file_count: 1, export_count: 0, bot_ids: [] });
  await finish();
  const { message } = await owner.messages.get({ message_id: linked });
  assert.equal(message.content, before.message.content);
  assert.equal(message.sender_full_name, `Deleted user ${user_id}`);
  assert.equal(await files(), TEXTS.bytes);
  const { message_history } = await owner.messages.history({ message_id: changed });
  assert.equal(message_history.length, 2);
  assert.equal((await search(owner, SEARCH_WORD.slice(0, 6))).length, 1);
});

runOnSqlite('an erasure continues in the next process', async (t: TestContext) => {
  const place = await (sqlite as (typeof places)[number]).make();
  const { chat, clock, owner, user_id } = await livedIn(t, place);
  await owner.users.erase({ user_id, messages: 'delete' });
  await chat.close();
  const next = await openChat({ storage: place.storage(migrations), clock, logger: quiet });
  t.after(() => next.close());
  for (let turn = 0; turn < 3; turn++) {
    clock.advance({ minutes: 2 });
    await next.runDue();
  }
  const stored = await everything(place);
  for (const text of [NAME, ADDRESS, TEXTS.message, SEARCH_WORD_END]) assert.ok(!stored.includes(text), text);
});

runOnSqlite(
  'an erasure keeps what waits about others, also if the name is that of a field or a word',
  async (t: TestContext) => {
    const place = await (sqlite as (typeof places)[number]).make();
    const letters: string[] = [];
    let isAway = true;
    const mail = {
      async send({ to }: { to: string }) {
        if (isAway) throw new Error('the mail server is away');
        letters.push(to);
      },
      async close() {},
    };
    const clock = new ManualClock();
    const storage = place.storage(migrations);
    const chat = await openChat({ storage, clock, logger: quiet, mail });
    t.after(async () => {
      await chat.close();
      await place.remove();
    });
    const ada = await chat.createOrganization({ name: 'Example', owner: { email: 'a@example.com', full_name: 'Ada' } });
    const owner = chat.as(ada);
    // The last one is a word of the e-mail to Ben.
    const names = ['to', 'id', 'user_id', 'subject', 'password'];
    const ben = await owner.users.create({ email: 'ben@example.com', full_name: 'Ben' });
    const erased = [];
    for (const name of names)
      erased.push((await owner.users.create({ email: `${name}@mail.example`, full_name: name })).user_id);
    await owner.channels.create({ name: 'general', subscribers: [ada.user_id] });
    const message = { type: 'channel', to: 'general', topic: 'x', content: 'Once', idempotency_key: 'once' } as const;
    const sent = await owner.messages.send(message);
    await owner.invites.send({ invitee_emails: 'guest@example.com', stream_ids: [] });
    await owner.users.setPassword({ user_id: ben.user_id, password: 'nine-lives-of-a-cat' });
    for (const user_id of erased) await owner.users.erase({ user_id });
    await chat.runDue();
    isAway = false;
    clock.advance({ minutes: 10 });
    await chat.runDue();
    for (const address of ['guest@example.com', 'ben@example.com']) assert.ok(letters.includes(address), address);
    assert.deepEqual(await owner.messages.send(message), sent);
  },
);

runOnSqlite('anonymized messages have no name, address, file and earlier text', async (t: TestContext) => {
  const place = await (sqlite as (typeof places)[number]).make();
  const { owner, user_id, queue_id, files, finish, linked, changed } = await livedIn(t, place);
  await owner.users.erase({ user_id, messages: 'anonymize' });
  await finish();
  const { raw_content, message } = await owner.messages.get({ message_id: linked });
  assert.equal(raw_content, `(deleted file) of Deleted user ${user_id}, erased-${user_id}@users.invalid`);
  assert.ok(!('last_edit_timestamp' in message), 'the message does not count as edited');
  assert.equal((await owner.messages.get({ message_id: changed })).raw_content, `${TEXTS.edited} or not`);
  const { message_history } = await owner.messages.history({ message_id: changed });
  assert.deepEqual(
    message_history.map(({ content }) => content),
    ['', `${TEXTS.edited} or not`],
  );
  assert.equal(await files(), '');
  const stored = await everything(place);
  for (const text of [NAME, ADDRESS, TEXTS.file]) assert.ok(!stored.includes(text), text);
  // A word that another message has stays known, and a new word is known again.
  assert.equal((await search(owner, 'marzip')).length, 1);
  assert.equal((await search(owner, 'oxblo')).length, 0);
  await owner.messages.send({ type: 'channel', to: 'general', topic: 'plans', content: 'Oxblood is a colour' });
  assert.equal((await search(owner, 'oxblo')).length, 1);
  const { events } = await owner.events.list({ queue_id, last_event_id: -1, dont_block: true });
  const updates = events.filter(({ type }) => type === 'update_message') as unknown as {
    message_id: number;
    rendering_only: boolean;
  }[];
  assert.ok(updates.some(({ message_id, rendering_only }) => message_id === linked && rendering_only));
});

async function search(owner: Awaited<ReturnType<typeof livedIn>>['owner'], operand: string) {
  const narrow = [{ operator: 'search', operand }];
  return (await owner.messages.list({ narrow, anchor: 'newest', num_before: 10, num_after: 0 })).messages;
}
