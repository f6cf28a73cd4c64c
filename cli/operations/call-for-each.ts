import type { DryRun } from '../../lib/index.ts';
import { methodOf } from '../connection.ts';
import { Failure } from '../failure.ts';
import { printFailures } from '../files.ts';
import { accountNames } from '../lookups.ts';
import { consequencesText, effectsOf } from '../output/dry-run.ts';
import { inParts } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import { counted, oneLine } from '../output/text.ts';
import { refusalOf } from '../people.ts';
import type { TypedCommand } from './command.ts';
import type { Call } from './metadata.ts';
import type { Parameters } from './resolve.ts';

/** Runs the operation (or its dry run) once for each user, and goes on after a refusal. */
export async function callForEach(
  ids: readonly number[],
  { operation, metadata: { each = '', repeat, also } }: TypedCommand,
  call: Call<Parameters>,
): Promise<void> {
  const { session, parameters, terminal, isJson, isDryRun } = call;
  const alsoDone = isJson ? undefined : await also?.(call);
  const refused: { user_id: number; reason: string }[] = [];
  const dryRuns: DryRun[] = [];
  const target = isDryRun ? session.dryRun : session;
  const goOn = 'Not finished. Run the same command again to continue.';
  await inParts(ids, { size: 1, what: 'users', goOn, terminal }, async ([id = 0]) => {
    const request = methodOf(target, operation)({ ...parameters, [each]: id });
    const reason = await refusalOf(request.then((answer) => isDryRun && dryRuns.push(answer as DryRun)));
    if (reason !== undefined && !repeat?.test(reason)) refused.push({ user_id: id, reason });
  });
  const done = ids.length - refused.length;
  const effects = isDryRun ? effectsOf(dryRuns) : undefined;
  if (isJson) showJson({ done, refused, ...effects }, terminal);
  else {
    const name = await accountNames(session, ids);
    const failures = refused.map(({ user_id, reason }) => oneLine(`${name(user_id)}: ${reason}`));
    printFailures(failures, terminal);
    const amount = `${done} of ${counted(ids.length, 'user')}`;
    const more = alsoDone?.(refused.map(({ user_id }) => user_id));
    if (!effects) terminal.out([`Done for ${amount}.`, more].filter(Boolean).join(' '));
    else {
      if (more !== undefined) terminal.out(more);
      terminal.out(`Dry run: nothing was changed. The command would work for ${amount}, and send:`);
      terminal.out(await consequencesText(session, { answer: {}, ...effects }, terminal));
    }
  }
  const verb = isDryRun ? 'would be' : refused.length === 1 ? 'was' : 'were';
  if (refused.length > 0) throw new Failure(`${refused.length} of ${ids.length} ${verb} refused.`);
}
