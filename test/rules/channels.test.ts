import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChannelHead } from '../../lib/model/channels.ts';
import type { GroupSettingValue } from '../../lib/model/groups.ts';
import type { Role } from '../../lib/model/users.ts';
import {
  channelPermission,
  effectiveTopicsPolicy,
  hasContentAccess,
  hasMetadataAccess,
  hasSharedHistory,
  isGrantedByEither,
  mayAddSubscribersHere,
  mayAdministerChannel,
  maySendHere,
} from '../../lib/rules/channels.ts';
import { CHANNEL_PERMISSIONS } from '../../lib/rules/permission-settings.ts';
import { systemGroupId } from '../../lib/rules/roles.ts';
import { membership, organization, ROLES } from './accounts.ts';

const KITCHEN = 20;

const KINDS = {
  'web-public': { invite_only: false, history_public_to_subscribers: true, is_web_public: true },
  public: { invite_only: false, history_public_to_subscribers: true, is_web_public: false },
  'private with shared history': { invite_only: true, history_public_to_subscribers: true, is_web_public: false },
  'private with protected history': { invite_only: true, history_public_to_subscribers: false, is_web_public: false },
};

function channel(kind: keyof typeof KINDS, settings: Record<string, GroupSettingValue> = {}): ChannelHead {
  return {
    id: 1,
    external_id: null,
    name: 'Denmark',
    description: '',
    rendered_description: '',
    creator_id: 77,
    created_ms: 0,
    is_archived: false,
    is_default: false,
    topics_policy: 'inherit',
    message_retention_days: null,
    folder_id: null,
    settings,
    first_message_id: null,
    last_active_day: null,
    ...KINDS[kind],
  };
}

/** Roles that pass the check. */
const roles = (passes: (role: Role) => boolean) => ROLES.filter(passes);

describe('roles that read a channel without a subscription', () => {
  for (const [kind, readers] of [
    ['web-public', [100, 200, 300, 400, 600]],
    ['public', [100, 200, 300, 400]],
    ['private with shared history', []],
    ['private with protected history', []],
  ] as const) {
    test(kind, () =>
      assert.deepEqual(
        roles((role) => hasContentAccess(channel(kind), membership(role), { isSubscribed: false })),
        readers,
      ),
    );
  }
});

describe('roles that see a channel without a subscription', () => {
  for (const [kind, knowing] of [
    ['web-public', [100, 200, 300, 400, 600]],
    ['public', [100, 200, 300, 400]],
    ['private with shared history', [100, 200]],
    ['private with protected history', [100, 200]],
  ] as const) {
    test(kind, () =>
      assert.deepEqual(
        roles((role) => hasMetadataAccess(channel(kind), membership(role), { isSubscribed: false })),
        knowing,
      ),
    );
  }
});

test('a subscriber reads every kind of channel', () => {
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    assert.deepEqual(
      roles((role) => hasContentAccess(channel(kind), membership(role), { isSubscribed: true })),
      [...ROLES],
    );
  }
});

test('permission to subscribe or add subscribers gives access to a private channel, and to administer only its metadata', () => {
  const cook = membership(400, [KITCHEN]);
  for (const key of ['can_add_subscribers_group', 'can_subscribe_group', 'can_administer_channel_group']) {
    const hidden = channel('private with shared history', { [key]: KITCHEN });
    assert.equal(hasContentAccess(hidden, cook, { isSubscribed: false }), key !== 'can_administer_channel_group', key);
    assert.equal(hasMetadataAccess(hidden, cook, { isSubscribed: false }), true, key);
    assert.equal(hasMetadataAccess(hidden, membership(400), { isSubscribed: false }), false, key);
    assert.equal(
      hasMetadataAccess(hidden, membership(600, [KITCHEN]), { isSubscribed: false }),
      false,
      `${key}: a guest`,
    );
  }
});

test('a permission of a channel does not grant another one', () => {
  const keys = ['can_add_subscribers_group', 'can_administer_channel_group', 'can_send_message_group'] as const;
  for (const key of [...keys, 'can_subscribe_group', 'can_remove_subscribers_group'] as const) {
    const closed = { can_send_message_group: systemGroupId('role:nobody') };
    const one = channel('public', { ...closed, [key]: KITCHEN });
    const may = (role: Role, groups: number[]) => [
      mayAddSubscribersHere(one, membership(role, groups)),
      mayAdministerChannel(one, membership(role, groups)),
      maySendHere(one, membership(role, groups)),
    ];
    const isGranted = [[keys[0], keys[1]], [keys[1]], [keys[2]]].map((granting) =>
      (granting as string[]).includes(key),
    );
    assert.deepEqual(may(400, [KITCHEN]), isGranted, key);
    assert.deepEqual(may(400, []), [false, false, false], key);
    assert.deepEqual(may(600, [KITCHEN]), [false, false, isGranted[2]], key);
    assert.deepEqual(may(200, []), [false, true, false], key);
  }
});

test('a permission on messages is granted by the organization or by the channel', () => {
  const keys = { organization: 'can_delete_any_message_group', channel: 'can_delete_any_message_group' } as const;
  const open = organization({ can_delete_any_message_group: KITCHEN });
  const closed = organization({ can_delete_any_message_group: systemGroupId('role:nobody') });
  const granting = channel('public', { can_delete_any_message_group: KITCHEN });
  const cook = membership(400, [KITCHEN]);
  for (const [where, member, place, isGranted] of [
    [open, cook, undefined, true],
    [open, cook, channel('public'), true],
    [closed, cook, granting, true],
    [closed, cook, channel('public'), false],
    [closed, cook, undefined, false],
    [open, membership(400), granting, false],
    [closed, membership(100), channel('public'), false],
  ] as const)
    assert.equal(isGrantedByEither(where, member, place, keys), isGranted);
});

test('administrators and the creator may administer a channel, guests never', () => {
  assert.deepEqual(
    roles((role) => mayAdministerChannel(channel('public'), membership(role))),
    [100, 200],
  );
  assert.equal(mayAdministerChannel(channel('public'), membership(400, [], 77)), true);
  assert.equal(mayAdministerChannel(channel('public'), membership(600, [], 77)), false);
});

test('a channel permission that is not stored has its default', () => {
  const open = channel('public');
  assert.equal(channelPermission(open, 'can_send_message_group'), systemGroupId('role:everyone'));
  assert.equal(channelPermission(open, 'can_remove_subscribers_group'), systemGroupId('role:administrators'));
  assert.deepEqual(channelPermission(open, 'can_administer_channel_group'), {
    direct_members: [77],
    direct_subgroups: [],
  });
  const orphan = { ...open, creator_id: null };
  assert.equal(channelPermission(orphan, 'can_administer_channel_group'), systemGroupId('role:nobody'));
});

test('only private channels can have protected history', () => {
  const names = Object.keys(KINDS) as (keyof typeof KINDS)[];
  assert.deepEqual(
    names.filter((kind) => !hasSharedHistory(channel(kind))),
    ['private with protected history'],
  );
});

test('topics_policy inherit means the policy of the organization', () => {
  assert.equal(effectiveTopicsPolicy({ topics_policy: 'inherit' }, 'disable_empty_topic'), 'disable_empty_topic');
  assert.equal(
    effectiveTopicsPolicy({ topics_policy: 'allow_empty_topic' }, 'disable_empty_topic'),
    'allow_empty_topic',
  );
  assert.equal(effectiveTopicsPolicy({ topics_policy: 'empty_topic_only' }, 'allow_empty_topic'), 'empty_topic_only');
});

test('no channel permission is role:internet by default, and each can be role:nobody', () => {
  for (const setting of Object.values(CHANNEL_PERMISSIONS)) {
    assert.notEqual(setting.default, 'role:internet');
    assert.equal(setting.nobody, true);
  }
});
