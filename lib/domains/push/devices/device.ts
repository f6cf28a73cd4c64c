import * as v from 'valibot';
import type { Snapshot, TransactionContext } from '../../../access/context.ts';
import { describe, optional } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { ActivePushDevice, PushDevice } from '../../../storage/interface/push.ts';

type Status = 'pending' | 'active' | 'failed';

export function isActive(device: PushDevice): device is ActivePushDevice {
  return device.error_code === null && device.relay_device_id !== null;
}

export function statusOf(device: PushDevice): Status {
  if (device.error_code !== null) return 'failed';
  return isActive(device) ? 'active' : 'pending';
}

/** Also sent if push notifications are not configured any more, because clients would drop their registration. */
export async function pushDeviceState({ context: { tx, actor } }: Snapshot) {
  const push_devices: Record<string, { status: Status; error_code: string | null }> = {};
  for (const device of await tx.pushDevices.of(actor.id)) {
    push_devices[device.push_account_id] = { status: statusOf(device), error_code: device.error_code };
  }
  return { push_devices };
}

const pushDeviceStatus = v.picklist(['pending', 'active', 'failed']);

export const pushDeviceChanged = defineEvent('push_device', {
  summary: "The status of one of the reader's device registrations changed.",
  fields: {
    push_account_id: describe(v.string(), 'The `push_account_id` of the registration, as a string.'),
    status: pushDeviceStatus,
    error_code: optional(v.string(), 'Why it failed. Only if `status` is failed.'),
  },
});

export function emitDevice(
  { emit }: Pick<TransactionContext, 'emit'>,
  { user_id, push_account_id }: Pick<PushDevice, 'user_id' | 'push_account_id'>,
  outcome: { status: Status; error_code?: string },
): void {
  emit({ users: [user_id] }, pushDeviceChanged({ push_account_id: String(push_account_id), ...outcome }));
}
