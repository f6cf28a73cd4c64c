import type { PushRelayProblem } from '../../lib/index.ts';
import { type Examination, errorOf } from '../../lib/internal.ts';
import type { Problem, Subject } from './report.ts';

const CREDENTIALS =
  'Check --push-relay (PARLANCE_PUSH_RELAY), PARLANCE_PUSH_RELAY_ID and PARLANCE_PUSH_RELAY_KEY, and register this server there.';

const ADVICE: Readonly<Record<PushRelayProblem, string>> = {
  unreachable: 'Check --push-relay (PARLANCE_PUSH_RELAY), and that this machine may connect to it.',
  failing: 'Try again later, then ask the operator of the relay.',
  misconfigured: CREDENTIALS,
  refused: CREDENTIALS,
};

/** Sends an empty list of notifications: the relay checks the credentials and the organization. */
export async function examineRelay(
  { report, relay: settings }: Subject,
  found: Examination | undefined,
): Promise<void> {
  const name = 'push relay';
  if (!settings) return report.skip(name, 'The server sends no notifications to phones: set --push-relay.');
  if (!found) return report.skip(name, 'This check needs the ID of the organization from the database.');
  const { pushRelay, PushRelayError } = await import('../../lib/index.ts');
  const relay = pushRelay(settings);
  try {
    await report.check(name, async () => {
      const answer = await relay.notify(found.organization.uuid, []).catch((error: unknown): Problem => {
        const problem = error instanceof PushRelayError ? error.problem : 'misconfigured';
        return { says: errorOf(error).message, advice: ADVICE[problem] };
      });
      if ('says' in answer) return [answer];
      if (answer.status?.can_push !== false) return [];
      return [
        { says: 'The push relay does not send for this organization.', advice: 'Ask the operator of the relay.' },
      ];
    });
  } finally {
    await relay.close();
  }
}
