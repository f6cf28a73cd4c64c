import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue, type Operation, routesOf } from '../../../../lib/internal.ts';

/** Routes that refuse bots in the reference server, by the decorator of their view. */
const REFERENCE = {
  human_users_only: [
    'PATCH /settings',
    'PATCH /settings/display',
    'PATCH /settings/notifications',
    'PATCH /users/me/profile_data',
    'DELETE /users/me/profile_data',
    'POST /users/me/presence',
    'POST /users/me/status',
    'POST /users/me/apns_device_token',
    'DELETE /users/me/apns_device_token',
    'POST /users/me/android_gcm_reg_id',
    'DELETE /users/me/android_gcm_reg_id',
    'POST /mobile_push/register',
    'POST /mobile_push/e2ee/test_notification',
    'POST /mobile_push/test_notification',
  ],
  require_member_or_admin: [
    'GET /bots',
    'POST /bots',
    'PATCH /bots/{bot_id}',
    'POST /bots/{bot_id}/api_key/regenerate',
    'GET /bots/{bot_id}/api_key',
    'GET /invites',
    'POST /invites',
    'POST /invites/multiuse',
    'POST /invites/{invite_id}/resend',
    'DELETE /invites/{invite_id}',
    'DELETE /invites/multiuse/{invite_id}',
    'POST /realm/emoji/{emoji_name}',
    'GET /user_groups',
    'POST /user_groups/create',
    'PATCH /user_groups/{user_group_id}',
    'POST /user_groups/{user_group_id}/deactivate',
    'DELETE /user_groups/{user_group_id}',
    'GET /user_groups/{user_group_id}/members',
    'POST /user_groups/{user_group_id}/members',
    'GET /user_groups/{user_group_id}/members/{user_id}',
    'GET /user_groups/{user_group_id}/subgroups',
    'POST /user_groups/{user_group_id}/subgroups',
  ],
};

test('B13: bots are refused exactly where the reference server refuses them', () => {
  const routes = (catalogue as readonly Operation[]).flatMap((operation) =>
    routesOf(operation).map(({ method, path }) => ({ route: `${method} ${path}`, access: operation.access })),
  );
  // The reference server has no Web Push, and no second factor in its API.
  const shared = routes.filter(({ route }) => !/ \/web_push\/|\/second_factor/.test(route));
  const refused = shared.filter(({ access }) => access.startsWith('human')).map(({ route }) => route);
  const known = new Set(routes.map(({ route }) => route));
  const expected = Object.values(REFERENCE)
    .flat()
    .filter((route) => known.has(route));
  assert.deepEqual(refused.sort(), expected.sort());
});
