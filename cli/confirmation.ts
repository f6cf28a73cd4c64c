import { type Command, Option } from 'commander';
import { EXIT, Failure, UsageError } from './failure.ts';
import { ask, isInteractive } from './input.ts';

const asking = new WeakSet<Command>();

/** Makes a destructive command ask for confirmation at a terminal, and require `--yes` elsewhere. */
export function letAsk(command: Command, group?: string): Command {
  asking.add(command);
  const option = new Option('-y, --yes', 'skip the confirmation prompt');
  return command.addOption(group === undefined ? option : option.helpGroup(group));
}

export const asksFirst = (command: Command): boolean => asking.has(command);

/** @throws UsageError if there is no terminal to ask on */
export function checkSomebodyAnswers(advice = 'Add --yes to run it without confirmation.'): void {
  if (!isInteractive()) throw new UsageError('This command asks for confirmation, which needs a terminal.', advice);
}

/** @throws Failure unless the answer is yes */
export async function confirm(question: string): Promise<void> {
  const answer = await ask(`${question} [y/N]`);
  if (!/^y(es)?$/i.test(answer)) throw new Failure('Nothing was changed.', EXIT.refused);
}

/** Asks for confirmation, unless `--yes` is given. For commands that are not operations. */
export async function confirmUnlessYes(command: Command, question: string): Promise<void> {
  if (command.opts<{ yes?: boolean }>().yes === true) return;
  checkSomebodyAnswers();
  await confirm(question);
}
