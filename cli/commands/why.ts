import { Command } from 'commander';
import type { Explanation, Step } from '../../lib/index.ts';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { UsageError } from '../failure.ts';
import { addGlobalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { commandPath, kebab } from '../names.ts';
import { operationCommand, type Run } from '../operations/command.ts';
import type { CommandMetadata } from '../operations/metadata.ts';
import type { Instead } from '../operations/run.ts';
import { showJson } from '../output/result.ts';
import { oneLine } from '../output/sanitize.ts';
import type { Terminal } from '../output/terminal.ts';
import { pad, widthOf } from '../output/width.ts';

/**
 * `chatctl why USER COMMAND …`: reads the rest of the line as the command itself does.
 * @param runInstead makes what runs a command with something else in the place of its operation
 */
export function whyCommand(
  terminal: Terminal,
  metadata: ReadonlyMap<string, CommandMetadata>,
  runInstead: (instead: Instead) => Run,
): Command {
  const command = new Command('why')
    .summary('Tell whether somebody may do something, and why')
    .description(
      'Tell whether somebody may do something, and which rules decide it. The command is tried as them and nothing of it is kept. Administrators may ask about everybody, others about themselves.',
    )
    .usage('<user> <command> [arguments] [options]')
    .argument('<user>', 'whom: e-mail address, ID, or me')
    .argument('<command...>', 'what: as you would type it, such as channels create general')
    .passThroughOptions();
  addExamples(command, [
    'why alice@example.com channels create plans --invite-only',
    'why alice@example.com channels.archive general',
    'why bob@example.com user-groups members add support alice@example.com',
    'why me messages send --to general --topic lunch --content soup',
  ]);
  addGlobalOptions(command);
  command.action(async (user: string, words: string[]) => {
    const { operation, path, own, rest } = commandIn(words, metadata);
    const name = path.join(' ');
    const run = runInstead(async ({ session, parameters, isJson }) => {
      const id = user === 'me' ? (await session.users.me()).user_id : /^[0-9]+$/.test(user) ? Number(user) : user;
      // The parameters are those of the operation, which is known only now.
      const explanation = await session.why(id, operation.name as 'register', parameters);
      if (isJson) showJson(explanation, terminal);
      else terminal.out(explanationText(explanation, name));
    });
    const asked = operationCommand(operation, name, own, run);
    command.addCommand(asked.exitOverride().configureOutput({ outputError: () => undefined }));
    await asked.parseAsync(rest, { from: 'user' });
  });
  return command;
}

interface Asked {
  operation: Operation;
  /** Its words on the command line. */
  path: readonly string[];
  own: CommandMetadata;
  rest: string[];
}

/** The command that these words begin with, `channels create` or `channels.create`, and what follows. */
function commandIn(words: readonly string[], metadata: ReadonlyMap<string, CommandMetadata>): Asked {
  const known = (catalogue as readonly Operation[]).flatMap((operation) => commandsOf(operation, metadata));
  // The longest first: `members add` is another command than `members`.
  for (const length of [3, 2, 1]) {
    const path = words.slice(0, length).join(' ').replaceAll('.', ' ').split(' ').map(kebab);
    const found = known.find(
      (each) =>
        each.path.length === path.length &&
        each.path.every((word, at) => word === path[at] || (at === 1 && each.own.aliases?.includes(path[at] ?? ''))),
    );
    if (found) return { ...found, rest: words.slice(length) };
  }
  const end = words.findIndex((word) => word.startsWith('-'));
  const named = words.slice(0, end === -1 ? 2 : Math.min(2, end)).join(' ');
  if (named === '') throw new UsageError('No command was named after the user.', 'See `chatctl why --help`.');
  throw new UsageError(`There is no command "${named}" to ask about.`, 'See `chatctl --help`.');
}

/** The command of an operation and its variants. */
function commandsOf(operation: Operation, metadata: ReadonlyMap<string, CommandMetadata>): Omit<Asked, 'rest'>[] {
  const path = commandPath(operation.name);
  const own = metadata.get(operation.name) ?? {};
  const variants = Object.entries(own.variants ?? {}).map(([words, variant]) => ({
    operation,
    path: [path[0] as string, ...words.split(' ')],
    own: variant,
  }));
  return [{ operation, path, own }, ...variants];
}

function explanationText({ user, allowed, refusal, steps }: Explanation, command: string): string {
  const who = `${oneLine(user.full_name)} (${user.role}${user.is_bot ? ', bot' : ''})`;
  const head = allowed ? `${who} may: ${command}` : `${who} may not: ${command}`;
  const rows = steps.map((step) => [step.rule, step.outcome, stepText(step)]);
  if (refusal) rows.push(['refused', refusal.code ?? '', oneLine(refusal.msg)]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  // Not a table, which would cut the sentences.
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
