import { defineFeature } from '../../../kernel/feature.ts';
import { addApnsToken } from './add-apns-token.ts';
import { addFcmToken } from './add-fcm-token.ts';
import { forgottenTokens } from './forgotten-tokens.ts';
import { removeApnsToken } from './remove-apns-token.ts';
import { removeFcmToken } from './remove-fcm-token.ts';

/**
 * Devices of clients that do not encrypt. Their tokens are forwarded to the push relay within the call, so that
 * whoever adds one learns whether the relay has it; there is no event that could tell it later.
 */
export const legacyPushTokens = defineFeature({
  operations: [addApnsToken, removeApnsToken, addFcmToken, removeFcmToken],
  outbox: [forgottenTokens],
});
