import { webPushKeys } from '../../../adapters/web-push.ts';
import { PushServiceNotConfigured } from '../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkIsOn, webPushKey } from './browser.ts';

export const regenerateWebPushKey = defineOperation({
  name: 'push.regenerateWebKey',
  http: 'POST /web_push/key/regenerate',
  summary: 'Replace the keys for push notifications in browsers',
  description:
    'Removes all browsers, because their subscriptions are for the old key. A browser subscribes again when it opens a page of the chat.',
  example: {},
  access: 'owner',
  effect: 'write',
  audited: true,
  params: {},
  result: webPushKey,
  errors: [PushServiceNotConfigured],
  async run({ tx, services, organization: { secret, web_push_generation } }) {
    checkIsOn(services);
    const next = web_push_generation + 1;
    await tx.organization.update({ web_push_generation: next });
    await tx.pushBrowsers.removeAll();
    return { public_key: webPushKeys(secret, next).publicKey };
  },
});
