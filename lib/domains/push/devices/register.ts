import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { PushServiceNotConfigured } from '../../../kernel/push-errors.ts';
import { choice, describe, empty, integer, text } from '../../../kernel/schemas.ts';
import { pushDeviceChanged } from './events.ts';
import { pushRegistration } from './registration.ts';

/** What is sent to somebody is encrypted for each of their devices. */
const MAX_DEVICES = 50;
/** Base64 of a key has 44 characters. */
const MAX_KEY = 200;
/** Base64 of the longest token, with what is around it. */
const MAX_REGISTRATION = 10_000;

export const registerPushDevice = defineOperation({
  name: 'push.register',
  http: 'POST /mobile_push/register',
  summary: 'Register a device that is notified of messages',
  description:
    'What is sent to it is encrypted, so that the services in between cannot read it. The device is made known to the push relay afterwards: a push_device event tells what came of it. One that is registered already is left as it is, unless that had failed.',
  example: {
    token_kind: 'fcm',
    push_account_id: 2408,
    push_public_key: 'n0kF5HCSnSVkv3w2hpaLcQfZ8cEw1XEZqm2U3zJdvG0=',
    bouncer_public_key: 'CmdEWTLSvDZcpo23y2bhS4WNzHcW1a0kHqVjmvVTlwY=',
    encrypted_push_registration: 'b3Blbg==',
  },
  access: 'human',
  effect: 'mark',
  params: v.object({
    token_kind: describe(choice(['fcm', 'apns']), "Whose service reaches it: Google's or Apple's."),
    push_account_id: describe(
      integer,
      "The client's own random number for this account, which comes with notifications.",
    ),
    push_public_key: describe(text(MAX_KEY), 'Public key of the client, base64: 32 bytes of Curve25519.'),
    bouncer_public_key: describe(
      text(MAX_KEY),
      'Public key of the push relay that the registration is encrypted with.',
    ),
    encrypted_push_registration: describe(
      text(MAX_REGISTRATION),
      'Token of the device and what belongs to it, encrypted for the push relay; base64.',
    ),
  }),
  result: empty,
  errors: [BadRequest, PushServiceNotConfigured],
  async run(context, { encrypted_push_registration, bouncer_public_key, ...device }) {
    const { tx, actor, services, enqueue, emit } = context;
    if (!services.options.pushRelay) throw new PushServiceNotConfigured();
    const count = await tx.pushDevices.count(actor.id);
    const isNew = count < MAX_DEVICES || (await tx.pushDevices.byAccount(actor.id, device.push_account_id));
    if (!isNew) throw new BadRequest(`You can have at most ${MAX_DEVICES} devices.`);
    const registration = await tx.pushDevices.register({ user_id: actor.id, ...device });
    if (!registration) return {};
    enqueue(pushRegistration({ ...registration, encrypted_push_registration, bouncer_public_key }));
    emit(
      { users: [actor.id] },
      pushDeviceChanged({ push_account_id: String(device.push_account_id), status: 'pending' }),
    );
    return {};
  },
});
