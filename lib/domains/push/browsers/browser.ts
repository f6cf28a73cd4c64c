import { hash } from 'node:crypto';
import * as v from 'valibot';
import { PushServiceNotConfigured } from '../../../base/errors.ts';
import { describe, nonEmptyText, text } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import type { PushBrowser } from '../../../storage/interface/push.ts';
import type { Services } from '../../../viewer/context.ts';

/** Characters. Endpoints of push services have at most 600 today. */
const MAX_ENDPOINT = 1_000;

const ABOUT_ENDPOINT = `URL at the push service of the browser: \`endpoint\` of its subscription. At most ${MAX_ENDPOINT} characters.`;

export const newEndpoint = describe(nonEmptyText(MAX_ENDPOINT), ABOUT_ENDPOINT);
export const knownEndpoint = describe(text(MAX_ENDPOINT), ABOUT_ENDPOINT);

export const webPushKey = v.object({
  public_key: describe(v.string(), 'The `applicationServerKey` for `pushManager.subscribe`, in base64url.'),
});

/** Digest of the credentials of the account. When it changes, browsers from before get no notifications. */
export const credentialsOf = ({ key_generation, login_generation, password_hash }: User) =>
  hash('sha256', JSON.stringify([key_generation, login_generation, password_hash]));

/** Whether the login that added the browser would still be valid. */
export const isValid = ({ credentials, ends_ms }: PushBrowser, user: User, now: number) =>
  user.is_active && now < ends_ms && credentials === credentialsOf(user);

export function checkIsOn({ options }: Services): void {
  if (!options.notifications.browsers) throw new PushServiceNotConfigured();
}
