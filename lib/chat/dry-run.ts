import { BadRequest, ChatError, RateLimitHit, UnauthorizedPrincipal } from '../base/errors.ts';
import { present } from '../base/present.ts';
import { unwrapRawJson } from '../base/raw-json.ts';
import { isOptional } from '../base/text-codec.ts';
import { auditEntry, recordAfterwards } from '../engine/audit.ts';
import type { Transact } from '../engine/call.ts';
import { type CallArguments, type Caller, checkLoginParameters, checkMayAsk } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import { type Explanation, explainDecisions } from '../engine/explanation.ts';
import type { DecodeParameter } from '../engine/parameters.ts';
import type { Change } from '../engine/transaction-context.ts';
import type { User } from '../model/users.ts';
import type { Operation } from '../operation/operation.ts';
import { withFakeSecrets } from '../operation/secrets.ts';
import { emailKey } from '../rules/fold.ts';
import { type Decision, isAdministrator, isBot, roleName } from '../rules/roles.ts';
import { AskerView } from '../viewer/asker-view.ts';
import type { AccountContext } from '../viewer/context.ts';
import { noUser, viewerOf } from '../viewer/viewer.ts';
import { findAccount } from './accounts.ts';
import { type Consequences, consequences, type DryRun, NOTHING } from './consequences.ts';

/**
 * Runs an operation and rolls it back. Throws the same errors as the operation. The secrets in the answer
 * are fake. Real ones would work as soon as the account exists, or already do after a repeated call.
 * @throws BadRequest also if the operation does not support dry runs
 */
export async function dryRun(engine: Engine, ...call: CallArguments): Promise<DryRun> {
  const [operation, caller] = call;
  checkMayAsk(caller);
  checkHasDryRun(operation);
  const shown = (answer: object) => withFakeSecrets(operation, unwrapRawJson(answer));
  if (operation.effect === 'read') return { answer: shown(await engine.call(...call)), ...NOTHING };
  let found: Consequences | undefined;
  const transact = dryRunTransactions(engine, operation, severalSteps, async ({ context, events, items }) => {
    found = await consequences(context, events, items, engine.isPredictable);
  });
  const answer = await engine.preview(call, transact);
  return { answer: shown(answer), ...(found ?? NOTHING) };
}

const severalSteps = () =>
  new BadRequest('This call runs in several steps, and a dry run supports only one. Call it without a dry run.');

/**
 * Transactions of an operation. Inspects the first write with `look` and rolls it back.
 * @param second the error of a second write, which would build on the first
 */
function dryRunTransactions(
  engine: Engine,
  operation: Operation,
  second: () => Error,
  look: (change: Change<unknown>) => Promise<void> = async () => undefined,
): Transact {
  let isWritten = false;
  return async (bound, effect, work, reading) => {
    if (effect === 'read') return engine.transact(operation, bound, effect, work, reading);
    if (isWritten) throw second();
    return engine.dryRunTransaction(operation, bound, effect, work, async (change) => {
      await look(change);
      isWritten = true;
      return change.value;
    });
  };
}

/** Whether a dry run of this operation is possible and useful: it changes something. */
export function hasDryRun(operation: Operation): boolean {
  return operation.effect !== 'read' && operation.effect !== 'poll' && !checksSecret(operation);
}

/** Whether each call checks a password or a code. */
function checksSecret({ limitedBy, params }: Operation): boolean {
  if (limitedBy?.rule !== 'own-password') return limitedBy?.rule === 'sign-in';
  return !isOptional(present(params[limitedBy.password]));
}

/**
 * A dry run rolls back the transaction only. It would test a password or a code without a login notice and without
 * counting a wrong one. A dry run of a long poll would end the waiting poll.
 * @throws BadRequest if the operation does not support dry runs
 */
function checkHasDryRun(operation: Operation): void {
  const { name, effect } = operation;
  if (checksSecret(operation))
    throw new BadRequest(`${name} checks a password or a code and does not support dry runs. Call it without one.`);
  if (effect === 'poll')
    throw new BadRequest(`${name} is a long poll and does not support dry runs. Call it without one.`);
}

const MAX_STEPS = 100;

export interface WhyQuestion {
  /** Absent: trusted code in this process. */
  asker?: Caller | undefined;
  /** The user whose permissions are explained. */
  about: number | string;
  values?: Readonly<Record<string, unknown>> | undefined;
  decode?: DecodeParameter;
}

/**
 * Runs an operation as a user, rolls it back, and explains which rules decided about it. Trusted code and users who ask
 * about themselves get what the operation would answer. About others, an `AskerView` decides.
 * @throws UnauthorizedPrincipal if a user who is not an administrator asks about another user
 * @throws BadRequest if there is no such user, or if the operation does not support dry runs
 */
export async function why(
  engine: Engine,
  operation: Operation,
  { asker, about, values = {}, decode }: WhyQuestion,
): Promise<Explanation> {
  if (asker) checkMayAsk(asker);
  const { user, viewer } = await parties(engine, operation, { asker, about });
  checkHasDryRun(operation);
  if (asker) checkLoginParameters(operation, asker, values);
  const decisions = new Map<string, Decision>();
  // The Map removes duplicates: an operation with several steps or retries checks the same rules again.
  const trace = (decision: Decision) => {
    if (decisions.size < MAX_STEPS) decisions.set(JSON.stringify(decision), decision);
  };
  // The asker pays for the work: their limits apply, not those of the user in question.
  const { permit, scanTerms, client = 'Parlance' } = asker ?? {};
  const caller: Caller = { userId: user.id, client, trace };
  if (permit) caller.permit = permit;
  if (scanTerms) caller.scanTerms = scanTerms;
  const outsider = asker && viewer && viewer.id !== user.id ? { asker, viewer } : undefined;
  const view = outsider && new AskerView(outsider.viewer);
  const refusal = await firstRefusal(engine, [operation, caller, values, decode], view).finally(async () => {
    // Also after a rate limit: the question has read data of the user.
    if (outsider) await recordQuestion(engine, operation, { ...outsider, user });
  });
  const decision = view?.ended === 'hidden' ? 'undecided' : refusal ? 'refused' : 'allowed';
  return {
    user: { user_id: user.id, full_name: user.full_name, role: roleName(user.role), is_bot: isBot(user) },
    operation: operation.name,
    decision,
    allowed: decision === 'allowed',
    ...(refusal ? { refusal: { code: refusal.code, msg: refusal.message } } : {}),
    steps: await engine.transact({ access: 'anyone' }, { userId: null, client }, 'read', (context) =>
      explainDecisions(context, user, [...decisions.values()], { asker: viewer, isRefused: refusal !== undefined }),
    ),
  };
}

/**
 * Runs an operation until its first write, or until the view has ended. Throws a rate
 * limit, which is not a decision about permissions.
 */
async function firstRefusal(
  engine: Engine,
  call: CallArguments,
  view: AskerView | undefined,
): Promise<ChatError | undefined> {
  // A loop that processes rows until none is left would never end, since every step is rolled back.
  const steps = dryRunTransactions(engine, call[0], () => new StopAfterFirstWrite());
  const transact: Transact = view
    ? (bound, effect, work, reading) => steps(bound, effect, (context) => view.run(context, work), reading)
    : steps;
  try {
    await engine.preview(call, transact, view?.servicesOf(engine));
    return undefined;
  } catch (error) {
    if (view?.ended || error instanceof StopAfterFirstWrite) return undefined;
    if (error instanceof ChatError && !(error instanceof RateLimitHit)) return error;
    throw error;
  }
}

/** Records in the audit log that an administrator has asked about another user. */
async function recordQuestion(
  engine: Engine,
  operation: Operation,
  { asker, viewer, user }: { asker: Caller; viewer: User; user: User },
): Promise<void> {
  const { client, request = null } = asker;
  const details = { user_id: user.id, operation: operation.name };
  await recordAfterwards(
    engine,
    auditEntry(engine.clock.now(), 'why', { user_id: viewer.id, client, request, details }),
  );
}

/** Ends the run after the first write, which was allowed. Later ones would build on it. */
class StopAfterFirstWrite extends Error {}

/** The user in question, and the asker if it is not trusted code. A token asks only about calls that it may make. */
function parties(
  engine: Engine,
  { scope }: Pick<Operation, 'scope'>,
  { asker, about }: Pick<WhyQuestion, 'asker' | 'about'>,
): Promise<{ user: User; viewer?: User }> {
  if (!asker) {
    return engine.storage.read(async (tx) => {
      const user = await findAccount(tx, typeof about === 'string' ? about.trim() : about);
      if (!user) throw noUser(about);
      return { user };
    });
  }
  return engine.transact({ access: 'account', scope }, asker, 'read', async (transaction) => {
    const context = transaction as AccountContext;
    const viewer = context.actor;
    const isSelf = typeof about === 'number' ? about === viewer.id : sameAddress(about, viewer.delivery_email);
    if (isSelf) return { user: viewer, viewer };
    if (!isAdministrator(viewer))
      throw new UnauthorizedPrincipal('an organization administrator, to ask about other users');
    const user = await (typeof about === 'number'
      ? viewerOf(context, viewer).account(about)
      : viewerOf(context, viewer).accountByAddress(about));
    return { user, viewer };
  });
}

const sameAddress = (one: string, other: string) => emailKey(one) === emailKey(other);
