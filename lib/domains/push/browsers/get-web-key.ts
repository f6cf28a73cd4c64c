import { webPushKeys } from '../../../adapters/web-push.ts';
import { PushServiceNotConfigured } from '../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkIsOn, webPushKey } from './browser.ts';

export const getWebPushKey = defineOperation({
  name: 'push.getWebKey',
  http: 'GET /web_push/key',
  summary: 'Get the public key for push notifications in browsers',
  description:
    'Pass it to `pushManager.subscribe` of the browser as `applicationServerKey`. Then call push.addBrowser.',
  example: {},
  access: 'human',
  forRooms: true,
  params: {},
  result: webPushKey,
  errors: [PushServiceNotConfigured],
  async run({ services, organization: { secret, web_push_generation } }) {
    checkIsOn(services);
    return { public_key: webPushKeys(secret, web_push_generation).publicKey };
  },
});
