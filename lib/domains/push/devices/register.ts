import { BadRequest, PushServiceNotConfigured } from '../../../base/errors.ts';
import { choice, describe, integer, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emitDevice, pushRegistration } from './device.ts';

/** Per user. Each notification is encrypted for every device of the user. */
const MAX_DEVICES = 50;
/** In characters. A key has 44 characters in base64. */
const MAX_KEY = 200;
/** In characters: enough for the longest token and its metadata in base64. */
const MAX_REGISTRATION = 10_000;

export const registerPushDevice = defineOperation({
  name: 'push.register',
  http: 'POST /mobile_push/register',
  summary: 'Register a device for encrypted push notifications',
  description:
    'The push services cannot read the notifications. The server registers the device at the push relay in the background and reports the result in a push_device event. Repeating a registration changes nothing, unless it has failed.',
  example: {
    token_kind: 'fcm',
    push_account_id: 2408,
    push_public_key: 'n0kF5HCSnSVkv3w2hpaLcQfZ8cEw1XEZqm2U3zJdvG0=',
    bouncer_public_key: 'CmdEWTLSvDZcpo23y2bhS4WNzHcW1a0kHqVjmvVTlwY=',
    encrypted_push_registration: 'b3Blbg==',
  },
  access: 'human',
  ownAccount: true,
  // The device would get messages after the token has expired.
  scope: 'login',
  effect: 'mark',
  params: {
    token_kind: describe(choice(['fcm', 'apns']), 'Push service of the device: Google (fcm) or Apple (apns).'),
    push_account_id: describe(
      integer,
      'Random number chosen by the client for this account. Notifications contain it.',
    ),
    push_public_key: describe(text(MAX_KEY), 'Public Curve25519 key of the client: 32 bytes in base64.'),
    bouncer_public_key: describe(text(MAX_KEY), 'Public key of the push relay, used to encrypt the registration.'),
    encrypted_push_registration: describe(
      text(MAX_REGISTRATION),
      'Token and metadata of the device, encrypted for the push relay, in base64.',
    ),
  },
  errors: [PushServiceNotConfigured],
  async run(context, { encrypted_push_registration, bouncer_public_key, ...device }) {
    const { tx, actor, services, enqueue } = context;
    if (!services.options.pushRelay) throw new PushServiceNotConfigured();
    const count = await tx.pushDevices.count(actor.id);
    const isNew = count < MAX_DEVICES || (await tx.pushDevices.byAccount(actor.id, device.push_account_id));
    if (!isNew) throw new BadRequest(`You can register at most ${MAX_DEVICES} devices.`);
    const registration = await tx.pushDevices.register({ user_id: actor.id, ...device });
    if (!registration) return;
    enqueue(pushRegistration({ ...registration, encrypted_push_registration, bouncer_public_key }));
    emitDevice(context, { user_id: actor.id, ...device }, { status: 'pending' });
  },
});
