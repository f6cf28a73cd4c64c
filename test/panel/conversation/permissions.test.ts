import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createChatStore } from '../../../lib/client/store/chat-store.ts';
import type { Channel, ChatStore, Me, Message, Organization, Place } from '../../../lib/client/store/types.ts';
import type { Session } from '../../../lib/index.ts';
import { mayDelete, mayMove, maySeeHistory, maySeeReaders } from '../../../lib/panel/messages/menu-permissions.ts';
import { type Circumstances, mayEdit } from '../../../lib/panel/messages/permissions.ts';
import { isOpenToWrite } from '../../../lib/panel/messages/writing-permission.ts';
import { ROLE_GROUPS } from '../../../lib/panel/refusal.ts';
import { SYSTEM_GROUPS } from '../../../lib/rules/roles.ts';
import { testChat } from '../../../lib/testing/testing.ts';

const SENT_AT = 1_000_000;
const LIMIT_S = 600;

const me = (role: number, user_id = 9) =>
  ({ user_id, role, is_admin: role <= 200, is_guest: role === 600 }) as unknown as Me;
const OWN = me(400);
const OTHER = me(400, 10);

const organization = (own: Partial<Organization> = {}) =>
  ({
    ...{ realm_allow_message_editing: true, realm_enable_read_receipts: true },
    realm_message_edit_history_visibility_policy: 'all',
    realm_message_content_edit_limit_seconds: LIMIT_S,
    realm_message_content_delete_limit_seconds: LIMIT_S,
    realm_move_messages_within_stream_limit_seconds: LIMIT_S,
    realm_move_messages_between_streams_limit_seconds: LIMIT_S,
    ...own,
  }) as unknown as Organization;

const message = (own: Partial<Message> = {}) =>
  ({ id: 1, sender_id: 9, timestamp: SENT_AT, place: { channelId: 4, topic: 'lunch' }, ...own }) as Message;

const circumstances = (own: Partial<Circumstances> = {}): Circumstances => ({
  me: OWN,
  organization: organization(),
  channel: { is_archived: false } as Channel,
  now: SENT_AT * 1000,
  ...own,
});

const ACTIONS = { edit: mayEdit, delete: mayDelete, move: mayMove };
const offered = (own: Partial<Circumstances>, of: Partial<Message> = {}) =>
  Object.entries(ACTIONS)
    .filter(([, isOffered]) => isOffered(message(of), circumstances(own)))
    .map(([name]) => name)
    .join(' ');

const archived = { is_archived: true } as Channel;
const at = (seconds: number) => ({ now: (SENT_AT + seconds) * 1000 });
const direct = { place: { userIds: [10] } };
const without = (limit: keyof Organization) => organization({ [limit]: null });

const CASES: readonly [who: string, actions: string, Partial<Circumstances>, of?: Partial<Message>][] = [
  ['the sender', 'edit delete move', {}],
  ['the sender of a direct message', 'edit delete', {}, direct],
  ['the sender within the limits', 'edit delete move', at(LIMIT_S - 1)],
  ['the sender after the limits', '', at(LIMIT_S)],
  [
    'the sender without a limit for editing',
    'edit',
    { organization: without('realm_message_content_edit_limit_seconds'), ...at(LIMIT_S) },
  ],
  [
    'the sender without a limit for deleting',
    'delete',
    { organization: without('realm_message_content_delete_limit_seconds'), ...at(LIMIT_S) },
  ],
  [
    'the sender without a limit within channels',
    'move',
    { organization: without('realm_move_messages_within_stream_limit_seconds'), ...at(LIMIT_S) },
  ],
  [
    'the sender without a limit between channels',
    'move',
    { organization: without('realm_move_messages_between_streams_limit_seconds'), ...at(LIMIT_S) },
  ],
  [
    'the sender where editing is off',
    'delete move',
    { organization: organization({ realm_allow_message_editing: false }) },
  ],
  ['the sender with editing turned off', '', { channel: archived }],
  ['an administrator in an archived channel', '', { channel: archived, me: me(200) }],
  ['another member', 'move', { me: OTHER }],
  ['another member after the limits', '', { me: OTHER, ...at(LIMIT_S) }],
  ['a moderator after the limits', 'move', { me: me(300, 10), ...at(LIMIT_S) }],
  ['an administrator after the limits', 'delete move', { me: me(200, 10), ...at(LIMIT_S) }],
  ['an owner after the limits', 'delete move', { me: me(100, 10), ...at(LIMIT_S) }],
  ['a guest', '', { me: me(600, 10) }],
  ['a guest who is the sender', 'edit delete', { me: me(600) }],
  ['a user whose account is not known yet', '', { me: undefined }],
  ['a user whose organization is not known yet', '', { organization: undefined }],
];

describe('the actions of a message', () => {
  for (const [who, actions, given, of] of CASES)
    it(`are ${actions || 'none'} for ${who}`, () => assert.equal(offered(given, of), actions));

  it('contain the history of edited and moved messages, if the organization shows it', () => {
    const isShown = (own: Partial<Message>, policy?: string) =>
      maySeeHistory(message(own), {
        ...circumstances(),
        organization: organization({
          ...(policy !== undefined && { realm_message_edit_history_visibility_policy: policy }),
        } as Partial<Organization>),
      });
    assert.deepEqual(
      [{}, { last_edit_timestamp: 1 }, { last_moved_timestamp: 1 }].map((own) => isShown(own)),
      [false, true, true],
    );
    assert.equal(isShown({ last_edit_timestamp: 1 }, 'moves'), true);
    assert.equal(isShown({ last_edit_timestamp: 1 }, 'none'), false);
    assert.equal(maySeeHistory(message({ last_edit_timestamp: 1 }), circumstances({ organization: undefined })), false);
  });

  it('contain the readers if the organization shows them', () => {
    const isShown = (realm_enable_read_receipts: boolean) =>
      maySeeReaders(circumstances({ organization: organization({ realm_enable_read_receipts }) }));
    assert.deepEqual([isShown(true), isShown(false)], [true, false]);
    assert.equal(maySeeReaders(circumstances({ organization: undefined })), false);
  });
});

describe('a place', () => {
  /** A store with the state of the user now. */
  async function storeOf(t: TestContext, session: Session): Promise<ChatStore> {
    const store = createChatStore(session, { storage: null });
    t.after(() => store.stop());
    store.start();
    await new Promise<void>((resolve) => store.status.subscribe(({ state }) => state === 'live' && resolve()));
    return store;
  }

  /** The server's decision in words, after that of the state. */
  async function decisions(t: TestContext, session: Session, places: Readonly<Record<string, Place>>) {
    const store = await storeOf(t, session);
    const [me, organization] = [store.me.get(), store.organization.get()];
    const found: Record<string, string> = {};
    for (const [name, place] of Object.entries(places)) {
      const isTopic = 'topic' in place;
      const { members } = await session.users.list({ user_ids: isTopic ? [] : [...place.userIds] });
      const isOpen = isOpenToWrite(place, {
        ...{ me, organization, recipients: members },
        channel: isTopic ? store.channels.get().get(place.channelId) : undefined,
      });
      const address = isTopic
        ? ({ type: 'channel', to: place.channelId, topic: place.topic } as const)
        : ({ type: 'direct', to: [...place.userIds] } as const);
      const { decision } = await session.why(me?.user_id ?? 0, 'messages.send', { ...address, content: '.' });
      found[name] = `${isOpen ? 'open' : 'ask'}, ${decision}`;
    }
    return found;
  }

  it('is open to write only if the server allows it, and then without asking the server', async (t) => {
    const { people, channels, close } = await testChat();
    t.after(close);
    const subscribers = Object.values(people).map(({ user_id }) => user_id);
    const owner = people.ada;
    const group = SYSTEM_GROUPS.find(({ name }) => name === 'role:moderators')?.id as number;
    const create = (name: string, settings: object) => owner.channels.create({ name, subscribers, ...settings });
    const { id: ofModerators } = await create('of moderators', { can_send_message_group: group });
    const onlyDora = { direct_members: [people.dora.user_id], direct_subgroups: [] };
    const { id: ofDora } = await create('of dora', { can_send_message_group: onlyDora });
    const { id: single } = await create('single', { topics_policy: 'empty_topic_only' });
    const { id: closed } = await create('closed', {});
    await owner.channels.archive({ stream_id: closed });
    const { id: secret } = await owner.channels.create({
      ...{ name: 'secret', invite_only: true, subscribers: [people.ada.user_id] },
    });
    await people.ben.users.deactivate({ user_id: people.emil.user_id });
    const places = {
      general: { channelId: channels.general, topic: 'lunch' },
      ofModerators: { channelId: ofModerators, topic: 'lunch' },
      ofDora: { channelId: ofDora, topic: 'lunch' },
      topicOfSingle: { channelId: single, topic: 'lunch' },
      single: { channelId: single, topic: '' },
      closed: { channelId: closed, topic: 'lunch' },
      secret: { channelId: secret, topic: 'lunch' },
      direct: { userIds: [people.ben.user_id] },
      deactivated: { userIds: [people.emil.user_id] },
    };
    const always = { topicOfSingle: 'ask, refused', single: 'open, allowed', closed: 'ask, refused' };
    const more = { general: 'open, allowed', direct: 'open, allowed', deactivated: 'ask, refused' };
    assert.deepEqual(await decisions(t, people.cleo, places), {
      ...{ ...always, ...more, secret: 'ask, refused' },
      ...{ ofModerators: 'open, allowed', ofDora: 'ask, refused' },
    });
    assert.deepEqual(await decisions(t, people.dora, places), {
      ...{ ...always, ...more, secret: 'ask, refused' },
      ...{ ofModerators: 'ask, refused', ofDora: 'open, allowed' },
    });
    await owner.organization.edit({ direct_message_permission_group: { new: 1 } });
    const { direct, general } = await decisions(t, people.finn, places);
    assert.deepEqual([direct, general], ['ask, refused', 'open, allowed']);
  });

  it('knows the groups that follow from roles, and leaves those that do not to the server', () => {
    const byRole = SYSTEM_GROUPS.flatMap(({ id, role }) => (role === null ? [] : [[id, role]]));
    const { 8: internet, ...others } = ROLE_GROUPS;
    assert.deepEqual([others, internet], [Object.fromEntries(byRole), 600]);
  });
});
