import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { between, choice, describe, list, optional, secret } from '../../../base/schemas.ts';
import { defineOperation, SCOPES } from '../../../operation/operation.ts';
import { isRoom } from '../../../rules/channels.ts';
import { MAX_ROOMS, signLogin } from '../../../rules/credentials.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { orMissing } from '../../../viewer/viewer.ts';
import { externalId } from '../../../views/external-ids.ts';

const DEFAULT_SECONDS = 3_600;
const MAX_SECONDS = 86_400;

/**
 * The channels of the rooms, ascending. The caller must be subscribed.
 * @throws BadRequest, with the same message if there is no such room
 */
async function roomIds({ tx, actor }: AccountContext, rooms: readonly string[]): Promise<number[]> {
  if (rooms.length === 0) throw new BadRequest('rooms must contain the external ID of a room.');
  const found = await tx.channels.byExternalIds(rooms);
  const ids = found.map(({ id }) => id);
  const own = (await tx.subscriptions.pairs([actor.id], orMissing(ids))).filter(({ active }) => active);
  const inside = new Set(own.map(({ channel_id }) => channel_id));
  const open = found.filter((channel) => isRoom(channel) && inside.has(channel.id));
  const missing = rooms.find((room) => !open.some(({ external_id }) => external_id === room));
  if (missing !== undefined)
    throw new BadRequest(`There is no room with the external ID "${missing}" that you are in.`);
  return open.map(({ id }) => id).sort((one, other) => one - other);
}

export const createToken = defineOperation({
  name: 'tokens.create',
  http: 'POST /tokens',
  summary: 'Create a token: a login for a limited time',
  description:
    'Send it as "Authorization: Bearer …". It works for pages of other sites too. It gets and creates no secrets that outlive it. It cannot change who can log in. It ends early with `tokens.revoke`, if the account is deactivated, or if its API key is replaced.',
  example: { ttl_seconds: 600 },
  access: 'user',
  ownAccount: true,
  params: {
    ttl_seconds: optional(between(1, MAX_SECONDS), 'Seconds until it expires.', DEFAULT_SECONDS),
    scopes: optional(
      v.pipe(list(choice(SCOPES), SCOPES.length), v.minLength(1, 'must contain read or write')),
      'What it allows: `read`, or `write`, which includes reading. Default: everything.',
    ),
    rooms: optional(
      list(externalId, MAX_ROOMS),
      `External IDs of at most ${MAX_ROOMS} rooms. The token reads and writes only their messages, as a guest.`,
    ),
  },
  result: v.object({
    token: secret(v.string(), 'The token. Only this response contains it.'),
    token_id: describe(v.string(), 'Ends the token early, with `tokens.revoke`.'),
    expires_at: describe(v.number(), 'UNIX timestamp in seconds.'),
    user_id: v.number(),
  }),
  async run(context, { ttl_seconds, scopes = SCOPES, rooms }) {
    const { actor, organization, now, services } = context;
    const expires_at = Math.floor(now / 1000) + ttl_seconds;
    const { id, text } = signLogin(
      {
        kind: 'token',
        secret: organization.secret,
        hostSecrets: services.options.loginSecrets,
        passwordHash: null,
      },
      {
        userId: actor.id,
        keyGeneration: actor.key_generation,
        loginGeneration: actor.login_generation,
        expiresAt: expires_at,
        mayWrite: scopes.includes('write'),
        rooms: rooms && (await roomIds(context, rooms)),
      },
    );
    return { token: text, token_id: id, expires_at, user_id: actor.id };
  },
});
