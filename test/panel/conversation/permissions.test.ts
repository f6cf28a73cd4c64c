import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Channel, Me, Message, Organization } from '../../../lib/client/store/types.ts';
import {
  type Circumstances,
  mayDelete,
  mayEdit,
  mayMove,
  maySeeHistory,
  maySeeReaders,
} from '../../../lib/panel/messages/permissions.ts';

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
