import { BOOLEAN, type Entry, type Forms, integer, list, oneOf, raw, type Things } from './forms.ts';

const COUNT: Forms = { accepted: ['0', '5'], refused: ['', 'x', '-1', '5.0', '"5"', 'true', 'null'] };
const choices = (...accepted: number[]): Forms => ({
  accepted: accepted.map(String),
  refused: ['', '0', '99', `"${accepted[0]}"`, `${accepted[0]}.0`, 'null', 'x'],
});
const between = (least: number, most: number): Forms => ({
  accepted: [String(least), String(most)],
  refused: ['', 'x', String(least - 1), String(most + 1), `"${most}"`, `${most}.0`, 'null'],
});
const strings = (...accepted: string[]): Forms => ({
  accepted,
  refused: ['', 'x', '"x"', '{}', '[5]', '[null]', '5'],
});
const seconds: Forms = {
  accepted: ['60', '"unlimited"', 'unlimited'],
  refused: ['', '0', '-1', '60.5', '"60"', '"x"', 'null', '[]', 'true'],
};
const channelId = (channel: number): Forms => ({
  accepted: [String(channel), '-1'],
  refused: ['', 'x', `"${channel}"`, `${channel}.0`, 'null', '999999'],
});
const POLICY = choices(1, 2, 3, 4);

/** Operations of the reference server that are not in the other tables. */
export function furtherForms(of: Things): Entry[] {
  return [...ofMessages(of), ...ofChannels(of), ...ofUsers(of), ...ofOrganization(of)];
}

const NARROWS = ['[]', '[["is","starred"]]', '[{"operator":"is","operand":"starred"}]'];
const NO_NARROWS = ['', 'x', '{}', '5', '[5]', '["is"]', '[["is"]]', '[["no such operator","x"]]'];

function ofMessages({ message, channel, mo, draft, snippet }: Things): Entry[] {
  const window = { anchor: 'newest', num_before: '1', num_after: '1' };
  return [
    {
      route: 'GET /messages',
      form: window,
      forms: { narrow: { accepted: ['null'] }, message_ids: { accepted: ['null'] }, anchor: { accepted: ['newest'] } },
    },
    {
      route: 'GET /messages',
      form: { anchor: 'newest' },
      forms: {
        message_ids: { ...list([message], [message, message]), refused: ['', '5', '{}', '[null]', '[5.0]', '[-1]'] },
      },
    },
    {
      route: 'POST /messages/render',
      form: { content: 'a' },
      forms: { content: raw('*a*', '"quoted"', '5', 'null'), strict_content: BOOLEAN },
    },
    {
      route: 'GET /messages/matches_narrow',
      form: { msg_ids: `[${message}]`, narrow: '[]' },
      forms: {
        msg_ids: list([], [message]),
        narrow: { accepted: NARROWS, refused: NO_NARROWS },
        strict_content: BOOLEAN,
      },
    },
    {
      route: `GET /messages/${message}`,
      form: {},
      forms: {
        apply_markdown: BOOLEAN,
        allow_empty_topic_name: BOOLEAN,
        client_gravatar: BOOLEAN,
        strict_content: BOOLEAN,
      },
    },
    {
      route: 'POST /messages/flags/narrow',
      form: { ...window, narrow: '[]', op: 'add', flag: 'read' },
      forms: {
        anchor: { accepted: ['newest', 'oldest', 'first_unread', '5', '0'], refused: ['', 'x', '5.5', 'null', '[]'] },
        num_before: COUNT,
        num_after: COUNT,
        include_anchor: BOOLEAN,
        narrow: { accepted: [...NARROWS, 'null'], refused: NO_NARROWS },
        op: oneOf('add', 'remove'),
        flag: oneOf('read', 'starred', 'collapsed'),
      },
      beside: { include_anchor: { num_after: '0' } },
    },
    {
      route: 'POST /mark_stream_as_read',
      form: { stream_id: String(channel) },
      forms: { stream_id: integer(channel) },
    },
    {
      route: 'POST /mark_topic_as_read',
      form: { stream_id: String(channel), topic_name: 'a' },
      forms: { stream_id: integer(channel), topic_name: raw('a', 'A') },
    },
    {
      route: 'POST /reminders',
      form: { message_id: String(message), scheduled_delivery_timestamp: '4102444800' },
      forms: {
        message_id: integer(message),
        scheduled_delivery_timestamp: { accepted: ['4102444801'], refused: ['', 'x', '1', '-1', '4102444801.5'] },
        note: raw('', '"quoted"', '5'),
      },
    },
    { route: 'GET /user_topics', form: {}, forms: { allow_empty_topic_name: BOOLEAN } },
    { route: `POST /messages/${message}/typing`, form: { op: 'start' }, forms: { op: oneOf('start', 'stop') } },
    {
      route: 'POST /typing',
      form: { op: 'start', type: 'channel', stream_id: String(channel), topic: 'a' },
      forms: { stream_id: integer(channel), topic: raw('b', '', '"b"'), type: oneOf('channel', 'stream') },
    },
    {
      route: `PATCH /drafts/${draft}`,
      form: { draft: '{"type":"","to":[],"topic":"","content":"a"}' },
      forms: {
        draft: {
          accepted: [`{"type":"private","to":[${mo}],"topic":"","content":"a","timestamp":1700000000.5}`],
          refused: ['', 'x', '[]', '{}', '5', 'null', '{"type":"x","to":[],"topic":"","content":"a"}'],
        },
      },
    },
    {
      route: 'POST /saved_snippets',
      form: { title: 'a', content: 'b' },
      forms: {
        title: { accepted: ['"a"', '5'], refused: ['', ' '] },
        content: { accepted: ['"b"', '5'], refused: ['', ' '] },
      },
    },
    {
      route: `PATCH /saved_snippets/${snippet}`,
      form: { title: 'a' },
      forms: { title: { accepted: ['"a"', '5'], refused: [''] }, content: { accepted: ['"b"', '5'], refused: [''] } },
    },
    {
      route: 'POST /navigation_views',
      form: { fragment: 'narrow/channel/5', is_pinned: 'true', name: 'Fifth' },
      forms: { is_pinned: BOOLEAN, name: raw('"a"', '5'), fragment: raw('narrow/channel/6', '"x"') },
    },
    {
      route: 'PATCH /navigation_views/inbox',
      form: { is_pinned: 'true' },
      forms: { is_pinned: BOOLEAN },
    },
  ];
}

function ofChannels({ channel, folder, mo, me }: Things): Entry[] {
  const toNew = { subscriptions: '[{"name":"new"}]' };
  const nullableFolder: Forms = {
    accepted: [String(folder), 'null'],
    refused: ['', 'x', '"5"', `${folder}.0`, '999999'],
  };
  return [
    {
      route: 'GET /streams',
      form: {},
      forms: {
        include_public: BOOLEAN,
        include_subscribed: BOOLEAN,
        exclude_archived: BOOLEAN,
        include_all: BOOLEAN,
        include_default: BOOLEAN,
        include_owner_subscribed: BOOLEAN,
        include_can_access_content: BOOLEAN,
      },
    },
    { route: 'GET /get_stream_id', form: { stream: 'general' }, forms: { stream: raw('General') } },
    { route: `GET /users/me/${channel}/topics`, form: {}, forms: { allow_empty_topic_name: BOOLEAN } },
    { route: `POST /streams/${channel}/delete_topic`, form: { topic_name: 'a' }, forms: { topic_name: raw('A') } },
    { route: 'POST /default_streams', form: { stream_id: String(channel) }, forms: { stream_id: integer(channel) } },
    { route: 'DELETE /default_streams', form: { stream_id: String(channel) }, forms: { stream_id: integer(channel) } },
    {
      route: 'POST /channels/create',
      form: { name: 'new', subscribers: '[]' },
      forms: {
        folder_id: { accepted: [String(folder)], refused: ['', 'x', '"5"', `${folder}.0`, '999999'] },
        send_new_subscription_messages: BOOLEAN,
      },
    },
    {
      route: `PATCH /streams/${channel}`,
      form: { description: 'a' },
      forms: {
        folder_id: nullableFolder,
        history_public_to_subscribers: BOOLEAN,
        is_default_stream: BOOLEAN,
        is_archived: BOOLEAN,
        topics_policy: {
          accepted: ['inherit', '"inherit"', 'allow_empty_topic'],
          refused: ['', 'unknown', '1', 'null', '["inherit"]'],
        },
        message_retention_days: {
          accepted: ['unlimited', 'realm_default'],
          refused: ['null', 'x', '-1', '0'],
        },
      },
      beside: { history_public_to_subscribers: { is_private: 'true' } },
    },
    { route: 'GET /channel_folders', form: {}, forms: { include_archived: BOOLEAN } },
    {
      route: 'POST /channel_folders/create',
      form: { name: 'a' },
      forms: { name: { accepted: ['"a"', '5'], refused: ['', ' '] }, description: raw('', '"a"', '5') },
    },
    {
      route: `PATCH /channel_folders/${folder}`,
      form: { name: 'a' },
      forms: { name: { accepted: ['"a"', '5'], refused: ['', ' '] }, description: raw('', '5'), is_archived: BOOLEAN },
    },
    { route: 'PATCH /channel_folders', form: { order: `[${folder}]` }, forms: { order: list([folder]) } },
    {
      route: 'GET /users/me/subscriptions',
      form: {},
      forms: {
        include_subscribers: { accepted: ['true', 'false', 'partial', '"partial"'], refused: ['', 'x', '1', 'null'] },
      },
    },
    {
      route: 'POST /users/me/subscriptions',
      form: { subscriptions: '[{"name":"general"}]' },
      forms: {
        subscriptions: {
          accepted: ['[{"name":"new","description":null}]', '[{"name":"new","color":null}]', '[{"name":"new","x":1}]'],
          refused: ['[null]', '[{"name":null}]', '[{"name":"new","description":5}]'],
        },
        principals: { accepted: [`[${mo},${me}]`, `[${mo},${mo}]`], refused: [`[${mo},"mo@example.com"]`, '[true]'] },
        send_new_subscription_messages: BOOLEAN,
        is_default_stream: BOOLEAN,
        topics_policy: { accepted: ['inherit', '"inherit"'], refused: ['', 'x', 'null'] },
        message_retention_days: { accepted: ['7', '"unlimited"', 'realm_default'], refused: ['', '0', 'x', 'null'] },
        folder_id: { accepted: [String(folder)], refused: ['', 'x', '"5"', '999999'] },
      },
      beside: { message_retention_days: toNew, folder_id: toNew },
    },
    {
      route: 'PATCH /users/me/subscriptions',
      form: { add: '[{"name":"general"}]' },
      forms: {
        add: {
          accepted: ['[{"name":"new","color":"#76ce90"}]', '[{"name":"new","color":null}]'],
          refused: ['', 'x', '{}', '[5]'],
        },
        delete: strings('["general"]', '[]'),
      },
    },
  ];
}

function ofUsers({ mo, me, members, field, group, bot, webhook }: Things): Entry[] {
  const permission: Forms = {
    accepted: [String(members), `{"direct_members":[${mo}],"direct_subgroups":[]}`],
    refused: ['', 'x', '"5"', '[]', '{}', 'null', '999999'],
  };
  const profileData: Forms = {
    accepted: ['[]', `[{"id":${field},"value":"cat"}]`, `[{"id":${field},"value":null}]`],
    refused: ['', '{}', '[1]', 'null', '[{"value":"cat"}]', '[{"id":999999,"value":"cat"}]'],
  };
  return [
    {
      route: 'POST /register',
      form: {},
      forms: {
        narrow: { accepted: ['null'] },
        event_types: { accepted: ['null'] },
        fetch_event_types: { accepted: ['null'] },
        client_gravatar: { accepted: ['true', 'false', 'null'], refused: ['True', '1', '"true"', ''] },
        client_capabilities: { accepted: ['{"notification_settings_null":true}'], refused: ['null', '"x"'] },
        include_subscribers: { accepted: ['"partial"'], refused: ['null'] },
        queue_lifespan_secs: integer(0, 600),
        idle_queue_timeout: { accepted: ['600', '"mobile"', 'mobile'], refused: ['', 'x', '600.5', 'null', '[]'] },
        presence_history_limit_days: integer(0, 14),
      },
    },
    {
      route: `PATCH /users/${mo}`,
      form: { full_name: 'Mo' },
      forms: { profile_data: profileData },
    },
    { route: 'PATCH /users/me/profile_data', form: { data: '[]' }, forms: { data: profileData } },
    { route: 'DELETE /users/me/profile_data', form: { data: '[]' }, forms: { data: list([], [field]) } },
    {
      route: 'POST /users',
      form: { email: 'new@example.com', full_name: 'New', password: 'a long enough one' },
      forms: {
        email: { accepted: ['new2@example.com'], refused: ['', 'x', '"new@example.com"'] },
        full_name: { accepted: ['Ñew', '55'], refused: ['', 'a*b', '"New"'] },
        role: { accepted: ['400', '600'], refused: ['', '500', '"400"', '400.0', 'null'] },
      },
    },
    {
      route: 'POST /realm/profile_fields',
      form: { name: 'Colour', field_type: '1' },
      forms: {
        name: { accepted: ['"a"', '5'], refused: ['', ' '] },
        hint: raw('', '"a"'),
        field_type: { accepted: ['1', '2', '4', '5', '6', '8'], refused: ['', '99', '"1"', '1.0', 'null'] },
        display_in_profile_summary: BOOLEAN,
        required: BOOLEAN,
        editable_by_user: BOOLEAN,
      },
    },
    {
      route: 'POST /realm/profile_fields',
      form: { name: 'Size', field_type: '3', field_data: '{"0":{"text":"S","order":"1"}}' },
      forms: {
        field_data: {
          accepted: ['{"0":{"text":"S","order":"1"},"1":{"text":"M","order":"2"}}'],
          refused: ['', 'x', '[]', '5', '{}', '{"0":{"text":"S"}}', '{"0":{"text":"","order":"1"}}', '{"0":5}'],
        },
      },
    },
    {
      route: `PATCH /realm/profile_fields/${field}`,
      form: { name: 'Pet' },
      forms: {
        name: { accepted: ['"a"', '5'], refused: ['', ' '] },
        hint: raw('', '"a"'),
        display_in_profile_summary: BOOLEAN,
        required: BOOLEAN,
        editable_by_user: BOOLEAN,
      },
    },
    { route: 'PATCH /realm/profile_fields', form: { order: `[${field}]` }, forms: { order: list([field]) } },
    {
      route: 'PATCH /settings',
      form: { enter_sends: 'true' },
      forms: {
        default_language: { accepted: ['de', 'pt_BR', 'zh-hans'], refused: ['x'] },
        web_line_height_percent: { accepted: ['122', '200'], refused: ['', 'x', '"140"', '140.5'] },
        web_animate_image_previews: oneOf('always', 'on_hover', 'never'),
        web_channel_default_view: POLICY,
        demote_inactive_streams: choices(1, 2, 3),
        user_list_style: choices(1, 2, 3),
        web_mark_read_on_scroll_policy: choices(1, 2, 3),
        web_stream_unreads_count_display_policy: choices(1, 2, 3),
        realm_name_in_email_notifications_policy: choices(1, 2, 3),
        desktop_icon_count_display: POLICY,
        automatically_follow_topics_policy: POLICY,
        automatically_unmute_topics_in_muted_streams_policy: POLICY,
        email_address_visibility: choices(1, 2, 3, 4, 5),
        notification_sound: { accepted: ['zulip', 'none'], refused: ['x y', '"zulip"'] },
        full_name: { accepted: ['Ñew', '55'], refused: ['"New"'] },
        timezone: { accepted: ['UTC', 'America/New_York'], refused: ['x', 'Europe/Nowhere'] },
        enable_drafts_synchronization: BOOLEAN,
        presence_enabled: BOOLEAN,
        send_read_receipts: BOOLEAN,
        enable_stream_push_notifications: BOOLEAN,
        wildcard_mentions_notify: BOOLEAN,
        twenty_four_hour_time: BOOLEAN,
      },
    },
    {
      route: 'POST /users/me/status',
      form: { status_text: 'out' },
      forms: {
        emoji_name: { accepted: ['tada', ''], refused: ['no_such_emoji'] },
        emoji_code: { accepted: ['1f389'], refused: ['x'] },
        reaction_type: oneOf('unicode_emoji'),
      },
      beside: { emoji_code: { emoji_name: 'tada' }, reaction_type: { emoji_name: 'tada', emoji_code: '1f389' } },
    },
    {
      route: 'DELETE /users/me/alert_words',
      form: { alert_words: '["a"]' },
      forms: { alert_words: strings('["a"]', '[]') },
    },
    {
      route: 'POST /users/me/presence',
      form: { status: 'active' },
      forms: { history_limit_days: COUNT, last_update_id: { accepted: ['-1'], refused: ['null', '-1.0'] } },
    },
    { route: 'GET /user_groups', form: {}, forms: { include_deactivated_groups: BOOLEAN } },
    {
      route: 'POST /user_groups/create',
      form: { name: 'new', description: 'a', members: '[]' },
      forms: {
        name: { accepted: ['"new"', '5', ' new '], refused: ['', 'role:new', '@new'] },
        description: raw('', '"a"'),
        members: list([], [mo], [mo, mo]),
        subgroups: list([], [group]),
        can_add_members_group: permission,
        can_join_group: permission,
        can_leave_group: permission,
        can_manage_group: permission,
        can_mention_group: permission,
        can_remove_members_group: permission,
      },
    },
    { route: `GET /user_groups/${group}/members`, form: {}, forms: { direct_member_only: BOOLEAN } },
    { route: `GET /user_groups/${group}/subgroups`, form: {}, forms: { direct_subgroup_only: BOOLEAN } },
    { route: `GET /user_groups/${group}/members/${me}`, form: {}, forms: { direct_member_only: BOOLEAN } },
    {
      route: 'POST /bots',
      form: { full_name: 'Caller', short_name: 'caller', bot_type: '3', payload_url: 'https://example.com/' },
      forms: {
        full_name: { accepted: ['Ñew', '55'], refused: ['', '"New"'] },
        short_name: { accepted: ['new', '5'] },
        bot_type: { accepted: ['1', '2', '3'], refused: ['', '0', '9', '"1"', '1.0', 'null'] },
        payload_url: {
          accepted: ['"https://example.com/a"', 'https://example.com/a'],
          refused: ['', 'x', '5', 'null', '"x"', '"ftp://example.com/"'],
        },
        interface_type: choices(1, 2),
      },
    },
    {
      route: `PATCH /bots/${bot}`,
      form: { full_name: 'Clerk' },
      forms: {
        full_name: { accepted: ['Ñew', '55'], refused: ['a*b', '"New"'] },
        bot_owner_id: integer(mo),
        role: { accepted: ['400', '600'], refused: ['', '500', '"400"', '400.0', 'null'] },
      },
    },
    {
      route: `PATCH /bots/${webhook}`,
      form: { full_name: 'Hook' },
      forms: {
        service_payload_url: {
          accepted: ['"https://example.com/a"', 'https://example.com/a'],
          refused: ['', 'x', '"x"', 'null'],
        },
        service_interface: choices(1, 2),
      },
    },
    {
      route: 'PUT /bot_storage',
      form: { storage: '{}' },
      forms: {
        storage: {
          accepted: ['{"a":"b"}', '{"a":"","":"b"}'],
          refused: ['', 'x', '[]', '5', '{"a":5}', '{"a":null}', 'null'],
        },
      },
    },
    { route: 'GET /bot_storage', form: {}, forms: { keys: { accepted: ['[]'], refused: ['', 'x', '{}', '[5]'] } } },
  ];
}

function ofOrganization({ channel, members, filter }: Things): Entry[] {
  const permission: Forms = {
    accepted: [`{"new":${members}}`, `{"new":{"direct_members":[],"direct_subgroups":[${members}]}}`],
    refused: ['', String(members), '{}', '{"old":1}', '{"new":"5"}', 'null', '[]'],
  };
  return [
    {
      route: 'PATCH /realm',
      form: { name: 'Chat' },
      forms: {
        name: { accepted: ['"Chat"', '5'], refused: ['', 'x'.repeat(41)] },
        description: { accepted: ['', '"a"'], refused: ['x'.repeat(1_001)] },
        allow_message_editing: BOOLEAN,
        avatar_changes_disabled: BOOLEAN,
        default_code_block_language: raw('', 'python'),
        enable_read_receipts: BOOLEAN,
        message_content_delete_limit_seconds: seconds,
        message_content_edit_limit_seconds: seconds,
        move_messages_between_streams_limit_seconds: seconds,
        move_messages_within_stream_limit_seconds: seconds,
        message_retention_days: { ...seconds, accepted: ['7', '"unlimited"', 'unlimited'] },
        name_changes_disabled: BOOLEAN,
        require_unique_names: BOOLEAN,
        new_stream_announcements_stream_id: channelId(channel),
        moderation_request_channel_id: { ...channelId(channel), accepted: ['-1'] },
        waiting_period_threshold: COUNT,
        topics_policy: {
          accepted: ['allow_empty_topic', '"allow_empty_topic"', 'disable_empty_topic'],
          refused: ['', 'x', 'null', '1'],
        },
        message_edit_history_visibility_policy: {
          accepted: ['all', '"moves"', 'none'],
          refused: ['', 'x', 'null', '1'],
        },
        welcome_message_custom_text: raw('', '"a"'),
        can_create_public_channel_group: permission,
        can_invite_users_group: permission,
        direct_message_permission_group: permission,
      },
    },
    {
      route: 'PATCH /realm/user_settings_defaults',
      form: { enter_sends: 'true' },
      forms: {
        color_scheme: choices(1, 2, 3),
        emojiset: oneOf('google', 'google-blob', 'twitter', 'text'),
        web_font_size_px: { accepted: ['11', '20'], refused: ['', 'x', '"14"', '14.5'] },
        email_notifications_batching_period_seconds: between(1, 604_800),
        notification_sound: { accepted: ['zulip', 'none'], refused: ['x y'] },
        twenty_four_hour_time: BOOLEAN,
        email_address_visibility: choices(1, 2, 3, 4, 5),
      },
    },
    {
      route: 'POST /realm/domains',
      form: { domain: 'example.org', allow_subdomains: 'true' },
      forms: {
        domain: { accepted: ['b.example.org', 'B.example.org'], refused: ['', 'x y', '"example.org"'] },
        allow_subdomains: BOOLEAN,
      },
    },
    {
      route: 'PATCH /realm/domains/example.com',
      form: { allow_subdomains: 'true' },
      forms: { allow_subdomains: BOOLEAN },
    },
    {
      route: 'POST /realm/filters',
      form: { pattern: 'PR(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' },
      forms: {
        pattern: { accepted: ['T-(?P<id>[0-9]+)'], refused: ['', '('] },
        url_template: { accepted: ['https://example.com/{?id}'], refused: ['', 'https://example.com/{other}'] },
      },
    },
    {
      route: 'PATCH /realm/linkifiers',
      form: { ordered_linkifier_ids: `[${filter}]` },
      forms: { ordered_linkifier_ids: list([filter]) },
    },
    {
      route: 'POST /realm/test_welcome_bot_custom_message',
      form: { welcome_message_custom_text: 'Hello' },
      forms: { welcome_message_custom_text: raw('"Hello"', '5') },
    },
  ];
}
