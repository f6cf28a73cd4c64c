import { areUsableKeys } from '../../../adapters/web-push.ts';
import { BadRequest, PushServiceNotConfigured } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isReachableHost, type PrivateNetworks } from '../../../rules/public-addresses.ts';
import { roomsOf } from '../../../rules/roles.ts';
import { checkIsOn, credentialsOf, newEndpoint } from './browser.ts';

/** Per account. Browsers sometimes change their endpoint, so a new one replaces the oldest. */
const MAX_BROWSERS = 10;
const MAX_KEY = 200;
/** Time without an open page of the chat, after which a browser gets no notifications. */
const KEEP_MS = 30 * 24 * 3_600_000;

export const addPushBrowser = defineOperation({
  name: 'push.addBrowser',
  http: 'POST /web_push/browsers',
  summary: 'Add a browser for push notifications',
  description: `Pass the subscription of the browser for the key of push.getWebKey. Call it whenever a page opens: the browser gets notifications for 30 days after the last call, or until its login cookie or token expires. If another account added the endpoint, it moves to your account. A new API key, a new password and \`tokens.revoke\` remove the browser. At most ${MAX_BROWSERS} browsers per account: a new one replaces the oldest. With a token for rooms, the browser gets only messages of these rooms, also after the token has expired.`,
  example: {
    endpoint: 'https://push.example.com/send/c0ffee',
    public_key: 'BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI',
    auth_secret: 'FPssNDTKnInHVndSTdbKFw',
  },
  access: 'human',
  ownAccount: true,
  forRooms: true,
  effect: 'mark',
  params: {
    endpoint: newEndpoint,
    public_key: describe(nonEmptyText(MAX_KEY), 'Public key of the subscription (`p256dh`), in base64url.'),
    auth_secret: describe(nonEmptyText(MAX_KEY), 'Secret of the subscription (`auth`), in base64url.'),
  },
  errors: [PushServiceNotConfigured],
  async run({ tx, actor, now, services, loginId, loginEndsAt }, { endpoint, public_key, auth_secret }) {
    checkIsOn(services);
    checkEndpoint(endpoint, services.options.outgoingWebhooks.allowPrivateAddresses ?? false);
    if (!areUsableKeys({ public_key, auth_secret }))
      throw new BadRequest('public_key and auth_secret are not keys of a subscription. Pass `p256dh` and `auth`.');
    const rooms = roomsOf(actor);
    // A token for rooms gives no more than these rooms. The access that others give must not outlive them.
    const endsMs = rooms ? undefined : loginEndsAt;
    await tx.pushBrowsers.add(
      {
        ...{ user_id: actor.id, endpoint, public_key, auth_secret, credentials: credentialsOf(actor) },
        login_id: loginId ?? null,
        rooms: rooms ? [...rooms.channels] : null,
        ends_ms: endsMs ?? now + KEEP_MS,
      },
      MAX_BROWSERS,
    );
  },
});

/**
 * Checks the URL. When the server calls it, it also checks the resolved address. Allows URLs without TLS only in private
 * networks that the host allows.
 */
function checkEndpoint(endpoint: string, allowed: PrivateNetworks): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || url.username || url.password || !/^https?:$/.test(url.protocol))
    throw new BadRequest('endpoint must be a URL with https, without a login.');
  const isPublic = isReachableHost(url.hostname, false);
  if (!isPublic && !isReachableHost(url.hostname, allowed))
    throw new BadRequest('endpoint is in a private network, which this server does not call.');
  if (isPublic && url.protocol === 'http:') throw new BadRequest('endpoint must begin with https://.');
}
