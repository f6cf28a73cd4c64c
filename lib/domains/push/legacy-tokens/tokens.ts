import { PushRelayError, type PushToken } from '../../../adapters/push-relay.ts';
import { AdminActionRequired, BadRequest } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import type { Organization } from '../../../model/organization.ts';
import { defineOutboxKind } from '../../../operation/feature.ts';
import type { PushTokenKind, PushTokenRecord } from '../../../storage/interface/push.ts';
import type { ManualContext, OutboxDraft, Services } from '../../../viewer/context.ts';
import { accountUuid } from '../relay.ts';

const MAX_TOKEN = 4_096;
/** Per account. Only limits the size: concurrent requests may exceed it. */
const MAX_TOKENS = 50;

export const tokenParam = describe(
  nonEmptyText(MAX_TOKEN),
  'Token of the device at the push service, 1 to 4096 characters.',
);

const OWNERS = { apns: "Apple's", fcm: "Google's" } as const;

export const ABOUT_TOKENS = {
  access: 'human',
  ownAccount: true,
  effect: 'manual',
  errors: [AdminActionRequired],
} as const;

export const tokenAddition = (kind: PushTokenKind) => ({
  ...ABOUT_TOKENS,
  // The device would get messages after the token of the caller has expired.
  scope: 'login' as const,
  summary: `Add a device for unencrypted push notifications by its token at ${OWNERS[kind]} service`,
  description:
    'Notifications are not encrypted. Clients that support encryption use push.register. If the push relay cannot be reached, it gets the token later.',
});

/** The operations that remove a device, complete with `run`. */
export const tokenRemoval = (kind: PushTokenKind) => ({
  ...ABOUT_TOKENS,
  summary: `Remove a device by its token at ${OWNERS[kind]} service`,
  description: 'The device gets no more push notifications.',
  params: { token: tokenParam },
  async run(context: ManualContext<'human'>, given: { token: string }) {
    checkToken({ kind, ...given });
    const { present, organization } = await presentTokens(context);
    const token = present.find((own) => isSame(own, { kind, ...given }));
    if (!token) throw new BadRequest('You have no device with this token.');
    const isLate = await tellRelay(context, organization, token, 'unregisterToken');
    await context.transact('mark', async ({ tx, enqueue }) => {
      // No error if another request has removed it in the meantime.
      await tx.pushTokens.remove(token.user_id, kind, [token.token]);
      if (isLate) enqueue(changedTokens({ user_id: token.user_id, tokens: [token] }));
    });
  },
});

/** Calls the relay first, so that a refused token is not stored. Adding a token again is harmless. */
export async function addToken(context: ManualContext<'human'>, given: Omit<PushTokenRecord, 'user_id'>) {
  checkToken(given);
  const { present, actor, organization } = await presentTokens(context);
  const token = { user_id: actor.id, ...given, token: tokenKey(given) };
  const own = present.find((other) => isSame(other, token));
  if (present.length >= MAX_TOKENS && !own) {
    throw new BadRequest(`You can have at most ${MAX_TOKENS} devices. Remove a device first.`);
  }
  const isLate = await tellRelay(context, organization, token, 'registerToken');
  const change = changedTokens({ user_id: token.user_id, tokens: [token] });
  try {
    await context.transact('mark', async ({ tx, enqueue }) => {
      await tx.pushTokens.add({ ...token, token: own?.token ?? token.token });
      if (isLate) enqueue(change);
    });
  } catch (error) {
    // The relay has the token now, but the account was deactivated, or its API key was replaced, during the call.
    if (!context.isDryRun) await lateChange(context.services, change);
    throw error;
  }
}

/** The devices of the caller. */
const presentTokens = ({ transact }: ManualContext<'human'>) =>
  transact('read', async ({ tx, actor, organization }) => ({
    present: await tx.pushTokens.of(actor.id),
    actor,
    organization,
  }));

async function lateChange({ asSystem, logger }: Services, change: OutboxDraft): Promise<void> {
  await asSystem('mark', async ({ enqueue }) => enqueue(change)).catch((error: unknown) => {
    logger.warn({ error }, 'a token that was not stored stays at the push relay');
  });
}

function checkToken({ kind, token }: Pick<PushTokenRecord, 'kind' | 'token'>): void {
  if (token === '') throw new BadRequest('token must not be empty.');
  if (kind === 'apns' && !isAppleToken(token))
    throw new BadRequest("This is not a token of Apple's service. Use hexadecimal digits or base64.");
}

const HEXADECIMAL = /^(?:[0-9a-f]{2})+$/i;

/** Older clients encode the bytes in base64, newer clients in hexadecimal digits. */
function isAppleToken(token: string): boolean {
  if (HEXADECIMAL.test(token)) return true;
  return token.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(token);
}

type Token = Pick<PushTokenRecord, 'kind' | 'token'>;

/** The case of hexadecimal digits does not matter; that of base64 does. */
const tokenKey = ({ kind, token }: Token) => (kind === 'apns' && HEXADECIMAL.test(token) ? token.toLowerCase() : token);

export const isSame = (a: Token, b: Token) => a.kind === b.kind && tokenKey(a) === tokenKey(b);

/** Calls the relay, if any; not in a dry run. True if it has a fault or cannot be reached, so it must be called later. */
async function tellRelay(
  { services, isDryRun }: ManualContext<'human'>,
  organization: Organization,
  token: PushTokenRecord,
  act: 'registerToken' | 'unregisterToken',
): Promise<boolean> {
  const { pushRelay } = services.options;
  if (!pushRelay || isDryRun) return false;
  try {
    await pushRelay[act](relayToken(token, organization));
    return false;
  } catch (error) {
    if (!(error instanceof PushRelayError)) throw error;
    services.logger.warn({ error, user: token.user_id }, 'the push relay did not accept the change of a token');
    // A token to delete that the relay does not have needs nothing.
    if (error.problem === 'refused' && act === 'unregisterToken') return false;
    if (error.problem === 'refused') throw new BadRequest(error.message);
    if (error.problem === 'misconfigured') throw new AdminActionRequired();
    return true;
  }
}

type ChangedTokens = { user_id: number; tokens: PushTokenRecord[] };

const RETRY_FOR_MS = 24 * 3_600_000;

/**
 * Registers the tokens that the account has at the relay, and deletes the others. Needed because the relay sends each
 * notification to all tokens that it knows of the account.
 */
export const changedTokens = defineOutboxKind<ChangedTokens>('push-forgotten-tokens', {
  concurrency: 2,
  retryForMs: RETRY_FOR_MS,
  async perform(services, { user_id, tokens }) {
    const { pushRelay } = services.options;
    if (!pushRelay) return;
    const tokensNow = () => services.storage.read((tx) => tx.pushTokens.of(user_id));
    const organization = await services.storage.read((tx) => tx.organization.get());
    const present = await tokensNow();
    if (!organization) return;
    for (const token of tokens) {
      const own = present.find((other) => isSame(other, token));
      try {
        await pushRelay[own ? 'registerToken' : 'unregisterToken'](relayToken(own ?? token, organization));
      } catch (error) {
        if (!(error instanceof PushRelayError) || error.problem !== 'refused') throw error;
        if (!own) continue;
        services.logger.warn({ error, user: user_id }, 'the push relay refused a token later: deleted');
        await services.asSystem('mark', ({ tx }) => tx.pushTokens.remove(user_id, own.kind, [own.token]));
        present.splice(present.indexOf(own), 1);
      }
    }
    // The call for a later change may have reached the relay before these calls.
    const later = await tokensNow();
    const isChanged = (token: Token) =>
      present.some((own) => isSame(own, token)) !== later.some((own) => isSame(own, token));
    if (tokens.some(isChanged)) throw new Error('A token has changed since the relay was called.');
  },
});

function relayToken(
  { user_id, kind, token, ios_app_id }: PushTokenRecord,
  organization: Pick<Organization, 'uuid'>,
): PushToken {
  return {
    realm_uuid: organization.uuid,
    user_uuid: accountUuid({ id: user_id }, organization),
    user_id,
    token,
    token_kind: kind === 'apns' ? 1 : 2,
    ...(ios_app_id === null ? {} : { ios_app_id }),
  };
}
