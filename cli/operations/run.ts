import type { Session } from '../../lib/index.ts';
import type { Operation } from '../../lib/internal.ts';
import { errorOf } from '../../lib/internal.ts';
import type { Field } from '../arguments/parsers.ts';
import { chooseConnection, openSession } from '../connection.ts';
import { UsageError } from '../failure.ts';
import { globalOptions } from '../global-options.ts';
import { editMessageText } from '../input.ts';
import { selectFields } from '../output/json.ts';
import { type Columns, showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { callOperation } from './call.ts';
import { callForEach } from './call-for-each.ts';
import type { Run, TypedCommand } from './command.ts';
import { confirmCall, questionOf } from './confirm.ts';
import type { Call } from './metadata.ts';
import { presenterOf } from './present.ts';
import { readInput } from './read-input.ts';
import { type Parameters, resolve } from './resolve.ts';

/** Explains whether a user may run an operation, instead of running it. */
export type Explain = (call: {
  session: Session;
  operation: Operation;
  parameters: Readonly<Record<string, unknown>>;
  isJson: boolean;
}) => Promise<void>;

/** Runs the commands of operations, or calls `explain` for each. */
export function operationRunner(terminal: Terminal, columns: Columns, explain?: Explain): Run {
  return async (typed) => {
    const { operation, metadata, command } = typed;
    const options = globalOptions(command);
    const isJson = options.json === true;
    const isDryRun = command.opts().dryRun === true;
    const connection = chooseConnection(options);
    if (options.jsonFields !== undefined) {
      if (isDryRun || explain)
        throw new UsageError('--json=FIELDS cannot be used with --dry-run.', 'Use --jq instead.');
      selectFields(operation.result, Object.keys(metadata.columns ?? {}));
    }
    const input = await readInput(typed, terminal, { isExplained: explain !== undefined });
    const question = explain ? undefined : questionOf(typed);
    const { session, close } = await openSession(connection, explain ? 'user' : operation.access);
    try {
      const context = { session, terminal, connection, options: command.opts(), isJson, isDryRun };
      const call = await resolve(typed, input, context);
      if (explain) await explain({ session, operation, parameters: parametersOfOne(typed, call), isJson });
      else await runCall(typed, call, { columns, question, editor: input.editor });
    } catch (error) {
      if (!isJson) nameOptions(errorOf(error), typed.fields);
      throw error;
    } finally {
      await close();
    }
  };
}

async function runCall(
  typed: TypedCommand,
  call: Call<Parameters>,
  { columns, question, editor }: { columns: Columns; question: string | undefined; editor: string | undefined },
): Promise<void> {
  const { each, alreadyDone, perform, preview } = typed.metadata;
  const { session, parameters, terminal, isJson, isDryRun } = call;
  const edited = editor === undefined ? undefined : await editMessageText(session, parameters.message_id, editor);
  if (editor !== undefined && !edited) return terminal.err('Nothing was changed.');
  Object.assign(parameters, edited?.parameters);
  const nothingLeft = await alreadyDone?.(call);
  if (nothingLeft !== undefined) return isJson ? showJson({}, terminal) : terminal.out(nothingLeft);
  if (question !== undefined) await confirmCall(question, call, preview);
  const subject = parameters[each ?? ''];
  if (Array.isArray(subject)) return callForEach(subject, typed, call);
  if (perform && (!isDryRun || perform.isForDryRuns)) return perform.run(call);
  const present = await presenterOf(typed, call, columns);
  const outcome = await callOperation(typed, call).catch((error: unknown) => {
    if (edited) terminal.err(`Your text is saved in ${edited.path}.`);
    throw error;
  });
  await edited?.remove();
  await present(outcome);
}

function parametersOfOne({ metadata: { each = '' } }: TypedCommand, { parameters }: Call<Parameters>): Parameters {
  if (Array.isArray(parameters[each])) throw new UsageError('Name one user for `why`.');
  return parameters;
}

/** Names options instead of parameters in an error of the API. Leaves words such as `to` inside a sentence alone. */
function nameOptions(error: Error, fields: readonly Field[]): void {
  const flags = new Map(fields.map(({ name, flag }) => [name, flag]));
  const names = /"[^"]*"|^[a-z]+(?= must )|\b[a-z]+(_[a-z]+)+\b/g;
  error.message = error.message.replace(names, (name) => flags.get(name) ?? name);
}
