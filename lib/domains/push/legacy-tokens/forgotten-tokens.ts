import { PushRelayError } from '../../../adapters/push-relay.ts';
import { defineOutboxKind } from '../../../kernel/outbox.ts';
import type { PushTokenRecord } from '../../../storage/interface/push-tokens.ts';
import { relayToken } from './relay-token.ts';

export interface ForgottenTokens {
  user_id: number;
  tokens: Omit<PushTokenRecord, 'user_id'>[];
}

const RETRY_FOR_MS = 24 * 3_600_000;

/**
 * Deletes tokens of an account at the relay. Needed because the relay sends each notification to all tokens that it
 * knows of the account. Skips tokens that have been added again.
 */
export const forgottenTokens = defineOutboxKind<ForgottenTokens>('push-forgotten-tokens', {
  concurrency: 2,
  retryForMs: RETRY_FOR_MS,
  async perform(services, { user_id, tokens }) {
    const { pushRelay } = services.options;
    if (!pushRelay) return;
    const { organization, present } = await services.storage.read(async (tx) => ({
      organization: await tx.organization.get(),
      present: await tx.pushTokens.of(user_id),
    }));
    if (!organization) return;
    for (const token of tokens) {
      if (present.some((one) => one.kind === token.kind && one.token === token.token)) continue;
      try {
        await pushRelay.unregisterToken(relayToken({ user_id, ...token }, organization));
      } catch (error) {
        // The relay does not have the token, perhaps because of an earlier attempt.
        if (!(error instanceof PushRelayError) || error.problem !== 'refused') throw error;
      }
    }
  },
});
