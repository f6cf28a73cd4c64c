import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BOOLEAN,
  differences,
  type Entry,
  type Forms,
  integer,
  list,
  NO_STRINGS,
  oneOf,
  raw,
  type Things,
  things,
} from './forms.ts';
import { furtherForms } from './further-forms.ts';
import { running } from './running.ts';

/** The contract's operations with parameters, except the upload, which has none. */
function table(of: Things): Entry[] {
  const { mo, me, channel, message, members, moderators, group, other, filter, field, scheduled_message_id } = of;
  const people = `{"direct_members":[${mo}],"direct_subgroups":[]}`;
  const permission: Forms = {
    accepted: [String(members), people, `{"direct_subgroups":[${moderators}],"direct_members":[${me},${mo}]}`],
    refused: ['', 'x', '"5"', '5.0', '[]', '{}', 'null', '{"direct_members":[]}', '999999', `[${members}]`],
  };
  const permissionUpdate: Forms = {
    accepted: [`{"new":${members}}`, `{"new":${people}}`],
    refused: ['', String(members), people, '{}', '{"old":1}', `{"new":${members},"more":1}`, '{"new":"5"}', 'null'],
  };
  const message1 = { content: 'later', topic: 'a', scheduled_delivery_timestamp: '4102444800' };
  const toChannel = { ...message1, type: 'channel', to: String(channel) };
  const time: Forms = { accepted: ['4102444801'], refused: ['', 'x', '"4102444801"', '4102444801.0', '1', '-1'] };
  const minutes: Forms = { accepted: ['5', '14400', 'null'], refused: ['', 'x', '0', '-1', '5.5', '"5"', 'true'] };
  const role: Forms = {
    accepted: ['100', '200', '300', '400', '600'],
    refused: ['', '500', '"400"', '400.0', 'member', 'null'],
  };
  const offer = {
    invite_expires_in_minutes: minutes,
    invite_as: role,
    stream_ids: list([], [channel]),
    group_ids: list([], [group]),
    include_realm_default_subscriptions: BOOLEAN,
    welcome_message_custom_text: raw('Hello', '', 'null', '"Hello"'),
  };
  const key = 'n0kF5HCSnSVkv3w2hpaLcQfZ8cEw1XEZqm2U3zJdvG0=';
  return [
    {
      route: 'POST /scheduled_messages',
      form: toChannel,
      forms: {
        type: oneOf('channel', 'stream'),
        to: { accepted: [String(channel)], refused: ['', 'x', `${channel}.0`, '{}', 'null', '999999'] },
        content: raw('"quoted"', '[1]', ' spaces '),
        topic: raw('b', '"b"', '5'),
        scheduled_delivery_timestamp: time,
        read_by_sender: BOOLEAN,
      },
    },
    {
      route: 'POST /scheduled_messages',
      form: { ...message1, type: 'direct', to: `[${mo}]` },
      forms: {
        type: oneOf('direct', 'private'),
        to: { accepted: [`[${mo}]`, `[${mo},${me}]`, `[${mo},${mo}]`], refused: ['', 'x', '{}', '[999999]', '["x"]'] },
      },
    },
    {
      route: `PATCH /scheduled_messages/${scheduled_message_id}`,
      form: { content: 'b' },
      forms: {
        type: oneOf('channel', 'stream'),
        to: { accepted: [String(channel)], refused: ['', 'x', '{}', '999999'] },
        content: raw('"quoted"', '5'),
        topic: raw('b', '5'),
        scheduled_delivery_timestamp: time,
      },
      beside: { type: { to: String(channel), topic: 'b' } },
    },
    {
      route: 'POST /channels/create',
      form: { name: 'new', subscribers: '[]' },
      forms: {
        name: raw('"quoted"', '5', 'Ünï', ' spaces '),
        description: raw('', '*text*', '"quoted"'),
        subscribers: list([], [me], [me, mo], [mo, mo]),
        announce: BOOLEAN,
        invite_only: BOOLEAN,
        is_default_stream: BOOLEAN,
        history_public_to_subscribers: BOOLEAN,
        topics_policy: {
          accepted: ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only', '"inherit"'],
          refused: ['', 'unknown', '1', 'null', '["inherit"]'],
        },
        message_retention_days: {
          accepted: ['7', '"unlimited"', '"realm_default"', 'unlimited', 'realm_default'],
          refused: ['', '0', '-5', '7.5', '"x"', 'null', '[]'],
        },
        can_add_subscribers_group: permission,
        can_administer_channel_group: permission,
        can_delete_any_message_group: permission,
        can_delete_own_message_group: permission,
        can_move_messages_out_of_channel_group: permission,
        can_move_messages_within_channel_group: permission,
        can_remove_subscribers_group: permission,
        can_send_message_group: permission,
      },
    },
    {
      route: 'DELETE /users/me/subscriptions',
      form: { subscriptions: '["general"]' },
      forms: {
        subscriptions: { accepted: ['["general"]', '["General"]', '["general","general"]'], refused: NO_STRINGS },
        principals: {
          accepted: [`[${mo}]`, `[${mo},${me}]`, '["mo@example.com"]'],
          refused: ['', String(mo), '"mo@example.com"', '{}', 'null', '[999999]', `[${mo}.0]`],
        },
      },
    },
    {
      route: 'PATCH /users/me/subscriptions/muted_topics',
      form: { stream_id: String(channel), topic: 'a', op: 'add' },
      forms: { stream_id: integer(channel), topic: raw('b', '"b"', '5', ''), op: oneOf('add', 'remove') },
    },
    {
      route: 'PATCH /users/me/subscriptions/muted_topics',
      form: { stream: 'general', topic: 'a', op: 'add' },
      forms: { stream: raw('general', 'General') },
    },
    {
      route: `PATCH /user_groups/${group}`,
      form: { name: 'team' },
      forms: {
        name: raw('"quoted"', '5', ' spaces '),
        description: raw('', '"quoted"', 'null'),
        deactivated: BOOLEAN,
        can_add_members_group: permissionUpdate,
        can_join_group: permissionUpdate,
        can_leave_group: permissionUpdate,
        can_manage_group: permissionUpdate,
        can_mention_group: permissionUpdate,
        can_remove_members_group: permissionUpdate,
      },
    },
    {
      route: `POST /user_groups/${group}/members`,
      form: { delete: `[${me}]` },
      forms: {
        add: list([], [mo]),
        add_subgroups: list([], [other]),
        delete_subgroups: list([]),
      },
    },
    {
      route: `POST /user_groups/${group}/subgroups`,
      form: { add: `[${other}]` },
      forms: { add: list([other]), delete: list([]) },
    },
    {
      route: 'GET /users',
      form: {},
      forms: {
        client_gravatar: BOOLEAN,
        include_custom_profile_fields: BOOLEAN,
        user_ids: list([], [me], [me, mo], [mo, mo]),
      },
    },
    {
      route: `GET /users/${mo}`,
      form: {},
      forms: { client_gravatar: BOOLEAN, include_custom_profile_fields: BOOLEAN },
    },
    {
      route: 'PATCH /users/mo@example.com',
      form: { full_name: 'Moira' },
      forms: {
        full_name: raw('Moira', '12', ' Moira ', ''),
        role,
        profile_data: {
          accepted: ['[]', `[{"id":${field},"value":"cat"}]`, `[{"id":${field},"value":""}]`],
          refused: ['', '{}', '[1]', 'null', `[{"id":"${field}","value":"cat"}]`, '[{"value":"cat"}]'],
        },
      },
    },
    {
      route: 'POST /invites',
      form: { invitee_emails: 'ben@example.com', stream_ids: '[]' },
      forms: {
        ...offer,
        invitee_emails: {
          accepted: [
            'ben@example.com,cleo@example.com',
            'Ben <ben@example.com>\ncleo@example.com',
            ' ben@example.com ',
          ],
          refused: ['', ' ', ',', 'ben'],
        },
        notify_referrer_on_join: BOOLEAN,
      },
    },
    { route: 'POST /invites/multiuse', form: {}, forms: offer },
    {
      route: `GET /messages/${message}/history`,
      form: {},
      forms: { allow_empty_topic_name: BOOLEAN, strict_content: BOOLEAN },
    },
    {
      route: `POST /messages/${message}/reactions`,
      form: { emoji_name: 'tada' },
      forms: {
        emoji_name: { accepted: ['tada', 'smile'], refused: ['', 'no_such_emoji', '"tada"'] },
        emoji_code: { accepted: ['1f389'], refused: ['', '1f388', 'x'] },
        reaction_type: oneOf('unicode_emoji'),
      },
    },
    {
      route: 'POST /mobile_push/register',
      form: {
        token_kind: 'fcm',
        push_account_id: '2408',
        push_public_key: key,
        bouncer_public_key: key,
        encrypted_push_registration: 'aGVsbG8=',
      },
      forms: { token_kind: oneOf('fcm', 'apns'), push_account_id: integer(0, 2408, 2 ** 32 - 1) },
    },
    {
      route: 'POST /mobile_push/e2ee/test_notification',
      form: {},
      forms: { push_account_id: integer(0, 2408) },
    },
    {
      route: 'POST /users/me/apns_device_token',
      form: { token: 'c0ffee', appid: 'org.zulip.Zulip' },
      forms: {
        token: { accepted: ['c0ffee', 'C0FFEE'], refused: ['', 'x'.repeat(4_097)] },
        appid: { accepted: ['org.zulip.Zulip', 'a-b.c'], refused: ['a b', 'a/b'] },
      },
    },
    {
      route: 'POST /users/me/android_gcm_reg_id',
      form: { token: 'a:b' },
      forms: { token: { accepted: ['a:b', '"quoted"', 'x'.repeat(4_096)], refused: ['', 'x'.repeat(4_097)] } },
    },
    {
      route: 'POST /realm/playgrounds',
      form: { name: 'Try', pygments_language: 'Python', url_template: 'https://example.com/{code}' },
      forms: {
        name: raw('Try it', '5'),
        pygments_language: raw('Rust', 'c++'),
        url_template: {
          accepted: ['https://example.com/{code}', 'https://example.com/{?code}'],
          refused: ['', 'https://example.com/', 'https://example.com/{code}{other}'],
        },
      },
    },
    {
      route: `PATCH /realm/filters/${filter}`,
      form: { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' },
      forms: {
        pattern: { accepted: ['PR(?P<id>[0-9]+)'], refused: ['', '(', '(?P<other>[0-9]+)'] },
        url_template: {
          accepted: ['https://example.com/{id}', 'https://example.com/{?id}'],
          refused: ['', 'https://example.com/{other}'],
        },
      },
    },
    {
      route: 'POST /dev_fetch_api_key',
      form: { username: 'mo@example.com' },
      forms: { username: raw('MO@example.com') },
    },
  ];
}

/** Operations that clients call most, in addition to those of the contract. */
function furtherTable({ mo, me, channel, message, members }: Things): Entry[] {
  const narrow: Forms = {
    accepted: [
      '[]',
      '[["is","starred"]]',
      '[{"operator":"is","operand":"starred"}]',
      '[{"operator":"channel","operand":"general","negated":true}]',
      `[["channel",${channel}]]`,
      `[["stream","general"],["topic","a"]]`,
      `[{"operator":"dm","operand":[${mo}]}]`,
      '[["pm-with","mo@example.com"]]',
      '[["sender","mo@example.com"]]',
      '[["id","5"]]',
    ],
    refused: ['', 'x', '{}', '5', '[5]', '["is"]', '[["is"]]', '[["no such operator","x"]]', '[["is","no such"]]'],
  };
  const count: Forms = { accepted: ['0', '5'], refused: ['', 'x', '-1', '5.0', '"5"', 'true', 'null'] };
  const toChannel = { type: 'channel', to: 'general', topic: 'a', content: 'a' };
  const name = { subscriptions: '[{"name":"general"}]' };
  return [
    {
      route: 'GET /messages',
      form: { anchor: 'newest', num_before: '1', num_after: '0' },
      forms: {
        anchor: {
          accepted: ['newest', 'oldest', 'first_unread', '5', '0', '99999999999999999', '-5'],
          refused: ['', 'x', '5.5', 'null', '[]'],
        },
        num_before: count,
        num_after: count,
        narrow,
        include_anchor: BOOLEAN,
        client_gravatar: BOOLEAN,
        apply_markdown: BOOLEAN,
        allow_empty_topic_name: BOOLEAN,
        use_first_unread_anchor: BOOLEAN,
        strict_content: BOOLEAN,
      },
    },
    {
      route: 'POST /messages',
      form: toChannel,
      forms: {
        type: oneOf('channel', 'stream'),
        to: {
          accepted: ['general', '"general"', String(channel), '["general"]', `[${channel}]`],
          refused: ['', '[]', '{}', '["general","general"]', '999999'],
        },
        topic: raw('"quoted"', '5', 'null', ''),
        content: raw('"quoted"', '5', 'null'),
        read_by_sender: BOOLEAN,
        queue_id: raw('x'),
        local_id: raw('5', '12.01'),
        idempotency_key: { accepted: ['x', '5', '"x"'], refused: ['', 'x'.repeat(256)] },
      },
      beside: { local_id: { queue_id: 'x' } },
    },
    {
      route: 'POST /messages',
      form: { type: 'direct', to: `[${mo}]`, content: 'a' },
      forms: {
        type: oneOf('direct', 'private'),
        to: {
          accepted: [`[${mo}]`, '["mo@example.com"]', 'mo@example.com', 'mo@example.com,olga@example.com', String(mo)],
          refused: ['', '{}', '[999999]', '["nobody@example.com"]', `[${mo},"mo@example.com"]`],
        },
      },
    },
    {
      route: `PATCH /messages/${message}`,
      form: { content: 'b' },
      forms: {
        content: raw('"quoted"', '5'),
        topic: raw('b', '5'),
        propagate_mode: oneOf('change_one', 'change_later', 'change_all'),
        send_notification_to_old_thread: BOOLEAN,
        send_notification_to_new_thread: BOOLEAN,
        stream_id: integer(channel),
      },
      beside: { propagate_mode: { topic: 'b' } },
    },
    {
      route: 'POST /messages/flags',
      form: { messages: `[${message}]`, op: 'add', flag: 'starred' },
      forms: {
        messages: list([], [message], [message, message]),
        op: oneOf('add', 'remove'),
        flag: oneOf('read', 'starred', 'collapsed'),
      },
    },
    {
      route: 'POST /users/me/subscriptions',
      form: name,
      forms: {
        subscriptions: {
          accepted: [
            '[]',
            '[{"name":"new"}]',
            '[{"name":"new","description":"a"}]',
            '[{"name":"new","color":"#76ce90"}]',
          ],
          refused: ['', 'general', '["general"]', '{}', 'null', '[{}]', '[{"name":5}]', '[{"name":""}]'],
        },
        principals: {
          accepted: [`[${mo}]`, '["mo@example.com"]', '[]'],
          refused: ['', String(mo), '{}', 'null', '[999999]', '["x"]'],
        },
        announce: BOOLEAN,
        invite_only: BOOLEAN,
        authorization_errors_fatal: BOOLEAN,
        history_public_to_subscribers: BOOLEAN,
      },
    },
    {
      route: 'POST /user_topics',
      form: { stream_id: String(channel), topic: 'a', visibility_policy: '1' },
      forms: {
        stream_id: integer(channel),
        topic: raw('b', '', '5'),
        visibility_policy: { accepted: ['0', '1', '2', '3'], refused: ['', '4', '-1', '"1"', '1.0', 'muted', 'null'] },
      },
    },
    {
      route: 'POST /typing',
      form: { op: 'start', to: `[${mo}]` },
      forms: {
        op: oneOf('start', 'stop'),
        type: { accepted: ['direct', 'stream', 'channel'], refused: ['', 'unknown', '1'] },
        to: { accepted: [`[${mo}]`, `[${mo},${me}]`], refused: ['', 'x', '[]', '{}', '["x"]', '[999999]'] },
      },
      beside: { type: { stream_id: String(channel), topic: 'a' } },
    },
    {
      route: 'POST /drafts',
      form: { drafts: '[]' },
      forms: {
        drafts: {
          accepted: [
            '[{"type":"","to":[],"topic":"","content":"a"}]',
            `[{"type":"stream","to":[${channel}],"topic":"a","content":"a","timestamp":1700000000}]`,
            `[{"type":"private","to":[${mo}],"topic":"","content":"a","timestamp":1700000000.5}]`,
          ],
          refused: ['', 'x', '{}', '[5]', '[{}]', '[{"type":"x","to":[],"topic":"","content":"a"}]', 'null'],
        },
      },
    },
    {
      route: 'POST /users/me/presence',
      form: { status: 'active' },
      forms: {
        status: oneOf('active', 'idle'),
        ping_only: BOOLEAN,
        new_user_input: BOOLEAN,
        slim_presence: BOOLEAN,
        last_update_id: { accepted: ['-1', '0', '5'], refused: ['', 'x', '"5"', '5.0'] },
      },
    },
    {
      route: 'POST /users/me/status',
      form: { status_text: 'out' },
      forms: { status_text: raw('', '"quoted"', '5'), away: BOOLEAN, emoji_name: raw('tada', '') },
    },
    {
      route: 'POST /users/me/alert_words',
      form: { alert_words: '["a"]' },
      forms: { alert_words: { accepted: ['["a"]', '["a","b"]', '[]'], refused: ['', 'a', '{}', '[5]', 'null'] } },
    },
    {
      route: 'POST /users/me/subscriptions/properties',
      form: { subscription_data: '[]' },
      forms: {
        subscription_data: {
          accepted: [
            `[{"stream_id":${channel},"property":"pin_to_top","value":true}]`,
            `[{"stream_id":${channel},"property":"color","value":"#76ce90"}]`,
          ],
          refused: ['', 'x', '{}', '[5]', `[{"stream_id":"x","property":"pin_to_top","value":true}]`],
        },
      },
    },
    {
      route: `PATCH /streams/${channel}`,
      form: { description: 'a' },
      forms: {
        description: raw('', '"quoted"', '5'),
        new_name: raw('other', '5'),
        is_private: BOOLEAN,
        message_retention_days: {
          accepted: ['7', '"unlimited"', '"realm_default"'],
          refused: ['', '0', '-5', '7.5', '"x"', '[]'],
        },
        can_send_message_group: { accepted: [`{"new":${members}}`], refused: ['', String(members), '{}', 'null'] },
      },
    },
    {
      route: 'PATCH /settings',
      form: { enter_sends: 'true' },
      forms: {
        enter_sends: BOOLEAN,
        timezone: raw('', 'Europe/Berlin'),
        color_scheme: { accepted: ['1', '2', '3'], refused: ['', '4', '0', '"1"', '1.0'] },
        emojiset: oneOf('google', 'google-blob', 'twitter', 'text'),
        web_home_view: oneOf('recent_topics', 'inbox', 'all_messages'),
        web_font_size_px: { accepted: ['11', '14', '20'], refused: ['', 'x', '"14"', '14.5'] },
        email_notifications_batching_period_seconds: {
          accepted: ['60', '604800'],
          refused: ['0', '-1', '604801', 'x'],
        },
      },
    },
    {
      route: 'POST /register',
      form: {},
      forms: {
        event_types: { accepted: ['[]', '["message"]', '["unknown"]'], refused: ['', 'message', '{}', '[5]'] },
        fetch_event_types: { accepted: ['[]', '["message"]', '["unknown"]'], refused: ['', 'message', '{}', '[5]'] },
        client_capabilities: {
          accepted: ['{}', '{"bulk_message_deletion":true}', '{"unknown":true}'],
          refused: ['', 'x', '[]', '5', '{"bulk_message_deletion":"yes"}'],
        },
        narrow: {
          accepted: ['[]', '[["channel","general"]]', '[["is","x"]]'],
          refused: ['', 'x', '{}', '[["no such","x"]]'],
        },
        all_public_streams: BOOLEAN,
        apply_markdown: BOOLEAN,
        slim_presence: BOOLEAN,
        include_subscribers: { accepted: ['true', 'false', 'partial'], refused: ['', 'x', '1'] },
        include_never_subscribed: BOOLEAN,
      },
    },
  ];
}

test('B: every form of a parameter that the reference server accepts is accepted, and no other', async (t) => {
  const server = await running(t, { rateLimits: false }, { development: true });
  const named = await things(server);
  assert.deepEqual(await differences(server, [...table(named), ...furtherTable(named), ...furtherForms(named)]), []);
});
