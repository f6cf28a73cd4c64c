import { defineFeature } from '../../../operation/feature.ts';
import { pushDeviceChanged, pushDeviceState } from './device.ts';
import { registerPushDevice } from './register.ts';
import { pushRegistration } from './registration.ts';
import { sendTestNotification } from './send-test.ts';

/**
 * Devices that get encrypted push notifications. Notifications are encrypted with the key of the device. The relay,
 * which forwards them to Apple's and Google's services, cannot read them.
 */
export const pushDevices = defineFeature({
  operations: [registerPushDevice, sendTestNotification],
  events: [pushDeviceChanged],
  initialState: { push_device: pushDeviceState },
  outbox: [pushRegistration],
});
