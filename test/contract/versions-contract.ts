import assert from 'node:assert/strict';
import type { Organization, Versions } from '../../lib/model/organization.ts';
import type { User } from '../../lib/model/users.ts';
import type { Conversation } from '../../lib/storage/interface/conversations.ts';
import type { PushRegistrationRef } from '../../lib/storage/interface/push.ts';
import type { Storage, Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { auditEntry } from './audit-contract.ts';
import {
  createChannel,
  createUsers,
  draft,
  newChannel,
  newGroup,
  newQueue,
  newUser,
  openFounded,
  send,
  subscribe,
  unsubscribe,
} from './fixtures.ts';

/**
 * Caches by what they contain: accounts, the organization, and the data of channels, readers and phones that sending
 * needs.
 */
type Kept = 'channels' | 'users' | 'organization' | 'readers' | 'push';

const VERSIONS: Readonly<Record<Kept, keyof Versions>> = {
  channels: 'channels_version',
  users: 'users_version',
  organization: 'version',
  readers: 'readers_version',
  push: 'push_version',
};

/** Fixture with at least one record of each kind. */
interface Things {
  Ada: User;
  Bob: User;
  one: number;
  two: number;
  alpha: Conversation;
  beta: Conversation;
  /** The messages of the topic alpha, and the one of beta. */
  first: number;
  second: number;
  third: number;
  linkifiers: number[];
  emoji: number;
  playground: number;
  profileFields: number[];
  folder: number;
  group: number;
  subgroup: number;
  outbox: number;
  invitation: number;
  /** The phone of Bob. The relay knows it as 2. */
  phone: PushRegistrationRef;
}

/** A call of a method that writes, and the cache that it makes stale. */
interface Write {
  changes?: Kept;
  call(tx: Transaction, things: Things): Promise<unknown>;
}

/** Methods that store nothing. */
const READS: Readonly<Record<keyof Transaction, readonly string[]>> = {
  organization: ['get', 'versions'],
  linkifiers: ['all'],
  playgrounds: ['all'],
  profileFields: ['all'],
  avatars: ['image'],
  users: [
    'bots',
    'joinedBetween',
    'withEmailVisibility',
    'withNamesLike',
    ...['byId', 'byIds', 'ofMessages', 'byEmail', 'byEmails', 'byNames', 'changedSince', 'changedAmong'],
    ...['byExternalIds', 'mirrored', 'mirrorsOf', 'countActive', 'botsOwnedBy', 'activeIds', 'inactiveIds'],
  ],
  groups: [
    ...[
      'all',
      'byIds',
      'heads',
      'headsByExternalIds',
      'headsByNames',
      'headsWithSettings',
      'headsNaming',
      'directMemberships',
    ],
    ...['mirrored', 'nestings', 'containing', 'inside', 'around', 'holders', 'count'],
  ],
  channels: [
    ...['byId', 'withSubscription', 'byIds', 'ofMessages', 'byNames', 'active', 'all', 'withSettings', 'folders'],
    ...['byExternalIds', 'mirrored', 'defaults', 'hasAnyInFolder', 'naming', 'weight'],
  ],
  subscriptions: [
    'ofUser',
    'formerOf',
    'namesLeft',
    'formerOfChannels',
    'byChannel',
    'get',
    'pairs',
    'allSubscriberIds',
    'subscriberIds',
    'subscribersUpTo',
    'periodsBetween',
  ],
  idempotency: ['get', 'count', 'oldest'],
  imports: ['idsOf', 'newestInChannels', 'newestBetween'],
  passwordResets: ['byToken', 'mailedSince'],
  signInNetworks: ['isKnown'],
  secondFactors: ['of', 'holders'],
  externalLogins: ['holder', 'has'],
  presences: ['of', 'changedSince'],
  guestVisibility: ['visibleTo', 'between'],
  invitations: ['byId', 'byKeyHash', 'pending', 'pendingFor', 'countPending', 'nextReminder', 'sentSince', 'oldestEnd'],
  emailVerifications: ['byKeyHash', 'mailedSince', 'oldest'],
  userStatuses: ['all', 'of'],
  mutedUsers: ['of', 'mutersOf', 'mutedUntil', 'blocksAmong', 'blocksOf'],
  alertWords: ['of', 'openingWith'],
  botStorage: ['of', 'sizes'],
  conversations: [...['topic', 'direct', 'byIds', 'topicsOf', 'newestMessages'], ...['voices', 'bounds', 'directsOf']],
  userTopics: ['inChannels', 'ofUser', 'get', 'count', 'ofTopics', 'ofTopic', 'standing', 'wantingResolveNotices'],
  messages: [
    ...['byId', 'byIds', 'sizes', 'maxId', 'maxReceivedId', 'lookUp', 'fetchIds', 'fetchMeasured'],
    ...['received', 'notReceived', 'formerReceivers', 'countSince', 'countAttached'],
  ],
  scheduledMessages: ['of', 'size', 'byId', 'nextDue'],
  reminders: ['of', 'size', 'byId', 'nextDue'],
  readState: [
    ...['flagsOf', 'unread', 'unreadConversations', 'unreadFrom', 'unreadInChannels', 'markedInChannels'],
    ...['conversationsLeft', 'unreadLeft', 'markedAmong', 'readersOf', 'isAllRead'],
  ],
  retention: ['due', 'channelDays', 'firstSince', 'expired'],
  flags: ['messagesWith', 'holders', 'outsiders'],
  edits: ['ofMessages', 'messagesMoved'],
  erasure: ['countOf', 'files', 'newest', 'mentioning', 'messagesOf', 'unusedWords'],
  reactions: ['of'],
  submessages: ['of', 'summary'],
  drafts: ['of', 'get', 'size'],
  savedSnippets: ['of', 'get', 'size'],
  navigationViews: ['of'],
  customEmoji: ['all', 'byId', 'byName', 'count', 'image'],
  organizationPictures: ['image'],
  resumableUploads: ['countOf', 'sizeOf', 'space'],
  uploads: [
    ...['byId', 'newest', 'byKey', 'byKeys', 'ofOwner', 'spaceUsed', 'claimedBy', 'newestClaims', 'claimingMessages'],
    ...['isWebPublic', 'nextCollection', 'toCollect', 'wanted'],
  ],
  pushDevices: ['of', 'count', 'byId', 'byAccount', 'someOwners', 'active'],
  pushTokens: ['of', 'ofAll'],
  pushBrowsers: ['ofAll', 'byId'],
  pushNotices: ['count', 'standing', 'nextDue'],
  emailNotices: [
    ...['choosers', 'concerned', 'candidates', 'nextDue', 'standing', 'bouncesOf', 'lastDigest'],
    'digestReaders',
  ],
  events: ['tail', 'extent', 'forUser', 'since', 'ofType', 'oldest', 'trimmedTo'],
  queues: ['byId', 'count', 'nextExpiry', 'oldestNeeded'],
  eventCursors: ['all', 'byName', 'oldestNeeded'],
  outbox: ['figures', 'waiting', 'nextDue', 'givenUp', 'oldestGivenUp'],
  audit: ['list'],
  reports: ['list', 'byId', 'hasOpen', 'countSince'],
  dataExports: ['list', 'byId', 'byFileKey', 'countSince', 'withFile'],
  linkPreviews: ['byKeys', 'claimedSince', 'nextExpiry'],
};

const nothing = (...calls: Write['call'][]): readonly Write[] => calls.map((call) => ({ call }));
const changing = (changes: Kept, ...calls: Write['call'][]): readonly Write[] =>
  calls.map((call) => ({ changes, call }));

const pair = (user: User, channel_id: number) => ({ user_id: user.id, channel_id, color: '#76ce90' });
const noStatus = ({ id: user_id }: User) => ({
  user_id,
  status_text: '',
  emoji_name: '',
  emoji_code: '',
  reaction_type: 'unicode_emoji',
});
const passwordReset = ({ id: user_id }: User) => ({
  token_hash: 'hash',
  user_id,
  account_state: 'state',
  created_ms: 1,
  is_mailed: true,
  new_email: null,
});
const secondFactorOf = ({ id: user_id }: User) => ({
  user_id,
  salt: 'salt',
  is_on: true,
  begun_ms: 0,
  last_step: 1,
  recovery_digests: ['a'],
  wrong_codes: 0,
  wrong_ms: 0,
});
const addressProof = {
  key_hash: 'hash',
  invitation_id: 1,
  email: 'ada@example.com',
  created_ms: 1,
  is_mailed: true,
  is_used: false,
};
const linkifier = (name: string) => ({ pattern: `${name}-(?P<id>[0-9]+)`, url_template: `https://${name}/{id}` });
const profileField = (name: string) => ({
  type: 1 as const,
  name,
  hint: '',
  field_data: '',
  display_in_profile_summary: false,
  required: false,
  editable_by_user: true,
});
const offer = ({ id }: User) => ({
  invited_by_user_id: id,
  invited_as: 400 as const,
  stream_ids: [],
  group_ids: [],
  include_realm_default_subscriptions: true,
  notify_referrer_on_join: true,
  welcome_message_custom_text: null,
  created_ms: 1,
  expires_ms: null,
  seed: 'seed',
});
const invited = (name: string) => ({
  email: `${name}@example.com`,
  email_state: 'waiting' as const,
});
const userTopic = (channel_id: number) => ({ channel_id, topic: 'x', visibility_policy: 1 as const, last_updated: 1 });
const reaction = (things: Things) => ({
  message_id: things.first,
  user_id: things.Ada.id,
  reaction_type: 'unicode_emoji' as const,
  emoji_code: '1f419',
  emoji_name: 'octopus',
});
const begun = { type: '' as const, to: [], topic: '', content: 'x', timestamp: 1 };
const snippet = { title: 'x', content: 'y', date_created: 1 };
const sameMessage = ({ id }: User) => ({
  sender_id: id,
  content: 'x',
  rendered_content: '<p>x</p>',
  timestamp: 1,
  client: 'test',
  is_me_message: false,
  read_by_sender: true,
});
const edit = ({ first, alpha }: Things) => ({
  message_id: first,
  conversation_id: alpha.id,
  prev_conversation_id: alpha.id,
  up_to_message_id: null,
  part_of: null,
  editor_id: null,
  timestamp: 1,
  prev_content: 'hello',
  prev_rendered_content: '<p>hello</p>',
  prev_topic: null,
  topic: null,
  prev_channel_id: null,
  channel_id: null,
});

const scheduledMessage = ({ id }: User) => ({
  sender_id: id,
  channel_id: null,
  recipient_ids: [id],
  topic: '',
  content: 'x',
  rendered_content: '<p>x</p>',
  client: 'test',
  read_by_sender: false,
  scheduled_delivery_timestamp: 5,
});
const upload = ({ id }: User) => ({
  owner_id: id,
  file_key: '1/a/abcdefghijklmnopqrstuvwx',
  file_name: 'x.txt',
  name: 'x.txt',
  content_type: 'text/plain',
  created_ms: 1,
  collect_ms: 2,
});
const completeUpload = async (tx: Transaction, owner: User): Promise<number> => {
  const id = await tx.uploads.create(upload(owner));
  await tx.uploads.complete(id, { size: 3, width: null, height: null, frames: null, collect_ms: 4 });
  return id;
};
const newPhone = ({ id: user_id }: User) => ({
  user_id,
  push_account_id: 7,
  token_kind: 'fcm' as const,
  push_public_key: 'key',
});
const registerPhone = async (tx: Transaction, user: User) => {
  const registration = await tx.pushDevices.register(newPhone(user));
  if (!registration) throw new Error('the device is already registered');
  return registration;
};
const token = ({ id: user_id }: User) => ({ user_id, kind: 'apns' as const, token: 'c0ffee', ios_app_id: 'app' });
const reminder = ({ id }: User) => ({
  user_id: id,
  message_id: 1,
  note: '',
  content: 'x',
  rendered_content: '<p>x</p>',
  scheduled_delivery_timestamp: 5,
});

const repeatable = ({ id: user_id }: User) => ({
  ...{ user_id, operation: 'messages.send', key: 'a', digest: 'd', answer: '{}' },
  created_ms: 5,
});

const report = ({ id }: User) => ({
  ...{ message_id: 1, sender_id: id, reporter_id: id, report_type: 'spam', description: '', content: 'x' },
  timestamp: 1,
});
const dataExport = ({ id }: User) => ({ acting_user_id: id, export_type: 1, created_ms: 1 });
/** Ada, who is erased in tests of the erasure. */
const person = ({ id, full_name, delivery_email }: User) => ({ id, name: full_name, address: delivery_email });
const CLAIMED = { account_id: 1, now: 1, untilMs: 5 };
const resolution = { resolved_timestamp: 2, resolver_id: null, outcome: 'x' };

const browser = ({ id }: User) => ({
  ...{ user_id: id, endpoint: `https://push.example.com/${id}`, public_key: 'p', auth_secret: 'a', credentials: 'c' },
  ...{ login_id: 'login', rooms: null, ends_ms: 9 },
});

const mailed = { id: 1, conversation_id: 1 };
const waiting = ({ id }: User) => ({ user_id: id, group_id: null, due_ms: 9 });

/** All other methods. Each call has something to change. */
const WRITES: Readonly<Record<keyof Transaction, Readonly<Record<string, readonly Write[]>>>> = {
  erasure: {
    // The phones of Bob would also raise the version of push.
    removeRecords: changing('readers', (tx, { Ada }) => tx.erasure.removeRecords(Ada.id)),
    removeAddress: nothing((tx, { Ada }) => tx.erasure.removeAddress(Ada.delivery_email, 'x@users.invalid', 9)),
    removeCopies: nothing((tx, { Ada }) => tx.erasure.removeCopies(person(Ada))),
    removeNetworks: nothing(async (tx, { Ada }) => {
      await tx.audit.add([auditEntry({ user_id: Ada.id, network: '192.0.2.1' })]);
      await tx.erasure.removeNetworks(Ada.id, 10);
    }),
    emptyReports: nothing(async (tx, { Ada }) => {
      await tx.reports.create(report(Ada));
      await tx.erasure.emptyReports(Ada.id, { texts: true });
    }),
    rewrite: nothing((tx, { first }) => tx.erasure.rewrite('messages', { id: first, text: 'x', html: '<p>x</p>' })),
    removeEarlierTexts: nothing((tx, { first }) => tx.erasure.removeEarlierTexts([first])),
    removeSubmessages: nothing((tx, { Ada }) => tx.erasure.removeSubmessages(Ada.id, 10)),
    // Raises the version of the accounts, because processes also compare it for the words that they remember.
    removeWords: [],
  },
  pushDevices: {
    // A device gets no notifications before the relay knows it.
    register: nothing((tx, { Ada }) => tx.pushDevices.register(newPhone(Ada))),
    activate: changing('push', async (tx, { Ada }) => tx.pushDevices.activate(await registerPhone(tx, Ada), 3)),
    fail: [
      ...nothing(async (tx, { Ada }) => tx.pushDevices.fail(await registerPhone(tx, Ada), 'REQUEST_EXPIRED')),
      ...changing('push', (tx, { phone }) => tx.pushDevices.fail(phone, 'INVALID_PUSH_KEY')),
    ],
    failAll: changing('push', (tx, { Bob }) => tx.pushDevices.failAll(Bob.id, 'API_KEY_REPLACED')),
    removeRelayed: changing('push', (tx) => tx.pushDevices.removeRelayed([2])),
  },
  pushTokens: {
    add: [
      ...changing('push', (tx, { Ada }) => tx.pushTokens.add(token(Ada))),
      // Changes only the app of a stored token.
      ...nothing((tx, { Bob }) => tx.pushTokens.add({ ...token(Bob), ios_app_id: 'other' })),
    ],
    remove: [
      ...changing('push', (tx, { Bob }) => tx.pushTokens.remove(Bob.id, 'apns', ['c0ffee', 'x'])),
      ...nothing((tx, { Bob }) => tx.pushTokens.remove(Bob.id, 'fcm', ['c0ffee'])),
    ],
    removeOf: [
      ...changing('push', (tx, { Bob }) => tx.pushTokens.removeOf(Bob.id)),
      ...nothing((tx, { Ada }) => tx.pushTokens.removeOf(Ada.id)),
    ],
  },
  pushBrowsers: {
    add: changing('push', (tx, { Ada }) => tx.pushBrowsers.add(browser(Ada), 9)),
    remove: [
      ...changing('push', (tx, { Bob }) => tx.pushBrowsers.remove(Bob.id, browser(Bob).endpoint)),
      ...nothing((tx, { Ada, Bob }) => tx.pushBrowsers.remove(Ada.id, browser(Bob).endpoint)),
    ],
    removeById: changing('push', async (tx, { Bob }) => {
      const [added] = await tx.pushBrowsers.ofAll([Bob.id]);
      await tx.pushBrowsers.removeById(added?.id as number);
    }),
    removeOfLogins: changing('push', (tx, { Bob }) => tx.pushBrowsers.removeOfLogins(Bob.id, ['login'])),
    removeAll: changing('push', (tx) => tx.pushBrowsers.removeAll()),
  },
  pushNotices: {
    add: nothing((tx, { Ada, first }) => tx.pushNotices.add(first, [Ada.id], 9)),
    withdraw: nothing(async (tx, { Ada, first }) => {
      await tx.pushNotices.add(first, [Ada.id], 9);
      await tx.pushNotices.withdraw(Ada.id, [first], 5);
    }),
    withdrawMessages: nothing(async (tx, { Ada, first }) => {
      await tx.pushNotices.add(first, [Ada.id], 9);
      await tx.pushNotices.withdrawMessages([first], 5);
    }),
    takeDue: nothing(async (tx, { Ada, first }) => {
      await tx.pushNotices.add(first, [Ada.id], 9);
      await tx.pushNotices.takeDue(9, 10);
    }),
  },
  emailNotices: {
    add: nothing((tx, { Ada }) => tx.emailNotices.add(mailed, [waiting(Ada)])),
    takeDue: nothing(async (tx, { Ada }) => {
      await tx.emailNotices.add(mailed, [waiting(Ada)]);
      await tx.emailNotices.takeDue(9, 10);
    }),
    count: nothing((tx, { Ada }) =>
      tx.emailNotices.count([{ user_id: Ada.id, is_sender: true, emails: 1 }], { nowMs: 9, startedAfterMs: 0 }),
    ),
    postpone: nothing((tx, { Ada }) =>
      tx.emailNotices.postpone([
        {
          ...{ user_id: Ada.id, conversation_id: 1, messages: 1, sender_ids: [], due_ms: 9 },
          notices: [{ message_id: 1, group_id: null }],
        },
      ]),
    ),
    setDigest: nothing((tx) => tx.emailNotices.setDigest({ due_ms: 9, after_user_id: null })),
    noteBounce: nothing((tx, { Ada }) =>
      tx.emailNotices.noteBounce({ user_id: Ada.id, address: 'ada@example.org', bounced_ms: 9 }, 0),
    ),
  },
  organization: {
    // Refused if an organization exists. The caches start with it.
    create: [],
    update: changing(
      'organization',
      (tx) => tx.organization.update({ name: 'Other' }),
      (tx) => tx.organization.update({ settings: { waiting_period_threshold: 3 } }),
    ),
  },
  linkifiers: {
    create: changing('organization', (tx) => tx.linkifiers.create(linkifier('new'))),
    update: changing('organization', (tx, { linkifiers }) =>
      tx.linkifiers.update({ id: linkifiers[0] as number, ...linkifier('other') }),
    ),
    remove: changing('organization', (tx, { linkifiers }) => tx.linkifiers.remove(linkifiers[0] as number)),
    reorder: changing('organization', (tx, { linkifiers }) => tx.linkifiers.reorder(linkifiers.toReversed())),
  },
  playgrounds: {
    create: nothing((tx) =>
      tx.playgrounds.create({ name: 'New', pygments_language: 'C', url_template: 'https://c/{code}' }),
    ),
    remove: nothing((tx, { playground }) => tx.playgrounds.remove(playground)),
  },
  profileFields: {
    create: changing('organization', (tx) => tx.profileFields.create(profileField('new'))),
    update: changing('organization', (tx, { profileFields }) =>
      tx.profileFields.update({ id: profileFields[0] as number, ...profileField('other') }),
    ),
    remove: changing('organization', (tx, { profileFields }) => tx.profileFields.remove(profileFields[0] as number)),
    reorder: changing('organization', (tx, { profileFields }) => tx.profileFields.reorder(profileFields.toReversed())),
  },
  avatars: {
    replace: nothing((tx, { Ada }) => tx.avatars.replace(Ada.id, [{ file_name: 'a.png', bytes: new Uint8Array([1]) }])),
  },
  users: {
    create: changing('users', (tx) => tx.users.create(newUser('Cyd'))),
    createMany: changing('users', (tx) => tx.users.createMany([newUser('Cyd'), newUser('Dee')])),
    update: changing(
      'users',
      (tx, { Ada }) => tx.users.update(Ada.id, { role: 600 }),
      (tx, { Ada }) => tx.users.update(Ada.id, { delivery_email: 'other@example.org' }),
      (tx, { Ada }) => tx.users.update(Ada.id, { key_generation: 1 }),
      (tx, { Ada }) => tx.users.update(Ada.id, { is_active: false }),
      (tx, { Ada }) => tx.users.update(Ada.id, { settings: { twenty_four_hour_time: true } }),
      (tx, { Ada }) => tx.users.update(Ada.id, { profile_data: '{}' }),
    ),
    deactivate: changing('users', (tx, { Ada }) => tx.users.deactivate([Ada.id])),
    claimNotice: nothing((tx, { Ada }) => tx.users.claimNotice(Ada.id, 1_000, 900)),
    dropProfileValues: changing(
      'users',
      (tx, { profileFields }) => tx.users.dropProfileValues(profileFields[0] as number),
      (tx, { profileFields }) => tx.users.dropProfileValues(profileFields[0] as number, ['tea']),
    ),
  },
  groups: {
    create: nothing((tx, { Ada }) => tx.groups.create(newGroup('cooks', { members: [Ada.id] }))),
    update: nothing((tx, { group }) => tx.groups.update(group, { name: 'galley', deactivated: true })),
    addMembers: nothing((tx, { group, Bob }) => tx.groups.addMembers(group, [Bob.id])),
    join: nothing((tx, { group, subgroup, Bob }) => tx.groups.join([group, subgroup], Bob.id)),
    removeMembers: nothing((tx, { group, Ada }) => tx.groups.removeMembers(group, [Ada.id])),
    addSubgroups: nothing((tx, { group, subgroup }) => tx.groups.addSubgroups(subgroup, [group])),
    removeSubgroups: nothing((tx, { group, subgroup }) => tx.groups.removeSubgroups(group, [subgroup])),
  },
  channels: {
    create: changing('channels', (tx) => tx.channels.create([newChannel('three')])),
    update: [
      ...changing(
        'channels',
        (tx, { one }) => tx.channels.update(one, { name: 'uno' }),
        (tx, { one }) => tx.channels.update(one, { is_archived: true }),
        (tx, { one }) => tx.channels.update(one, { settings: { can_send_message_group: 3 } }),
      ),
      // Exempt: changes of a channel by messages. Otherwise each send would empty the caches.
      ...nothing((tx, { one }) => tx.channels.update(one, { last_active_day: 5 })),
    ],
    recordActivity: nothing((tx, { one, first }) =>
      tx.channels.recordActivity([{ channel_id: one, message_id: first }], 7),
    ),
    findFirstMessage: nothing((tx, { one }) => tx.channels.findFirstMessage(one)),
    createFolder: nothing((tx) =>
      tx.channels.createFolder({
        name: 'plays',
        description: '',
        rendered_description: '',
        creator_id: null,
        created_ms: 1,
        is_archived: false,
      }),
    ),
    updateFolder: nothing((tx, { folder }) => tx.channels.updateFolder(folder, { name: 'tales' })),
    reorderFolders: nothing((tx, { folder }) => tx.channels.reorderFolders([folder])),
  },
  subscriptions: {
    add: changing(
      'channels',
      (tx, { Ada, two }) => tx.subscriptions.add([pair(Ada, two)]),
      (tx, { Bob, one }) => tx.subscriptions.add([pair(Bob, one)]),
    ),
    remove: changing('channels', (tx, { Ada, one }) => tx.subscriptions.remove([pair(Ada, one)])),
    readAll: nothing((tx, { one }) => tx.subscriptions.readAll(one)),
    update: [
      ...changing(
        'channels',
        (tx, { Ada, one }) => tx.subscriptions.update(Ada.id, 'is_muted', new Map([[one, true]])),
        (tx, { Ada, one }) => tx.subscriptions.update(Ada.id, 'email_notifications', new Map([[one, true]])),
        (tx, { Ada, one }) => tx.subscriptions.update(Ada.id, 'push_notifications', new Map([[one, true]])),
      ),
      ...nothing((tx, { Ada, one }) => tx.subscriptions.update(Ada.id, 'pin_to_top', new Map([[one, true]]))),
    ],
  },
  conversations: {
    // Only existing topics are cached.
    ensureTopic: nothing((tx, { one }) => tx.conversations.ensureTopic(one, 'gamma')),
    ensureTopicInEach: nothing((tx, { one, two }) => tx.conversations.ensureTopicInEach([one, two], 'gamma')),
    ensureDirect: nothing((tx, { Bob }) => tx.conversations.ensureDirect([Bob.id])),
    ensureDirects: nothing((tx, { Ada, Bob }) => tx.conversations.ensureDirects([[Bob.id], [Ada.id, Bob.id]])),
    rename: changing(
      'channels',
      (tx, { alpha, one, second }) =>
        tx.conversations.rename(alpha, { channel_id: one, topic: 'gamma' }, { timestamp: 1, up_to: second }),
      (tx, { alpha, two, second }) =>
        tx.conversations.rename(alpha, { channel_id: two, topic: 'alpha' }, { timestamp: 1, up_to: second }),
    ),
  },
  userTopics: {
    set: nothing((tx, { Ada, one }) => tx.userTopics.set([Ada.id], userTopic(one))),
    followWhereMentioned: nothing(async (tx, { Ada, one, second }) => {
      await tx.flags.setForReaders(second, [Ada.id], 'mentioned');
      return tx.userTopics.followWhereMentioned(second, [Ada.id], userTopic(one));
    }),
    move: nothing(async (tx, { Ada, one }) => {
      await tx.userTopics.set([Ada.id], userTopic(one));
      await tx.userTopics.move([Ada.id], userTopic(one), { ...userTopic(one), topic: 'another one' });
    }),
    remove: nothing(async (tx, { Ada, one }) => {
      await tx.userTopics.set([Ada.id], userTopic(one));
      await tx.userTopics.remove([Ada.id], userTopic(one));
    }),
  },
  messages: {
    create: nothing((tx, { Ada, alpha }) => send(tx, Ada, alpha)),
    createMany: nothing((tx, { Ada, alpha, beta }) =>
      tx.messages.createMany([alpha, beta].map(({ id }) => ({ ...sameMessage(Ada), conversation_id: id }))),
    ),
    setRendered: nothing((tx, { first }) => tx.messages.setRendered(first, '<p>x</p>')),
    edit: nothing((tx, { first }) =>
      tx.messages.edit(first, { content: 'x', rendered_content: '<p>x</p>', is_me_message: false, timestamp: 1 }),
    ),
    move: [
      ...changing('channels', (tx, { first, second, alpha, beta }) =>
        tx.messages.move([first, second], alpha, beta, 1),
      ),
      ...nothing((tx, { first, alpha, beta }) => tx.messages.move([first], alpha, beta, 1)),
    ],
    remove: [
      ...changing('channels', (tx, { third }) => tx.messages.remove([third])),
      ...nothing((tx, { first }) => tx.messages.remove([first])),
    ],
  },
  scheduledMessages: {
    create: nothing((tx, { Ada }) => tx.scheduledMessages.create(scheduledMessage(Ada))),
    replace: nothing(async (tx, { Ada }) =>
      tx.scheduledMessages.replace(await tx.scheduledMessages.create(scheduledMessage(Ada)), scheduledMessage(Ada)),
    ),
    remove: nothing(async (tx, { Ada }) =>
      tx.scheduledMessages.remove(await tx.scheduledMessages.create(scheduledMessage(Ada)), Ada.id),
    ),
    claimDue: nothing(async (tx, { Ada }) => {
      await tx.scheduledMessages.create(scheduledMessage(Ada));
      await tx.scheduledMessages.claimDue(5_000, 9_000, 10);
    }),
    markSent: nothing(async (tx, { Ada }) =>
      tx.scheduledMessages.markSent(
        { id: await tx.scheduledMessages.create(scheduledMessage(Ada)), revision: 0 },
        1_000,
      ),
    ),
    fail: nothing(async (tx, { Ada }) =>
      tx.scheduledMessages.fail({ id: await tx.scheduledMessages.create(scheduledMessage(Ada)), revision: 0 }, 'no'),
    ),
  },
  reminders: {
    create: nothing((tx, { Ada }) => tx.reminders.create(reminder(Ada))),
    remove: nothing(async (tx, { Ada }) => tx.reminders.remove(await tx.reminders.create(reminder(Ada)), Ada.id)),
    claimDue: nothing(async (tx, { Ada }) => {
      await tx.reminders.create(reminder(Ada));
      await tx.reminders.claimDue(5_000, 9_000, 10);
    }),
    markSent: nothing(async (tx, { Ada }) =>
      tx.reminders.markSent({ id: await tx.reminders.create(reminder(Ada)), revision: 0 }, 1_000),
    ),
    fail: nothing(async (tx, { Ada }) =>
      tx.reminders.fail({ id: await tx.reminders.create(reminder(Ada)), revision: 0 }, 'no'),
    ),
  },
  readState: {
    markRead: nothing((tx, { Ada, first }) => tx.readState.markRead(Ada.id, [first])),
    markReadExcept: nothing((tx, { Ada, second }) => tx.readState.markReadExcept([Ada.id], second)),
    markUnread: nothing((tx, { Ada, first }) => tx.readState.markUnread(Ada.id, [first])),
    markConversationsRead: nothing((tx, { Ada, alpha }) => tx.readState.markConversationsRead(Ada.id, [alpha.id], 9)),
    markConversationPart: nothing((tx, { Ada, alpha }) => tx.readState.markConversationPart(Ada.id, alpha.id, 0, 1)),
    clearMarksFrom: nothing((tx, { Ada, Bob }) => tx.readState.clearMarksFrom(Ada.id, Bob.id, 9)),
    clearUnreadMarks: nothing((tx, { Ada }) => tx.readState.clearUnreadMarks(Ada.id, {}, 0, 9)),
    markRangeRead: nothing((tx, { Ada, alpha, first, second }) =>
      tx.readState.markRangeRead(Ada.id, { conversation_id: alpha.id, from_id: first, to_id: second }),
    ),
  },
  flags: {
    set: nothing((tx, { Ada, first }) => tx.flags.set(Ada.id, [first], 'starred')),
    clear: nothing((tx, { Ada, first }) => tx.flags.clear(Ada.id, [first], 'starred')),
    setForReceivers: nothing((tx, { Ada, first }) =>
      tx.flags.setForReceivers([{ message_id: first, user_id: Ada.id }], 'has_alert_word'),
    ),
    setForReaders: nothing((tx, { first }) => tx.flags.setForReaders(first, 'all', 'wildcard_mentioned')),
    dropContentFlags: nothing((tx, { first }) => tx.flags.dropContentFlags(first)),
    follow: nothing((tx, { Bob, third }) => tx.flags.follow(Bob.id, third)),
    forget: nothing((tx, { Ada, alpha }) => tx.flags.forget([Ada.id], alpha.id)),
  },
  edits: {
    add: nothing((tx, things) => tx.edits.add(edit(things))),
    addForEach: nothing((tx, things) => tx.edits.addForEach([things.first, things.second], edit(things))),
  },
  reactions: {
    add: nothing((tx, things) => tx.reactions.add(reaction(things))),
    remove: nothing((tx, things) => tx.reactions.remove(reaction(things))),
  },
  submessages: {
    add: nothing((tx, { Ada, first }) =>
      tx.submessages.add({ message_id: first, sender_id: Ada.id, msg_type: 'widget', content: '{}' }),
    ),
  },
  drafts: {
    add: nothing((tx, { Ada }) => tx.drafts.add(Ada.id, [begun])),
    update: nothing(async (tx, { Ada }) => {
      const [id = 0] = await tx.drafts.add(Ada.id, [begun]);
      await tx.drafts.update(Ada.id, { id, ...begun });
    }),
    remove: nothing((tx, { Ada }) => tx.drafts.remove(Ada.id, 1)),
    removeAll: nothing((tx, { Ada }) => tx.drafts.removeAll(Ada.id)),
  },
  savedSnippets: {
    add: nothing((tx, { Ada }) => tx.savedSnippets.add(Ada.id, snippet)),
    update: nothing(async (tx, { Ada }) => {
      await tx.savedSnippets.update(Ada.id, await tx.savedSnippets.add(Ada.id, snippet), { title: 'y' });
    }),
    remove: nothing((tx, { Ada }) => tx.savedSnippets.remove(Ada.id, 1)),
  },
  botStorage: {
    set: nothing((tx, { Ada }) =>
      tx.botStorage.set(Ada.id, [{ key: 'x', value: 'y', bytes: 2 }], { entries: 1, bytes: 2 }),
    ),
    remove: nothing((tx, { Ada }) => tx.botStorage.remove(Ada.id, ['x'], { entries: 0, bytes: 0 })),
    removeAll: nothing((tx, { Ada }) => tx.botStorage.removeAll(Ada.id)),
  },
  navigationViews: {
    set: nothing((tx, { Ada }) => tx.navigationViews.set(Ada.id, { fragment: 'inbox', is_pinned: true, name: null })),
    remove: nothing((tx, { Ada }) => tx.navigationViews.remove(Ada.id, 'inbox')),
  },
  resumableUploads: {
    create: nothing((tx, { Ada }) => resumableUpload(tx, Ada)),
    acquire: nothing(async (tx, { Ada }) => tx.resumableUploads.acquire(await resumableUpload(tx, Ada), 'me', 1, 2)),
    renew: nothing(async (tx, { Ada }) => tx.resumableUploads.renew(await resumableUpload(tx, Ada), 'me', 2)),
    release: nothing(async (tx, { Ada }) => tx.resumableUploads.release(await resumableUpload(tx, Ada), 'me')),
    remove: nothing(async (tx, { Ada }) => tx.resumableUploads.remove(await resumableUpload(tx, Ada))),
  },
  uploads: {
    create: nothing((tx, { Ada }) => tx.uploads.create(upload(Ada))),
    complete: nothing(async (tx, { Ada }) => completeUpload(tx, Ada)),
    discard: nothing(async (tx, { Ada }) => tx.uploads.discard(await tx.uploads.create(upload(Ada)))),
    remove: nothing(async (tx, { Ada }) => tx.uploads.remove([await completeUpload(tx, Ada)])),
    claim: nothing(async (tx, { Ada }) =>
      tx.uploads.claim([{ message_id: 1, upload_id: await completeUpload(tx, Ada) }]),
    ),
    release: nothing(async (tx, { Ada }) => {
      await tx.uploads.claim([{ message_id: 1, upload_id: await completeUpload(tx, Ada) }]);
      await tx.uploads.release([1], 5);
    }),
    postpone: nothing(async (tx, { Ada }) => tx.uploads.postpone([await completeUpload(tx, Ada)], 7)),
  },
  customEmoji: {
    create: nothing((tx) =>
      tx.customEmoji.create({ name: 'jester', author_id: null, source_url: '/j', still_url: null }),
    ),
    deactivate: nothing((tx, { emoji }) => tx.customEmoji.deactivate(emoji)),
    addImage: nothing((tx) =>
      tx.customEmoji.addImage({ file_name: 'j.png', content_type: 'image/png', bytes: new Uint8Array([1]) }),
    ),
  },
  organizationPictures: {
    replace: nothing((tx) =>
      tx.organizationPictures.replace(
        ['old.png'],
        [{ file_name: 'new.png', content_type: 'image/png', bytes: new Uint8Array([1]) }],
      ),
    ),
  },
  events: {
    append: nothing((tx) => tx.events.append([draft('x', { scope: 'everyone' })], 1)),
    eraseTexts: nothing((tx) => tx.events.eraseTexts([1], 0, 10)),
    erasePerson: nothing((tx, { Ada }) => tx.events.erasePerson(person(Ada), { texts: true }, 0, 10)),
    trim: nothing((tx) => tx.events.trim(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 10)),
  },
  passwordResets: {
    add: nothing((tx, { Ada }) => tx.passwordResets.add(passwordReset(Ada), 5)),
    uncount: nothing((tx) => tx.passwordResets.uncount('hash')),
    endChanges: nothing((tx, { Ada }) => tx.passwordResets.endChanges(Ada.id)),
    removeOf: nothing((tx, { Ada }) => tx.passwordResets.removeOf(Ada.id)),
  },
  emailVerifications: {
    add: nothing((tx) => tx.emailVerifications.add(addressProof)),
    uncount: nothing((tx) => tx.emailVerifications.uncount('hash')),
    use: nothing((tx) => tx.emailVerifications.use('ada@example.com')),
    removeBefore: nothing((tx) => tx.emailVerifications.removeBefore(9, 10)),
  },
  imports: {
    add: nothing((tx) => tx.imports.add([{ key: 'a', record_id: 1 }])),
    star: nothing((tx, { Ada, first }) => tx.imports.star([{ message_id: first, user_id: Ada.id }])),
    react: nothing((tx, { Ada, first }) =>
      tx.imports.react([
        { message_id: first, user_id: Ada.id, reaction_type: 'unicode_emoji', emoji_code: '1f389', emoji_name: 'tada' },
      ]),
    ),
    markEdited: nothing((tx, { first }) => tx.imports.markEdited([{ id: first, timestamp: 9 }])),
    markRead: nothing((tx, { one, third }) => tx.imports.markRead([{ channel_id: one, id: 0 }], [], third)),
  },
  idempotency: {
    add: nothing((tx, { Ada }) => tx.idempotency.add(repeatable(Ada), 0)),
    removeOlder: nothing(async (tx, { Ada }) => {
      await tx.idempotency.add(repeatable(Ada), 0);
      await tx.idempotency.removeOlder(6, 10);
    }),
    trim: nothing(async (tx, { Ada }) => {
      await tx.idempotency.add(repeatable(Ada), 0);
      await tx.idempotency.trim(Ada.id, 0, 10);
    }),
  },
  signInNetworks: {
    remember: nothing((tx, { Ada }) => tx.signInNetworks.remember(Ada.id, 'somewhere', { now: 1, limit: 5 })),
  },
  secondFactors: {
    put: nothing((tx, { Ada }) => tx.secondFactors.put(secondFactorOf(Ada))),
    remove: nothing((tx, { Ada }) => tx.secondFactors.remove(Ada.id)),
  },
  externalLogins: {
    add: nothing((tx, { Ada }) => tx.externalLogins.add({ issuer: 'i', subject: 's', user_id: Ada.id })),
    removeOf: nothing((tx, { Ada }) => tx.externalLogins.removeOf(Ada.id)),
  },
  presences: {
    record: nothing((tx, { Ada }) => tx.presences.record([{ user_id: Ada.id, active_ms: null, connected_ms: 5 }])),
    replace: nothing((tx, { Ada }) => tx.presences.replace({ user_id: Ada.id, active_ms: null, connected_ms: 5 })),
  },
  guestVisibility: {},
  invitations: {
    create: nothing((tx, { Ada }) => tx.invitations.create(offer(Ada), [invited('new')], 5)),
    end: nothing((tx, { invitation }) => tx.invitations.end(invitation, 'accepted', 5)),
    revokeOf: nothing((tx) => tx.invitations.revokeOf(9_999, 5)),
    revokeFor: nothing((tx) => tx.invitations.revokeFor('OLD@example.com', 5)),
    dropReminders: nothing((tx) => tx.invitations.dropReminders(['old@example.com'])),
    resend: nothing((tx, { invitation }) => tx.invitations.resend(invitation, 7)),
    recordEmails: nothing((tx, { invitation: id }) =>
      tx.invitations.recordEmails([{ id, state: 'sent', error: null }]),
    ),
    claimReminders: nothing((tx) => tx.invitations.claimReminders(9, 10)),
    forget: nothing((tx) => tx.invitations.forget(9, 10)),
    countSent: nothing((tx, { Ada }) => tx.invitations.countSent(Ada.id, 3, 5)),
  },
  userStatuses: {
    set: nothing(
      (tx, { Ada }) => tx.userStatuses.set({ ...noStatus(Ada), status_text: 'out' }),
      (tx, { Ada }) => tx.userStatuses.set(noStatus(Ada)),
    ),
  },
  mutedUsers: {
    add: changing('readers', (tx, { Ada, Bob }) => tx.mutedUsers.add(Bob.id, { id: Ada.id, timestamp: 1 })),
    remove: changing('readers', (tx, { Ada }) => tx.mutedUsers.remove(Ada.id, Ada.id)),
    endBlocks: changing('readers', (tx, { Ada }) => tx.mutedUsers.endBlocks([Ada.id], [Ada.id])),
  },
  alertWords: {
    add: changing('readers', (tx, { Bob }) => tx.alertWords.add(Bob.id, ['new'])),
    remove: changing('readers', (tx, { Bob }) => tx.alertWords.remove(Bob.id, ['WORD'])),
  },
  retention: {
    setDue: nothing((tx) => tx.retention.setDue(7)),
    moveDue: nothing((tx) => tx.retention.moveDue(5, 6)),
  },
  queues: {
    create: nothing((tx, { Ada }) => tx.queues.create(newQueue('new', Ada.id))),
    remove: nothing((tx) => tx.queues.remove('queue')),
    removeOfUsers: nothing((tx, { Ada }) => tx.queues.removeOfUsers([Ada.id])),
    touch: nothing((tx) => tx.queues.touch('queue', 1, 2_000_000)),
    hold: nothing((tx) => tx.queues.hold('queue', 'process')),
    removeExpired: nothing((tx) => tx.queues.removeExpired(Number.MAX_SAFE_INTEGER, 10)),
    removeSurplus: nothing((tx, { Ada }) => tx.queues.removeSurplus(Ada.id, 0)),
    removeCrowd: nothing((tx) => tx.queues.removeCrowd(0, 10)),
    removeBehind: nothing((tx) => tx.queues.removeBehind(Number.MAX_SAFE_INTEGER, 10)),
  },
  eventCursors: {
    ensure: nothing((tx) => tx.eventCursors.ensure('audit', 1)),
    claim: nothing((tx) => tx.eventCursors.claim('audit', 'process', 1, 2)),
    save: nothing((tx) => tx.eventCursors.save('audit', 'process', 1, 2)),
    release: nothing((tx) => tx.eventCursors.release('audit', 'process')),
    advance: nothing((tx) => tx.eventCursors.advance('audit', 2)),
    remove: nothing((tx) => tx.eventCursors.remove('audit')),
  },
  outbox: {
    add: nothing((tx) => tx.outbox.add([{ kind: 'email', payload: {}, due_ms: 1 }])),
    claimDue: nothing((tx) => tx.outbox.claimDue('email', 1, 2, 3)),
    renew: nothing((tx, { outbox }) => tx.outbox.renew([{ id: outbox, attempts: 0 }], 9)),
    advance: nothing((tx, { outbox }) => tx.outbox.advance({ id: outbox, attempts: 0 }, {})),
    done: nothing((tx, { outbox }) => tx.outbox.done([outbox])),
    failed: nothing((tx, { outbox }) => tx.outbox.failed([{ id: outbox, attempts: 0, error: 'no', due_ms: null }], 1)),
    removeGivenUp: nothing((tx) => tx.outbox.removeGivenUp(9, 10)),
  },
  dataExports: {
    create: nothing((tx, { Ada }) => tx.dataExports.create(dataExport(Ada))),
    begin: nothing(async (tx, { Ada }) => tx.dataExports.begin(await tx.dataExports.create(dataExport(Ada)), 'a')),
    finish: nothing(async (tx, { Ada }) => {
      const id = await tx.dataExports.create(dataExport(Ada));
      await tx.dataExports.begin(id, 'b');
      await tx.dataExports.finish(id, { fileKey: 'b', size: 1 }, 2);
    }),
    fail: nothing(async (tx, { Ada }) => {
      const id = await tx.dataExports.create(dataExport(Ada));
      await tx.dataExports.begin(id, 'c');
      await tx.dataExports.fail(id, 'c', 2);
    }),
    removeComplete: nothing((tx) => tx.dataExports.removeComplete(2)),
    restart: nothing((tx) => tx.dataExports.restart()),
    remove: nothing(async (tx, { Ada }) => tx.dataExports.remove(await tx.dataExports.create(dataExport(Ada)), 2)),
  },
  reports: {
    create: nothing((tx, { Ada }) => tx.reports.create(report(Ada))),
    resolve: nothing(async (tx, { Ada }) => tx.reports.resolve(await tx.reports.create(report(Ada)), resolution)),
  },
  linkPreviews: {
    claim: nothing((tx) => tx.linkPreviews.claim(['k'], CLAIMED)),
    store: nothing(async (tx) => {
      await tx.linkPreviews.claim(['k'], CLAIMED);
      await tx.linkPreviews.store({ key: 'k', preview: null, now: 2, expires_ms: 9 });
    }),
    removeExpired: nothing(async (tx) => {
      await tx.linkPreviews.claim(['k'], CLAIMED);
      await tx.linkPreviews.removeExpired(9, 10);
    }),
  },
  audit: {
    add: nothing((tx) => tx.audit.add([auditEntry()])),
    trim: nothing((tx) => tx.audit.trim('done', { untilMs: 9, kept: 1, limit: 10 })),
  },
};

async function resumableUpload(tx: Transaction, owner: User): Promise<number> {
  const id = await tx.uploads.create(upload(owner));
  await tx.resumableUploads.create(id, owner.id, 3);
  return id;
}

async function build(tx: Transaction): Promise<Things> {
  const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
  const [one, two] = [await createChannel(tx, 'one'), await createChannel(tx, 'two')];
  await subscribe(tx, one, Ada, Bob);
  const alpha = await tx.conversations.ensureTopic(one, 'alpha');
  const beta = await tx.conversations.ensureTopic(one, 'beta');
  const first = await send(tx, Bob, alpha);
  const second = await send(tx, Bob, alpha);
  const third = await send(tx, Ada, beta);
  await unsubscribe(tx, one, Bob);
  await tx.queues.create(newQueue('queue', Ada.id));
  await tx.mutedUsers.add(Ada.id, { id: Ada.id, timestamp: 1, is_blocked: true });
  await tx.alertWords.add(Bob.id, ['word']);
  await tx.retention.setDue(5);
  await tx.outbox.add([{ kind: 'email', payload: {}, due_ms: 1 }]);
  const phone = await registerPhone(tx, Bob);
  await tx.pushDevices.activate(phone, 2);
  await tx.pushTokens.add(token(Bob));
  await tx.pushBrowsers.add(browser(Bob), 9);
  const linkifiers = [await tx.linkifiers.create(linkifier('a')), await tx.linkifiers.create(linkifier('b'))];
  const profileFields = [
    await tx.profileFields.create(profileField('drink')),
    await tx.profileFields.create(profileField('food')),
  ];
  await tx.users.update(Ada.id, { profile_data: `{"${profileFields[0]}":{"value":"tea"}}` });
  const emoji = { name: 'yorick', author_id: null, source_url: '/y', still_url: null };
  const subgroup = await tx.groups.create(newGroup('inner'));
  return {
    Ada,
    Bob,
    one,
    two,
    alpha,
    beta,
    first,
    second,
    third,
    linkifiers,
    profileFields,
    phone,
    subgroup,
    group: await tx.groups.create(newGroup('crew', { members: [Ada.id], direct_subgroup_ids: [subgroup] })),
    emoji: (await tx.customEmoji.create(emoji)) as number,
    folder: await tx.channels.createFolder({
      name: 'old',
      description: '',
      rendered_description: '',
      creator_id: null,
      created_ms: 1,
      is_archived: false,
    }),
    playground: await tx.playgrounds.create({ name: 'P', pygments_language: 'C', url_template: 'https://p/{code}' }),
    invitation: (await tx.invitations.create(offer(Ada), [invited('old')], 5))[0] as number,
    outbox: (await tx.outbox.claimDue('email', 1, 1, 1))[0]?.id as number,
  };
}

/** All cached data, as the transaction sees it. */
async function keptIn(tx: Transaction, things: Things): Promise<Record<Kept, unknown>> {
  const channels = await tx.channels.all();
  const subscriptions = await tx.subscriptions.pairs([things.Ada.id, things.Bob.id], [things.one, things.two]);
  const topics = ['alpha', 'beta'].map((topic) => tx.conversations.topic(things.one, topic));
  const { version, users_version, ...organization } = (await tx.organization.get()) as Organization;
  return {
    channels: {
      heads: channels.map(({ subscriber_count, first_message_id, last_active_day, ...head }) => head),
      subscribers: subscriptions
        .filter(({ active }) => active)
        .map((one) => [one.user_id, one.channel_id, one.is_muted, one.email_notifications, one.push_notifications]),
      topics: await Promise.all(topics),
    },
    users: await tx.users.changedSince(0),
    organization,
    readers: [await tx.mutedUsers.mutersOf(things.Ada.id), await tx.alertWords.of(things.Bob.id)],
    push: [
      (await tx.pushDevices.active([things.Ada.id, things.Bob.id])).map(({ user_id }) => user_id),
      (await tx.pushTokens.ofAll([things.Ada.id, things.Bob.id])).map((one) => [one.user_id, one.kind, one.token]),
      (await tx.pushBrowsers.ofAll([things.Ada.id, things.Bob.id])).map((one) => one.endpoint),
    ],
  };
}

/** Runs the call, reads the state before and after, and rolls back. */
async function tryCall(storage: Storage, things: Things, call: Write['call']) {
  const undone = new Error('undone');
  let looks: { before: Look; after: Look } | undefined;
  const look = async (tx: Transaction) => ({
    kept: await keptIn(tx, things),
    versions: (await tx.organization.versions()) as Versions,
  });
  type Look = Awaited<ReturnType<typeof look>>;
  const work = storage.write(async (tx) => {
    const before = await look(tx);
    await call(tx, things);
    looks = { before, after: await look(tx) };
    throw undone;
  });
  await assert.rejects(work, (error) => {
    if (error !== undone) throw error;
    return true;
  });
  return looks ?? assert.fail();
}

function methodsOf(store: object): string[] {
  const methods = new Set<string>();
  for (let at = store; at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name !== 'constructor' && typeof (store as Record<string, unknown>)[name] === 'function') methods.add(name);
    }
  }
  return [...methods].sort();
}

/**
 * Processes use their caches until the version changes. So every method of every store is listed here, and each method
 * that writes runs. It must raise the version of its data and no other version: any other would empty caches of all
 * processes for nothing.
 */
export function versionsContract(engine: Engine): void {
  const test = testOn(engine);
  test('every method of every store is listed as reading or writing', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.read(async (tx) => {
      const names = Object.keys(READS) as (keyof Transaction)[];
      const found = names.map((name) => [name, methodsOf(tx[name])]);
      const named = names.map((name) => [name, [...READS[name], ...Object.keys(WRITES[name])].sort()]);
      assert.deepEqual(Object.fromEntries(found), Object.fromEntries(named));
    });
  });

  for (const name of Object.keys(WRITES) as (keyof Transaction)[]) {
    test(`writes of ${name} raise the version of what they change, and no other version`, async (t) => {
      const { storage } = await openFounded(t, engine);
      const things = await storage.write(build);
      for (const [method, writes] of Object.entries(WRITES[name])) {
        for (const { changes, call } of writes) {
          const { before, after } = await tryCall(storage, things, call);
          for (const [kept, version] of Object.entries(VERSIONS) as [Kept, keyof Versions][]) {
            const what = `${version} after ${name}.${method}`;
            if (kept === changes) {
              assert.notDeepEqual(after.kept[kept], before.kept[kept], `${name}.${method} changed nothing`);
              assert.ok(after.versions[version] > before.versions[version], what);
            } else {
              assert.deepEqual(after.kept[kept], before.kept[kept], `${name}.${method} changed ${kept}`);
              assert.equal(after.versions[version], before.versions[version], what);
            }
          }
        }
      }
    });
  }

  test('updating the organization raises its version even without a change', async (t) => {
    const { storage } = await openFounded(t, engine);
    const version = async () => (await storage.read((tx) => tx.organization.versions()))?.version ?? assert.fail();
    const before = await version();
    await storage.write((tx) => tx.organization.update({}));
    const after = await version();
    assert.ok(after > before);
    await storage.write((tx) => tx.organization.update({ name: 'Other' }));
    assert.ok((await version()) > after);
  });

  test('a changed user has the users_version of the change', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, Bob } = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    const changed = await storage.write((tx) => tx.users.update(Ada.id, { full_name: 'Adah' }));
    const versions = await storage.read((tx) => tx.organization.versions());
    assert.equal(changed.version, versions?.users_version);
    assert.deepEqual(await storage.read((tx) => tx.users.changedSince(Bob.version)), [changed]);
  });
}
