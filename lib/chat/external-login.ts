import { ChatError } from '../base/errors.ts';
import { type ExternalLoginRules, type ExternalPerson, externalAccount } from '../domains/users/external-login.ts';
import { auditEntry } from '../engine/audit.ts';
import type { Caller } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import { asHost } from '../viewer/as-host.ts';

const ANYONE = { access: 'anyone' } as const;
/** The name of the action in the audit log. */
const ACTION = 'externalLogin';

/**
 * The account of a person after the login at a provider. Creates the account if `rules` allow it.
 * @param caller who asks, for the audit log
 * @throws AdoptionRefused, BadRequest, UserDeactivated with messages for the person
 */
export async function externalLogin(
  engine: Engine,
  person: ExternalPerson,
  rules: ExternalLoginRules,
  caller: Pick<Caller, 'client' | 'network' | 'request'>,
): Promise<{ userId: number; keyGeneration: number }> {
  const { client, network = null, request = null } = caller;
  try {
    return await engine.transact(ANYONE, { userId: null, client }, 'write', async (context) => {
      const { user, isNew, hasNewRole } = await externalAccount(await asHost(context), person, rules);
      const details = { ...(isNew && { is_new: true }), ...(hasNewRole && { role: user.role }) };
      await context.tx.audit.add([auditEntry(context.now, ACTION, { user_id: user.id, client, request, details })]);
      return { userId: user.id, keyGeneration: user.key_generation };
    });
  } catch (error) {
    if (error instanceof ChatError && error.status < 500) {
      const { status, code } = error;
      engine.refusals.add({
        entry: auditEntry(engine.clock.now(), ACTION, { status, code, client, network, request }),
      });
    }
    throw error;
  }
}
