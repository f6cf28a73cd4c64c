import * as v from 'valibot';
import { webPushKeys } from '../../../adapters/web-push.ts';
import { PushServiceNotConfigured } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkIsOn } from './browser.ts';

export const webPushKey = v.object({
  public_key: describe(v.string(), 'The `applicationServerKey` for `pushManager.subscribe`, in base64url.'),
});

export const getWebPushKey = defineOperation({
  name: 'push.getWebKey',
  http: 'GET /web_push/key',
  summary: 'Get the public key for push notifications in browsers',
  description: 'A browser subscribes at its push service for this key. Then call push.addBrowser.',
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
