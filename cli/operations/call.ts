import type { DryRun } from '../../lib/index.ts';
import { ChatError, errorOf } from '../../lib/internal.ts';
import { checkCredentials, methodOf } from '../connection.ts';
import { isCodeMissing } from '../failure.ts';
import { ask, isInteractive } from '../input.ts';
import type { TypedCommand } from './command.ts';
import type { Call } from './metadata.ts';
import type { Parameters } from './resolve.ts';

export interface Outcome {
  answer: object;
  dryRun?: DryRun;
  /** The refusal of a change that was already made. */
  repeated?: string;
}

/** Runs the operation, or its dry run. */
export async function callOperation(
  { operation, metadata }: TypedCommand,
  { session, parameters, connection, isDryRun }: Call<Parameters>,
): Promise<Outcome> {
  if (isDryRun) {
    const dryRun = (await methodOf(session.dryRun, operation)(parameters)) as DryRun;
    return { answer: dryRun.answer, dryRun };
  }
  const run = methodOf(session, operation);
  try {
    const answer = await run(parameters).catch(async (error: unknown) => {
      if (!operation.mayNeedCode || !isCodeMissing(error) || !isInteractive()) throw error;
      return run({ ...parameters, code: await ask('Code of your authenticator app, or a recovery code?') });
    });
    return { answer };
  } catch (error) {
    const { message } = errorOf(error);
    const status = error instanceof ChatError ? error.status : undefined;
    if (metadata.repeat?.test(message)) return { answer: {}, repeated: message };
    // The operation may work without an account, but this server or call needs one.
    if (status === 401 && operation.access === 'spectator' && connection.kind === 'site') checkCredentials(connection);
    throw error;
  }
}
