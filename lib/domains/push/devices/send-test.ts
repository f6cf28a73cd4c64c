import { NoActivePushDevice } from '../../../base/errors.ts';
import { integer, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { notifyDevices } from '../notify.ts';
import { about, orRefusal, RELAY_REFUSALS } from '../relay.ts';
import { isActive } from './device.ts';

export const sendTestNotification = defineOperation({
  name: 'push.sendTest',
  http: 'POST /mobile_push/e2ee/test_notification',
  summary: 'Send a test notification to your own devices',
  description: 'Returns when the push relay has accepted the notification.',
  example: { push_account_id: 2408 },
  access: 'human',
  effect: 'manual',
  params: {
    push_account_id: optional(integer, 'Send to this device only. Default: all your devices.'),
  },
  errors: [NoActivePushDevice, ...RELAY_REFUSALS],
  async run({ now, services, isDryRun, transact }, { push_account_id }) {
    const { own, actor, organization } = await transact('read', async ({ tx, actor, organization }) => ({
      own: await tx.pushDevices.of(actor.id),
      actor,
      organization,
    }));
    const devices = own
      .filter(isActive)
      .filter((device) => push_account_id === undefined || device.push_account_id === push_account_id);
    if (devices.length === 0) throw new NoActivePushDevice();
    if (isDryRun) return;
    const payload = { type: 'test', ...about(services, organization, actor), time: Math.floor(now / 1000) } as const;
    const notices = devices.map((device) => ({ device, payload }));
    const sent = await orRefusal(services, actor, () => notifyDevices(services, organization, notices));
    // The keys of all these devices are invalid.
    if (sent === 0) throw new NoActivePushDevice();
  },
});
