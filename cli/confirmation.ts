import { type Command, Option } from 'commander';
import { EXIT, Failure, UsageError } from './failure.ts';
import { ask, isInteractive } from './input.ts';

const asking = new WeakSet<Command>();

/** The command takes away what cannot be had back: it asks at a terminal, and needs `--yes` elsewhere. */
export function letAsk(command: Command, group?: string): Command {
  asking.add(command);
  const option = new Option('-y, --yes', 'do not ask first');
  return command.addOption(group === undefined ? option : option.helpGroup(group));
}

export const asksFirst = (command: Command): boolean => asking.has(command);

/** @throws UsageError where a question would be put to nobody */
export function checkSomebodyAnswers(advice = 'Give --yes to have it done.'): void {
  if (!isInteractive()) throw new UsageError('This asks first, and nobody is at a terminal to answer.', advice);
}

/** @throws Failure unless the answer is yes */
export async function confirm(question: string): Promise<void> {
  const answer = await ask(`${question} [y/N]`);
  if (!/^y(es)?$/i.test(answer)) throw new Failure('Nothing was changed.', EXIT.refused);
}

/** Asks, or refuses where nobody could answer, unless `--yes` was given; for commands that are no operation. */
export async function confirmUnlessYes(command: Command, question: string): Promise<void> {
  if (command.opts<{ yes?: boolean }>().yes === true) return;
  checkSomebodyAnswers();
  await confirm(question);
}
