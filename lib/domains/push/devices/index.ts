import { defineFeature } from '../../../kernel/feature.ts';
import { pushDeviceState } from './device-state.ts';
import { pushDeviceChanged } from './events.ts';
import { registerPushDevice } from './register.ts';
import { pushRegistration } from './registration.ts';
import { sendTestNotification } from './send-test.ts';

/**
 * Devices that are notified. What a device is told is encrypted with its own key; the relay that hands it to Apple's
 * and Google's services knows the devices and cannot read what they are told.
 */
export const pushDevices = defineFeature({
  operations: [registerPushDevice, sendTestNotification],
  events: [pushDeviceChanged],
  initialState: { push_device: pushDeviceState },
  outbox: [pushRegistration],
});
