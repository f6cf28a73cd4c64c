import { defineFeature } from '../../../operation/feature.ts';
import { pushDeviceChanged, pushDeviceState, pushRegistration } from './device.ts';
import { registerPushDevice } from './register.ts';
import { sendTestNotification } from './send-test.ts';

/** Devices that get push notifications encrypted with their key. The relay cannot read them. */
export const pushDevices = defineFeature({
  operations: [registerPushDevice, sendTestNotification],
  events: [pushDeviceChanged],
  initialState: { push_device: pushDeviceState },
  outbox: [pushRegistration],
});
