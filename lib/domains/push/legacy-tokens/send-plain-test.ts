import * as v from 'valibot';
import { InvalidPushDeviceToken } from '../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { notifyTokens } from '../notify.ts';
import { aboutPlainly, orRefusal, RELAY_REFUSALS } from '../relay.ts';
import { ABOUT_TOKENS, isSame, tokenParam } from './tokens.ts';

export const sendPlainTestNotification = defineOperation({
  ...ABOUT_TOKENS,
  name: 'push.sendPlainTest',
  http: 'POST /mobile_push/test_notification',
  summary: 'Send an unencrypted test notification to your own devices',
  description:
    'For devices with a token. The push relay notifies all of them, also if `token` names one. Returns when the relay has accepted the notification. Without a push relay, fails with 403 ADMIN_ACTION_REQUIRED, unless you have no device.',
  example: { token: 'fcm-token' },
  params: { token: v.optional(tokenParam) },
  errors: [InvalidPushDeviceToken, ...RELAY_REFUSALS],
  async run({ now, services, isDryRun, transact }, { token }) {
    const { own, actor, organization } = await transact('read', async ({ tx, actor, organization }) => ({
      own: await tx.pushTokens.of(actor.id),
      actor,
      organization,
    }));
    const tokens = own.filter((device) => token === undefined || isSame(device, { kind: device.kind, token }));
    if (token !== undefined && tokens.length === 0) throw new InvalidPushDeviceToken();
    if (isDryRun || tokens.length === 0) return;
    const test = { ...aboutPlainly(services, organization, actor.id), event: 'test' };
    const body = `This is a test notification from ${organization.name} (${test.realm_url}).`;
    const notice = {
      gcm_payload: { ...test, time: Math.floor(now / 1000) },
      gcm_options: { priority: 'high' as const },
      apns_payload: { alert: { title: 'Test notification', body }, sound: 'default', custom: { zulip: test } },
    };
    await orRefusal(services, actor, () =>
      notifyTokens(services, organization, { user_id: actor.id, tokens, ...notice }),
    );
  },
});
