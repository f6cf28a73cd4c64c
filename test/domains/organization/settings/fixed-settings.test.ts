import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { editOrganization } from '../../../../lib/domains/organization/settings/edit.ts';
import { sqliteEngine } from '../../../world/copies.ts';

/** Parameters of PATCH /realm of the reference server that are neither permissions nor older names of others. */
const OF_REFERENCE = [
  ...['name', 'description', 'allow_message_editing', 'authentication_methods', 'avatar_changes_disabled'],
  ...['default_code_block_language', 'default_language', 'digest_emails_enabled', 'digest_weekday'],
  ...['disallow_disposable_email_addresses', 'email_changes_disabled', 'emails_restricted_to_domains'],
  ...['enable_guest_user_indicator', 'enable_read_receipts', 'enable_spectator_access', 'giphy_rating'],
  ...['inline_image_preview', 'inline_url_embed_preview', 'invite_required', 'jitsi_server_url'],
  ...['message_content_allowed_in_email_notifications', 'message_content_delete_limit_seconds'],
  ...['message_content_edit_limit_seconds', 'message_edit_history_visibility_policy', 'message_retention_days'],
  ...['move_messages_between_streams_limit_seconds', 'move_messages_within_stream_limit_seconds'],
  ...['moderation_request_channel_id', 'name_changes_disabled', 'new_stream_announcements_stream_id', 'org_type'],
  ...['require_unique_names', 'send_welcome_emails', 'signup_announcements_stream_id', 'topics_policy'],
  ...['video_chat_provider', 'waiting_period_threshold', 'want_advertise_in_communities_directory'],
  ...['welcome_message_custom_text', 'zulip_update_announcements_stream_id'],
];

/** The table of docs/clients.md: values by setting. */
async function documented(): Promise<Map<string, unknown>> {
  const text = await readFile(new URL('../../../../docs/clients.md', import.meta.url), 'utf8');
  const table = text.slice(text.indexOf('## Fixed settings'));
  return new Map(
    [...table.matchAll(/^\| `(\w+)` \| `(.+?)` \|/gm)].map(([, name = '', value = '']) => [name, JSON.parse(value)]),
  );
}

test('each setting of PATCH /realm takes effect, or is documented as fixed, announced and reported as ignored', async (t) => {
  const world = await sqliteEngine.world({});
  t.after(() => world.close());
  const fixed = await documented();
  const changeable = Object.keys(editOrganization.params);
  assert.deepEqual(
    OF_REFERENCE.filter((name) => fixed.has(name) === changeable.includes(name)),
    [],
  );
  const state: Record<string, unknown> = await world.as('owner').register({ fetch_event_types: ['realm'] });
  for (const [name, value] of fixed) assert.deepEqual(state[`realm_${name}`], value, name);
  const given = Object.fromEntries([...fixed].map(([name]) => [name, 'x']));
  const { ignored_parameters_unsupported } = await world.as('owner').organization.edit(given as never);
  assert.deepEqual(ignored_parameters_unsupported, [...fixed.keys()].sort());
});

test('email_changes_disabled takes effect, and a bad value is refused', async (t) => {
  const world = await sqliteEngine.world({});
  t.after(() => world.close());
  const owner = world.as('owner').organization;
  const changed: Record<string, unknown> = await owner.edit({ email_changes_disabled: true });
  assert.equal(changed.email_changes_disabled, true);
  const { realm_email_changes_disabled } = await world.as('hamlet').register({ fetch_event_types: ['realm'] });
  assert.equal(realm_email_changes_disabled, true);
  await assert.rejects(owner.edit({ email_changes_disabled: 'maybe' } as never), { code: 'BAD_REQUEST' });
});
