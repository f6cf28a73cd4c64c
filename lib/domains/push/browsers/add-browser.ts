import { areUsableKeys } from '../../../adapters/web-push.ts';
import { BadRequest, PushServiceNotConfigured } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isReachableHost, type PrivateNetworks } from '../../../rules/public-addresses.ts';
import { roomsOf } from '../../../rules/roles.ts';
import { checkIsOn, credentialsOf, newEndpoint } from './browser.ts';

/** Per account. A further one replaces the one that was added first: browsers change their endpoint now and then. */
const MAX_BROWSERS = 10;
const MAX_KEY = 200;
/** A browser in which no page of the chat was opened for this time gets nothing more. */
const KEEP_MS = 30 * 24 * 3_600_000;

export const addPushBrowser = defineOperation({
  name: 'push.addBrowser',
  http: 'POST /web_push/browsers',
  summary: 'Add a browser for push notifications',
  description: `Pass the subscription of the browser for the key of push.getWebKey. Call it whenever a page opens: a browser gets notifications for 30 days after the last call, or until its login cookie or token expires. It takes over a known endpoint, also from another account. A new API key, a new password and \`tokens.revoke\` remove the browser. At most ${MAX_BROWSERS} browsers per account: a further one replaces the oldest. A browser that a token for rooms has added gets messages of these rooms only, for 30 days.`,
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
 * The server calls the endpoint later, and then looks at the address behind the name too. Without TLS, only addresses in
 * private networks that the host allows.
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
