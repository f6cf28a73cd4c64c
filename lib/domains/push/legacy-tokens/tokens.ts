import * as v from 'valibot';
import type { ManualContext, TransactionContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import {
  AdminActionRequired,
  FailedToConnectBouncer,
  InternalServerErrorOnBouncer,
} from '../../../kernel/push-errors.ts';
import { describe, empty, text } from '../../../kernel/schemas.ts';
import { PushRelayError } from '../../../ports/push-relay.ts';
import type { PushTokenRecord } from '../../../storage/interface/push-tokens.ts';
import { refusalFor } from '../relay-problems.ts';
import { relayToken } from './relay-token.ts';

const MAX_TOKEN = 4_096;
/** Of an account, for size alone: some added at the same moment may pass it. Clients take out those that they use no more. */
const MAX_TOKENS = 50;

export const tokenParam = describe(text(MAX_TOKEN), 'Name of the device at the service, of 1 to 4096 characters.');

type Service = 'apns' | 'fcm';

const OWNERS = { apns: "Apple's", fcm: "Google's" } as const;

/** What operations about tokens have in common. */
const ABOUT_TOKENS = {
  access: 'human',
  effect: 'manual',
  result: empty,
  errors: [BadRequest, AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer],
} as const;

/** What operations that add a device have in common, by its service. */
export const tokenAddition = (service: Service) => ({
  ...ABOUT_TOKENS,
  summary: `Add a device of a client that does not encrypt, by its token at ${OWNERS[service]} service`,
  description:
    'What is sent to it is not encrypted; clients that can decrypt use push.register. The push relay, where there is one, has been told when this is answered.',
});

/** Likewise of operations that take one out, wholly. */
export const tokenRemoval = (service: Service) => ({
  ...ABOUT_TOKENS,
  summary: `Take out a device by its token at ${OWNERS[service]} service`,
  description: 'It is told no more of messages.',
  params: v.object({ token: tokenParam }),
  async run(context: ManualContext<'human'>, { token }: { token: string }) {
    await removeToken(context, { kind: service, token, ios_app_id: null });
    return {};
  },
});

/**
 * Adds a device of a client that does not encrypt. The relay learns of it first: what it refuses is not kept, and
 * should the process end in between, adding the device once more changes nothing there.
 */
export async function addToken(
  context: ManualContext<'human'>,
  given: Omit<PushTokenRecord, 'user_id'>,
): Promise<void> {
  const token = { user_id: context.actor.id, ...given };
  checkToken(token);
  await context.transact('read', (step) => checkRoom(step, token));
  await tellRelay(context, token, 'registerToken');
  await context.transact('mark', async (step) => {
    await checkRoom(step, token);
    await step.tx.pushTokens.add(token);
  });
}

/** Likewise forgets one. */
async function removeToken(context: ManualContext<'human'>, given: Omit<PushTokenRecord, 'user_id'>): Promise<void> {
  const token = { user_id: context.actor.id, ...given };
  checkToken(token);
  const isThere = await context.transact('read', async ({ tx }) =>
    (await tx.pushTokens.of(token.user_id)).some((one) => isSame(one, token)),
  );
  if (!isThere) throw new BadRequest('You have no device with this token.');
  await tellRelay(context, token, 'unregisterToken');
  // Two clients may have done it at once: then it is done.
  await context.transact('mark', ({ tx }) => tx.pushTokens.remove(token.user_id, token.kind, [token.token]));
}

function checkToken({ kind, token }: Pick<PushTokenRecord, 'kind' | 'token'>): void {
  if (token === '') throw new BadRequest('A token must not be empty.');
  if (kind === 'apns' && !isAppleToken(token)) throw new BadRequest("This is no token of Apple's service.");
}

/** Bytes, which older clients write in base64 and newer ones in hexadecimal digits. */
function isAppleToken(token: string): boolean {
  if (/^([0-9a-f]{2})+$/i.test(token)) return true;
  return token.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(token);
}

const isSame = (one: PushTokenRecord, other: PushTokenRecord) => one.kind === other.kind && one.token === other.token;

/** Throws where it would be one more than anybody may have. */
async function checkRoom({ tx }: Pick<TransactionContext, 'tx'>, token: PushTokenRecord): Promise<void> {
  const present = await tx.pushTokens.of(token.user_id);
  if (present.length < MAX_TOKENS || present.some((one) => isSame(one, token))) return;
  throw new BadRequest(`You can have at most ${MAX_TOKENS} devices; remove one first.`);
}

/** Nothing is told where there is no relay, or where it is only tried. @throws what the caller is refused with */
async function tellRelay(
  { organization, services, isTrial }: ManualContext<'human'>,
  token: PushTokenRecord,
  act: 'registerToken' | 'unregisterToken',
): Promise<void> {
  const { pushRelay } = services.options;
  if (!pushRelay || isTrial) return;
  try {
    await pushRelay[act](relayToken(token, organization));
  } catch (error) {
    if (!(error instanceof PushRelayError)) throw error;
    services.logger.warn({ error, user: token.user_id }, 'the push relay was not told of a token');
    throw error.problem === 'refused' ? new BadRequest(error.message) : refusalFor(error);
  }
}
