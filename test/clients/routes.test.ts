import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { Router } from '../../server/router.ts';

/** Every call of a client library: methods, and a path with placeholders for IDs. */
const CALLS: Readonly<Record<string, string>> = {
  Python: `
    GET,POST messages
    GET messages/matches_narrow
    GET,PATCH,DELETE messages/7
    GET messages/7/history
    POST,DELETE messages/7/reactions
    POST messages/flags
    POST messages/render
    POST mark_all_as_read
    POST mark_stream_as_read
    POST mark_topic_as_read
    POST user_uploads
    GET user_uploads/2/ab/file.txt
    GET attachments
    GET realm/emoji
    POST,DELETE realm/emoji/tada
    GET realm/linkifiers
    GET,POST realm/filters
    DELETE realm/filters/7
    GET,POST,PATCH realm/profile_fields
    PATCH,DELETE realm/profile_fields/7
    GET server_settings
    POST register
    GET,DELETE events
    GET,POST users
    GET users/me
    GET,PATCH,DELETE users/7
    POST users/7/reactivate
    GET users/ada@example.com/presence
    GET realm/presence
    POST users/me/presence
    GET,POST,DELETE users/me/alert_words
    GET,POST,DELETE users/me/subscriptions
    PATCH users/me/subscriptions/muted_topics
    POST users/me/subscriptions/properties
    GET users/7/subscriptions/7
    GET users/me/7/topics
    GET streams
    PATCH,DELETE streams/7
    GET streams/7/members
    GET streams/7/email_address
    GET get_stream_id
    POST default_streams
    PATCH settings/notifications
    GET user_groups
    POST user_groups/create
    PATCH,DELETE user_groups/7
    POST user_groups/7/members
    GET,PUT bot_storage
    POST typing`,
  JavaScript: `
    POST fetch_api_key
    GET server_settings
    POST register
    GET,DELETE events
    GET,POST messages
    GET,PATCH,DELETE messages/7
    GET messages/7/history
    POST,DELETE messages/7/reactions
    POST messages/flags
    POST messages/render
    GET realm/emoji
    GET realm/filters
    GET streams
    DELETE streams/7
    GET get_stream_id
    GET,POST,DELETE users/me/subscriptions
    GET users/me/7/topics
    POST typing
    GET,POST users
    GET users/me
    GET users/me/alert_words
    GET,POST users/me/pointer`,
  mobile: `
    GET server_settings
    POST fetch_api_key
    POST register
    GET events
    GET,POST messages
    GET,PATCH,DELETE messages/7
    POST messages/7/report
    POST,DELETE messages/7/reactions
    POST messages/flags
    POST messages/flags/narrow
    GET messages/7/read_receipts
    POST user_uploads
    GET user_uploads/2/ab/file.txt
    POST,DELETE users/me/subscriptions
    POST users/me/subscriptions/properties
    PATCH users/me/subscriptions/muted_topics
    GET users/me/7/topics
    POST user_topics
    GET users/me
    POST users/me/status
    POST users/me/presence
    POST typing
    PATCH settings
    POST saved_snippets
    POST submessage
    POST,DELETE users/me/android_gcm_reg_id
    POST,DELETE users/me/apns_device_token
    POST mobile_push/register
    POST register_client_device
    POST remove_client_device`,
  terminal: `
    GET server_settings
    POST fetch_api_key
    POST register
    GET,DELETE events
    GET,POST messages
    GET,PATCH messages/7
    GET messages/7/history
    POST,DELETE messages/7/reactions
    POST messages/flags
    POST typing
    POST users/me/presence
    POST users/me/subscriptions/properties
    GET users/me/7/topics
    GET streams/7/email_address`,
  desktop: 'GET server_settings',
  Go: `
    POST dev_fetch_api_key
    POST fetch_api_key
    GET server_settings
    POST register
    GET,DELETE events
    GET,POST messages
    GET messages/matches_narrow
    GET,PATCH,DELETE messages/7
    GET messages/7/history
    GET messages/7/read_receipts
    POST messages/7/report
    POST messages/7/typing
    POST,DELETE messages/7/reactions
    POST messages/flags
    POST messages/flags/narrow
    POST messages/render
    POST mark_all_as_read
    POST mark_stream_as_read
    POST mark_topic_as_read
    POST typing
    POST user_uploads
    GET user_uploads/2/ab/file.txt
    GET attachments
    DELETE attachments/7
    GET,POST drafts
    PATCH,DELETE drafts/7
    GET,POST saved_snippets
    PATCH,DELETE saved_snippets/7
    GET,POST reminders
    DELETE reminders/7
    GET,POST scheduled_messages
    PATCH,DELETE scheduled_messages/7
    GET,POST navigation_views
    PATCH,DELETE navigation_views/inbox
    POST channels/create
    GET,PATCH channel_folders
    POST channel_folders/create
    PATCH channel_folders/7
    POST,DELETE default_streams
    GET streams
    GET,PATCH,DELETE streams/7
    POST streams/7/delete_topic
    GET streams/7/members
    GET streams/7/email_address
    GET get_stream_id
    GET calls/bigbluebutton/create
    GET,POST,PATCH,DELETE users/me/subscriptions
    POST users/me/subscriptions/properties
    PATCH users/me/subscriptions/muted_topics
    GET users/me/7/topics
    POST user_topics
    GET users/7/subscriptions/7
    GET,POST invites
    DELETE invites/7
    POST invites/7/resend
    POST invites/multiuse
    DELETE invites/multiuse/7
    POST mobile_push/register
    POST mobile_push/test_notification
    POST mobile_push/e2ee/test_notification
    POST,DELETE users/me/android_gcm_reg_id
    POST,DELETE users/me/apns_device_token
    GET,POST realm/playgrounds
    DELETE realm/playgrounds/7
    GET,PATCH realm/linkifiers
    POST realm/filters
    PATCH,DELETE realm/filters/7
    GET,POST,PATCH realm/profile_fields
    GET realm/emoji
    POST,DELETE realm/emoji/tada
    GET realm/presence
    PATCH realm/user_settings_defaults
    POST realm/test_welcome_bot_custom_message
    GET,POST export/realm
    GET export/realm/consents
    GET,POST users
    GET,PATCH,DELETE users/7
    GET,PATCH users/ada@example.com
    POST users/7/reactivate
    GET,POST users/7/status
    GET users/ada@example.com/presence
    GET,DELETE users/me
    POST users/me/status
    POST users/me/presence
    GET,POST,DELETE users/me/alert_words
    POST,DELETE users/me/muted_users/7
    PATCH settings
    GET user_groups
    POST user_groups/create
    PATCH user_groups/7
    POST user_groups/7/deactivate
    GET,POST user_groups/7/members
    GET user_groups/7/members/7
    GET,POST user_groups/7/subgroups`,
};

/** Calls that docs/clients.md lists as missing. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  JavaScript: ['GET users/me/pointer', 'POST users/me/pointer'],
  mobile: ['POST register_client_device', 'POST remove_client_device'],
  Go: ['GET calls/bigbluebutton/create'],
};

const router = new Router(catalogue as readonly Operation[]);

for (const [client, calls] of Object.entries(CALLS)) {
  test(`every call of the ${client} client has a route, except documented ones`, () => {
    const absent = calls
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [methods = '', path = ''] = line.trim().split(' ');
        const there = router.find(path)?.methods;
        return methods.split(',').flatMap((method) => (there?.get(method) ? [] : [`${method} ${path}`]));
      });
    assert.deepEqual(absent, ABSENT[client] ?? []);
  });
}
