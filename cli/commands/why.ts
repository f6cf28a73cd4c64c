import { Command } from 'commander';
import type { Explanation, Step } from '../../lib/index.ts';
import { EXIT, Failure } from '../failure.ts';
import { addGlobalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { commandAt, commandPath, idOrName, unknownCommand, wordsOf } from '../names.ts';
import { isOperation } from '../operations/command.ts';
import type { Explain } from '../operations/run.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { oneLine, pad, widthOf } from '../output/text.ts';

/** `chatctl why USER COMMAND …`: parses the rest of the line with a program whose commands only `explain`. */
export function whyCommand(terminal: Terminal, build: (explain: Explain) => Command): Command {
  const command = new Command('why')
    .summary('Explain whether a user may run a command')
    .description(
      'Explain whether a user may run a command, and which rules decide it. Changes nothing. Only administrators can use it for other users. The exit code is 0 if the user may, and 3 if not.',
    )
    .usage('<user> <command> [arguments] [options]')
    .argument('<user>', 'e-mail address, ID, or me')
    .argument('<command...>', 'command to check, such as channels create general')
    .passThroughOptions();
  addExamples(command, [
    'why alice@example.com channels create plans --invite-only',
    'why ben@example.com messages send --to general --topic lunch',
  ]);
  addGlobalOptions(command);
  return command.action(async (user: string, [first = '', ...more]: string[]) => {
    const program = build(async ({ session, operation, parameters, isJson }) => {
      const id = user === 'me' ? (await session.users.me()).user_id : idOrName(user);
      // The type of the parameters depends on the operation, which is known only at run time.
      const explanation = await session.why(id, operation.name as 'register', parameters);
      if (isJson) showJson(explanation, terminal);
      else terminal.out(explanationText(explanation, wordsOf(asked).join(' ')));
      if (explanation.decision !== 'allowed') throw new Failure('', undefined, EXIT.notAllowed);
    });
    // `channels.create` is `channels create`.
    const { command: asked, rest } = commandAt(program, [...commandPath(first), ...more]);
    // Other commands would run.
    if (!isOperation(asked)) throw unknownCommand(asked, rest[0] ?? first, rest[1]);
    for (const [name, value] of Object.entries(command.optsWithGlobals())) program.setOptionValue(name, value);
    await asked.parseAsync(rest, { from: 'user' });
  });
}

const HEADS: Record<Explanation['decision'], string> = {
  allowed: 'may',
  refused: 'may not',
  undecided: 'may or may not',
};

function explanationText({ user, decision, refusal, steps }: Explanation, command: string): string {
  const who = `${oneLine(user.full_name)} (${user.role}${user.is_bot ? ', bot' : ''})`;
  const head = `${who} ${HEADS[decision]}: ${command}`;
  const rows = steps.map((step) => [step.rule, step.outcome, stepText(step)]);
  if (decision === 'undecided')
    rows.push(['undecided', '', 'This cannot be decided for you: it depends on data that you cannot see.']);
  if (refusal) rows.push(['refused', refusal.code ?? '', oneLine(refusal.msg)]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  // Not a table, because tables truncate long texts.
  const lines = rows.map(
    ([rule = '', outcome = '', text = '']) =>
      `  ${pad(rule, widths[0] ?? 0)}  ${pad(outcome, widths[1] ?? 0)}  ${text}`,
  );
  return [head, ...lines].join('\n');
}

function stepText({ rule, setting, value, of, detail }: Step): string {
  const whose = of ? `${of.kind} ${oneLine(of.name)}` : '';
  if (rule !== 'permission') return oneLine(whose === '' ? detail : `${whose}: ${detail}`);
  const name = [setting ?? 'a permission', ...(whose === '' ? [] : [`of ${whose}`])].join(' ');
  return oneLine(`${name} = ${value}: ${detail}`);
}
