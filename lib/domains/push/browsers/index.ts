import { defineFeature } from '../../../operation/feature.ts';
import { addPushBrowser } from './add-browser.ts';
import { getWebPushKey } from './get-web-key.ts';
import { regenerateWebPushKey } from './regenerate-web-key.ts';
import { removePushBrowser } from './remove-browser.ts';
import { removeFromBrowser, sendToBrowser } from './send.ts';

/**
 * Browsers that get push notifications by Web Push, also while no page of the chat is open: a way of
 * `notifications/decision` (`browsers.ts`). Each notification is encrypted for the browser (`lib/adapters/web-push.ts`).
 */
export const pushBrowsers = defineFeature({
  operations: [getWebPushKey, regenerateWebPushKey, addPushBrowser, removePushBrowser],
  outbox: [sendToBrowser, removeFromBrowser],
});
