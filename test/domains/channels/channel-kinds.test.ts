import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isValidKind } from '../../../lib/domains/channels/channel-settings.ts';
import { streamPostPolicy } from '../../../lib/domains/channels/channel-view.ts';
import type { GroupSettingValue } from '../../../lib/model/groups.ts';
import { systemGroupId } from '../../../lib/rules/roles.ts';

/** Web-public, public, private with shared history, private with protected history. */
const KINDS = [
  { invite_only: false, history_public_to_subscribers: true, is_web_public: true },
  { invite_only: false, history_public_to_subscribers: true, is_web_public: false },
  { invite_only: true, history_public_to_subscribers: true, is_web_public: false },
  { invite_only: true, history_public_to_subscribers: false, is_web_public: false },
];

test('there are four kinds of channel and no others', () => {
  const all = [true, false].flatMap((invite_only) =>
    [true, false].flatMap((history_public_to_subscribers) =>
      [true, false].map((is_web_public) => ({ invite_only, history_public_to_subscribers, is_web_public })),
    ),
  );
  const key = (kind: object) => JSON.stringify(kind, ['invite_only', 'history_public_to_subscribers', 'is_web_public']);
  assert.deepEqual(all.filter(isValidKind).map(key).sort(), KINDS.map(key).sort());
});

test('stream_post_policy for old clients follows from can_send_message_group', () => {
  const policy = (can_send_message_group: GroupSettingValue) =>
    streamPostPolicy({ creator_id: 77, settings: { can_send_message_group } });
  assert.deepEqual(
    (['role:everyone', 'role:administrators', 'role:fullmembers', 'role:moderators', 'role:owners'] as const).map(
      (name) => policy(systemGroupId(name)),
    ),
    [1, 2, 3, 4, 1],
  );
  assert.equal(policy({ direct_members: [1], direct_subgroups: [] }), 1);
});
