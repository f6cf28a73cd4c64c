import { Command, CommanderError } from 'commander';
import { operations, present } from '../lib/internal.ts';
import { apiCommand } from './commands/api.ts';
import { auditCommand } from './commands/audit.ts';
import { authCommand } from './commands/auth.ts';
import { completionCommand, valuesCommand } from './commands/completion.ts';
import { cursorsCommand } from './commands/cursors.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import * as groupModules from './commands/index.ts';
import { initCommand } from './commands/init.ts';
import type { MakeCommand } from './commands/local-command.ts';
import { mailCommand } from './commands/mail.ts';
import { backupCommand, checkCommand, migrateCommand, restoreCommand } from './commands/maintain.ts';
import { serveCommand } from './commands/serve.ts';
import { syncCommand } from './commands/sync.ts';
import { tenantsCommand } from './commands/tenants.ts';
import { versionCommand } from './commands/version.ts';
import { whyCommand } from './commands/why.ts';
import { EXIT, reportOf, UsageError } from './failure.ts';
import {
  addConnectionOptions,
  addGlobalOptions,
  CONNECTION_FLAGS,
  normalizedArgs,
  prepareJson,
} from './global-options.ts';
import { addExamples, helpLayout, helpWidth, showInFull } from './help.ts';
import { childNamed, commandAt, commandPath, kebab, seeHelp, unknownCommand, withParents, wordsOf } from './names.ts';
import { operationCommand, type Run } from './operations/command.ts';
import { type CommandGroup, type CommandMetadata, variantsOf } from './operations/metadata.ts';
import { type Explain, operationRunner } from './operations/run.ts';
import type { Columns } from './output/result.ts';
import { exitInterrupted, processTerminal, type Terminal } from './output/terminal.ts';
import { sanitize } from './output/text.ts';
import { misspelledVariables } from './unknown-variables.ts';

const groups: readonly CommandGroup[] = Object.values(groupModules);

export const metadata: ReadonlyMap<string, CommandMetadata> = new Map(
  groups.flatMap(({ name, commands }) =>
    Object.entries(commands).map(
      ([action, metadata]) => [name === '' ? action : `${name}.${action}`, metadata] as const,
    ),
  ),
);

/** Lists with the same name have the same columns in all responses, also in `register`. */
const columns: Columns = Object.assign({}, ...[...metadata.values()].map((each) => each.columns ?? {}));

const EXIT_CODES =
  '0 success, 1 request refused, 2 usage error, 3 not allowed (why), 4 not authenticated, 8 unreachable or server error, 130 interrupted.';

/**
 * Builds all commands, or only the group that `word` names, which takes a fifth of the time.
 * @param explain called by the commands of operations instead of running them
 */
export function buildProgram(terminal: Terminal, word?: string, explain?: Explain): Command {
  const program = new Command('chatctl')
    .description('Team chat on the command line: on a database, or on a server with the Zulip API.')
    .usage('<command> [options]')
    .enablePositionalOptions()
    .option('-V, --version', 'print the version');
  addExamples(program, ['serve --demo', 'init --db chat.db', 'auth login', 'help messages send']);
  addGlobalOptions(program, ['FIELD', '...']);
  program.addHelpText('after', `\nExit codes: ${EXIT_CODES}`);
  const run = operationRunner(terminal, columns, explain);
  if (groups.some(({ name }) => kebab(name) === word)) {
    addChatCommands(program, terminal, run, (group) => group === word);
  } else addAllCommands(program, terminal, run);
  configure(program, terminal);
  program.hook('preAction', (_program, command) => {
    checkNothingEmpty(command);
    return prepareJson(command);
  });
  return program;
}

function addAllCommands(program: Command, terminal: Terminal, run: Run): void {
  const add = (heading: string, made: readonly MakeCommand[]) => {
    program.commandsGroup(heading);
    for (const make of made) program.addCommand(make(terminal));
  };
  add('Start:', [initCommand, serveCommand, authCommand]);
  add('Maintain:', [
    importCommand,
    exportCommand,
    syncCommand,
    migrateCommand,
    backupCommand,
    restoreCommand,
    checkCommand,
    doctorCommand,
    tenantsCommand,
    cursorsCommand,
    mailCommand,
  ]);
  program.commandsGroup('Chat:');
  addChatCommands(program, terminal, run, () => true);
  const why = () => whyCommand(terminal, (explain) => buildProgram(terminal, undefined, explain));
  const help = () => helpCommand(program, terminal);
  add('More:', [why, apiCommand, auditCommand, openApiCommand, completionCommand, versionCommand, help]);
  program.addCommand(valuesCommand(program, terminal), { hidden: true });
}

function addChatCommands(program: Command, terminal: Terminal, run: Run, isWanted: (group: string) => boolean): void {
  const wanted = operations.filter(({ name }) => isWanted(commandPath(name)[0]));
  for (const operation of wanted) {
    const path = commandPath(operation.name);
    const parent = path.length > 1 ? groupCommand(program, path[0]) : program;
    const name = present(path.at(-1));
    parent.addCommand(operationCommand(operation, name, metadata.get(operation.name) ?? {}, run));
  }
  for (const operation of wanted) {
    for (const { path, metadata: variant } of variantsOf(metadata.get(operation.name) ?? {})) {
      const group = groupCommand(program, commandPath(operation.name)[0]);
      const parent = path.slice(0, -1).reduce(wordCommand, group);
      const summary = variant.summary ?? operation.summary;
      parent.addCommand(operationCommand({ ...operation, summary }, present(path.at(-1)), variant, run));
    }
  }
  for (const { name, others } of groups) {
    if (!isWanted(kebab(name))) continue;
    for (const other of others) groupCommand(program, kebab(name)).addCommand(other(terminal));
  }
}

function groupCommand(program: Command, name: string): Command {
  const title = groups.find((group) => kebab(group.name) === name)?.title;
  return title === undefined ? wordCommand(program, name) : wordCommand(program, name).description(title);
}

/** A command with subcommands. Creates it if no operation has this name. */
function wordCommand(parent: Command, word: string): Command {
  const existing = childNamed(parent, word);
  if (existing) return existing;
  const made = new Command(word).usage('<command> [options]');
  parent.addCommand(made);
  return made;
}

function openApiCommand(terminal: Terminal): Command {
  const command = new Command('openapi').description('Print the OpenAPI 3.1 description of the HTTP API');
  return addExamples(command, ['openapi > openapi.json']).action(async () => {
    const { openApiDocument } = await import('../lib/internal.ts');
    terminal.out(JSON.stringify(openApiDocument(), null, 2));
  });
}

/** `chatctl help messages send`, and `chatctl help connection` for the options that nearly every command has. */
function helpCommand(program: Command, terminal: Terminal): Command {
  const command = new Command('help')
    .description('Explain a command, or the options of the connection')
    .argument('[command...]', 'the command, for example messages send')
    .option('--full', 'also show connection options, access, route and errors');
  addExamples(command, ['help messages send', 'help messages send --full', 'help connection']);
  return command.action((path: string[], { full }: { full?: boolean }) => {
    const isConnection = path.join(' ') === 'connection';
    const { command: found, rest } = isConnection
      ? { command: connectionHelp(terminal), rest: [] }
      : commandAt(program, path);
    if (rest[0] !== undefined) throw unknownCommand(found, rest[0], rest[1]);
    if (full || isConnection) showInFull(found);
    found.outputHelp();
  });
}

/** Its help lists the options that nearly every command has. */
function connectionHelp(terminal: Terminal): Command {
  const command = new Command('chatctl')
    .usage('<command> [options]')
    .description(
      'Each command acts on a database directly (--db) or on a server (--site, --config-file, --profile), as one account. ' +
        'An option overrides its environment variable. A variable overrides the configuration file.',
    )
    .helpOption(false);
  addExamples(addConnectionOptions(command), [
    'users list --db chat.db',
    'users list --db chat.db --user ben@example.com',
    'users list --profile work',
  ]);
  configure(command, terminal);
  return command;
}

/** Adds nested commands, such as `members add`, which the list of the group does not show. */
function describedInList(child: Command): string {
  const own = child.summary() || child.description();
  const further = child.parent?.parent ? child.commands.map((each) => `${child.name()} ${each.name()}`) : [];
  return further.length === 0 ? own : `${own}; also ${further.join(', ')}`;
}

/** Throws errors instead of printing them, so that `reportOf` reports all errors. */
function configure(command: Command, terminal: Terminal): void {
  const withoutLastBreak = (text: string) => text.replace(/\n$/, '');
  command
    .exitOverride((error) => {
      throw usageError(error, command);
    })
    .configureOutput({
      writeOut: (text) => terminal.out(withoutLastBreak(text)),
      writeErr: (text) => terminal.err(withoutLastBreak(text)),
      outputError: () => undefined,
      getOutHelpWidth: helpWidth,
    })
    .configureHelp({
      ...helpLayout,
      subcommandTerm: (child) =>
        `${[child.name(), ...child.aliases()].join('|')} ${child.usage().replace(/ ?\[options\] ?|<command>/g, '')}`.trim(),
      subcommandDescription: describedInList,
      // `--[no-]announce`, since both can be typed.
      optionTerm: (option) => {
        const opposite = option.long?.replace('--', '--no-');
        const isChoice = option.isBoolean() && command.options.some(({ long }) => long === opposite);
        return isChoice ? option.flags.replace('--', '--[no-]') : option.flags;
      },
    })
    .helpCommand(false);
  for (const child of command.commands) configure(child, terminal);
}

/** Turns a commander error into sentences that point to the help. */
function usageError(error: CommanderError, command: Command): Error {
  // Commander has printed the help or the version.
  if (error.exitCode === 0 || error.code === 'commander.help') return error;
  const [word = '', ...rest] = command.args;
  const next = rest.find((arg) => !arg.startsWith('-'));
  if (error.code === 'commander.unknownCommand') return unknownCommand(command, word, next);
  const [, problem = '', question = ''] = /^(?:error: )?(.*?)\.?(?:\n\((.*)\))?$/s.exec(error.message) ?? [];
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
  if (error.code === 'commander.unknownOption' && question === '') {
    const [typed = ''] = /--[\w-]+/.exec(problem) ?? [];
    if (CONNECTION_FLAGS.has(typed) && command.options.some(({ long }) => long === '--db'))
      return new UsageError(`${sentence} This command needs a database: use --db.`, seeHelp(wordsOf(command)));
    const alike = SAME_THING.find((flags) => flags.includes(typed)) ?? [];
    const meant = alike.find((flag) => command.options.some(({ long, hidden }) => long === flag && !hidden));
    if (meant) return new UsageError(`${sentence} Did you mean ${meant}?`, seeHelp(wordsOf(command)));
  }
  if (error.code === 'commander.excessArguments') {
    checkNoneSwallowed(command);
    const excess = command.args[command.registeredArguments.length] ?? '';
    const typed = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli');
    if (typed.some(({ long }) => long === '--json') && /^[\w,]+$/.test(excess))
      return new UsageError(`${sentence} Write the fields as --json=${excess}.`);
  }
  return new UsageError(`${sentence} ${question}`.trim(), seeHelp(wordsOf(command)));
}

/** Options of different commands for the same thing. */
const SAME_THING = [
  ['--to', '--channel', '--channels', '--stream', '--direct', '--recipient'],
  ['--message', '--content', '--text', '--body'],
  ['--at', '--time', '--when', '--date'],
  ['--num-before', '--limit', '--count', '--max'],
  ['--expires', '--ttl-seconds', '--expires-in', '--ttl'],
];

/** Options that may be empty, such as `--topic ''` (no topic) and `--prefix ''` (root of the server). */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['topic', 'message', 'prefix', 'jsonFields']);

/** Refuses empty arguments: an unset shell variable must not count as a missing option. */
function checkNothingEmpty(command: Command): void {
  checkNoneSwallowed(command);
  for (const at of withParents(command)) {
    for (const option of at.options) {
      const name = option.attributeName();
      if (at.getOptionValue(name) === '' && !MAY_BE_EMPTY.has(name)) throw isUnset(`${option.long} is empty.`);
    }
  }
  for (const [index, argument] of command.registeredArguments.entries()) {
    if (command.processedArgs[index] === '') throw isUnset(`${argument.name().toUpperCase()} is empty.`);
  }
}

/** `--to $UNSET --topic x`: without quotes, the shell drops the empty value, and `--to` takes the next option instead. */
function checkNoneSwallowed(command: Command): void {
  for (const option of command.options) {
    const value = [command.getOptionValue(option.attributeName())].flat().at(-1);
    if (value !== undefined && command.options.some(({ long, short }) => value === long || value === short))
      throw isUnset(`${option.long} has no value: ${value} follows it.`);
  }
}

const isUnset = (problem: string) => new UsageError(problem, 'Check that all shell variables are set.');

export function main(args: readonly string[]): Promise<number> {
  // Unless a command uses `onInterruption`.
  process.on('SIGINT', exitInterrupted);
  return runCommand(args, processTerminal());
}

const warned = new Set<string>();

/** Once in a process, which may run several command lines. */
function warnOfVariables(terminal: Terminal): void {
  for (const sentence of misspelledVariables(process.env)) {
    if (!warned.has(sentence)) terminal.err(sentence);
    warned.add(sentence);
  }
}

/** Resolves to the exit code. A `program` can run several command lines, one after another. */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  program: Command = buildProgram(terminal, args[0]),
): Promise<number> {
  const isJson = args.some((arg) => /^--json(=|$)/.test(arg));
  if (!isJson) warnOfVariables(terminal);
  try {
    await program.parseAsync(normalizedArgs(args), { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    // Commander has printed the help instead.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
    const { exitCode, message, advice, body } = await reportOf(error);
    // Empty after Ctrl-C, and after an answer of `why`.
    if (message === '') return exitCode;
    if (isJson) terminal.err(JSON.stringify(body));
    else {
      terminal.err(`${terminal.errStyle('red', 'chatctl:')} ${sanitize(message)}`);
      if (advice) terminal.err(sanitize(advice));
    }
    return exitCode;
  }
}
