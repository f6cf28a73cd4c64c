import { Command } from 'commander';
import type { Explanation, Step } from '../../lib/index.ts';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { UsageError } from '../failure.ts';
import { addGlobalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { commandPath, kebab } from '../names.ts';
import { operationCommand, type Run } from '../operations/command.ts';
import { type CommandMetadata, variantsOf } from '../operations/metadata.ts';
import type { Instead } from '../operations/run.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { oneLine } from '../output/text.ts';
import { pad, widthOf } from '../output/width.ts';

/** `chatctl why USER COMMAND …`: parses the rest of the line as the named command does. */
export function whyCommand(
  terminal: Terminal,
  metadata: ReadonlyMap<string, CommandMetadata>,
  runInstead: (instead: Instead) => Run,
): Command {
  const command = new Command('why')
    .summary('Explain whether a user may run a command')
    .description(
      'Explain whether a user may run a command, and which rules decide it. Changes nothing. Only administrators can use it for other users.',
    )
    .usage('<user> <command> [arguments] [options]')
    .argument('<user>', 'e-mail address, ID, or me')
    .argument('<command...>', 'command to check, such as channels create general')
    .passThroughOptions();
  addExamples(command, [
    'why alice@example.com channels create plans --invite-only',
    'why me messages send --to general --topic lunch --content soup',
  ]);
  addGlobalOptions(command);
  command.action(async (user: string, words: string[]) => {
    const { operation, path, own, rest } = commandIn(words, metadata);
    const name = path.join(' ');
    const run = runInstead(async ({ session, parameters, isJson }) => {
      const id = user === 'me' ? (await session.users.me()).user_id : /^[0-9]+$/.test(user) ? Number(user) : user;
      // The type of the parameters depends on the operation, which is known only at run time.
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

interface WhyRequest {
  operation: Operation;
  path: readonly string[];
  own: CommandMetadata;
  rest: string[];
}

/** The command that these words begin with, `channels create` or `channels.create`, and what follows. */
function commandIn(words: readonly string[], metadata: ReadonlyMap<string, CommandMetadata>): WhyRequest {
  const known = (catalogue as readonly Operation[]).flatMap((operation) => commandsOf(operation, metadata));
  // The longest first: `members add` and `members` are different commands.
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
  if (named === '') throw new UsageError('The command after the user is missing.', 'See `chatctl why --help`.');
  throw new UsageError(`Unknown command "${named}".`, 'See `chatctl --help`.');
}

function commandsOf(operation: Operation, metadata: ReadonlyMap<string, CommandMetadata>): Omit<WhyRequest, 'rest'>[] {
  const path = commandPath(operation.name);
  const own = metadata.get(operation.name) ?? {};
  const variants = variantsOf(own).map((each) => ({
    operation,
    path: [path[0] as string, ...each.path],
    own: each.metadata,
  }));
  return [{ operation, path, own }, ...variants];
}

function explanationText({ user, allowed, refusal, steps }: Explanation, command: string): string {
  const who = `${oneLine(user.full_name)} (${user.role}${user.is_bot ? ', bot' : ''})`;
  const head = allowed ? `${who} may: ${command}` : `${who} may not: ${command}`;
  const rows = steps.map((step) => [step.rule, step.outcome, stepText(step)]);
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
