import { systemGroupId } from '../../../../lib/rules/roles.ts';
import type { Changes, PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'organization.edit': () => ({ name: 'Kronborg' }),
  'organization.audit': () => ({}),
  'organization.auditLog': () => ({}),
};

export const changes: Changes = {
  'organization.edit': {
    'name, description and settings': ({ as, channels }) =>
      as('owner').organization.edit({
        name: 'Kronborg',
        description: 'x',
        allow_message_editing: false,
        enable_read_receipts: false,
        message_content_edit_limit_seconds: 'unlimited',
        message_content_delete_limit_seconds: 1,
        move_messages_within_stream_limit_seconds: 2,
        move_messages_between_streams_limit_seconds: 3,
        message_edit_history_visibility_policy: 'none',
        topics_policy: 'disable_empty_topic',
        enable_spectator_access: true,
        require_unique_names: true,
        send_channel_events_messages: false,
        default_code_block_language: 'python',
        new_stream_announcements_stream_id: channels.quiet,
      }),
    'which users guests can see': async ({ as }) => {
      const { realm_can_access_all_users_group: present } = (await as('owner').register()) as Record<string, unknown>;
      const value = present === systemGroupId('role:everyone') ? 'role:members' : 'role:everyone';
      await as('owner').organization.edit({ can_access_all_users_group: { new: systemGroupId(value) } });
    },
    'the waiting period': ({ as }) => as('owner').organization.edit({ waiting_period_threshold: 10 }),
    permissions: ({ as, users, groups }) =>
      as('administrator').organization.edit({
        can_resolve_topics_group: { new: 4 },
        can_delete_own_message_group: {
          new: { direct_members: [users.cordelia], direct_subgroups: [groups.kitchen, 4] },
        },
      }),
  },
};
