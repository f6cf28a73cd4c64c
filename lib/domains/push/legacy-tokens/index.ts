import { defineFeature } from '../../../operation/feature.ts';
import { addApnsToken } from './add-apns-token.ts';
import { addFcmToken } from './add-fcm-token.ts';
import { removeApnsToken } from './remove-apns-token.ts';
import { removeFcmToken } from './remove-fcm-token.ts';
import { sendPlainTestNotification } from './send-plain-test.ts';
import { changedTokens } from './tokens.ts';

/** Devices of clients without encryption. The request waits for the relay, because no event could report it. */
export const legacyPushTokens = defineFeature({
  operations: [addApnsToken, removeApnsToken, addFcmToken, removeFcmToken, sendPlainTestNotification],
  outbox: [changedTokens],
});
