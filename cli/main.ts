import { type Command, CommanderError } from 'commander';
import { EXIT, type Report, reportOf, UsageError } from './failure.ts';
import { withFieldsApart } from './global-options.ts';
import { exitWhenInterrupted } from './interruption.ts';
import { childNamed, unknownCommand } from './names.ts';
import { endQuietlyOnBrokenPipe, processTerminal, type Terminal } from './output/terminal.ts';
import { sanitize } from './output/text.ts';
import { buildProgram } from './program.ts';

export function main(args: readonly string[]): Promise<number> {
  endQuietlyOnBrokenPipe();
  exitWhenInterrupted();
  return runCommand(args, processTerminal());
}

/** Resolves to the exit code. A `program` can run several command lines, one after another. */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  program: Command = buildProgram(terminal, args[0]),
): Promise<number> {
  try {
    await program.parseAsync(withFieldsApart(args), { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    // Commander has printed the help instead.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
    const report = await reportOf(error instanceof CommanderError ? usageError(error, program, args) : error);
    // Empty after Ctrl-C.
    if (report.message !== '') showFailure(report, { json: args.some((arg) => /^--json(=|$)/.test(arg)) }, terminal);
    return report.exitCode;
  }
}

/** Turns a commander error into sentences that point to the help. */
function usageError({ code, message }: CommanderError, program: Command, args: readonly string[]): UsageError {
  const [, problem = '', question = ''] = /^(?:error: )?(.*?)\.?(?:\n\((.*)\))?$/s.exec(message) ?? [];
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
  const [, word] = /^error: unknown command '(.*)'/s.exec(message) ?? [];
  if (code === 'commander.unknownCommand' && word !== undefined) {
    const next = args.slice(args.indexOf(word) + 1).find((arg) => !arg.startsWith('-'));
    return unknownCommand(commandIn(program, args, word).command, word, next);
  }
  if (code === 'commander.excessArguments') {
    const answer = args.findIndex(
      (arg, at) => /^(yes|no|true|false)$/.test(arg) && /^--[a-z]/.test(args[at - 1] ?? ''),
    );
    const option = args[answer - 1];
    const advice = `Use ${option} for yes or ${option?.replace('--', '--no-')} for no, without a value.`;
    if (option !== undefined) return new UsageError(sentence, advice);
    const afterJson = args[args.indexOf('--json') + 1] ?? '';
    if (args.includes('--json') && /^[\w,]+$/.test(afterJson)) {
      return new UsageError(`${sentence} Write the fields as --json=${afterJson}.`);
    }
  }
  return new UsageError(
    `${sentence} ${question}`.trim(),
    `See \`${[...commandIn(program, args).path, '--help'].join(' ')}\`.`,
  );
}

/** The command that the arguments name, up to an unknown word, and its words. */
function commandIn(program: Command, args: readonly string[], unknown?: string): { command: Command; path: string[] } {
  const path = [program.name()];
  let command = program;
  for (const arg of args) {
    const child = childNamed(command, arg);
    if (!child && arg === unknown) break;
    if (child) path.push(arg);
    command = child ?? command;
  }
  return { command, path };
}

function showFailure(report: Report, options: { json: boolean }, terminal: Terminal): void {
  if (options.json) return terminal.err(JSON.stringify(report.body));
  terminal.err(`${terminal.errStyle('red', 'chatctl:')} ${sanitize(report.message)}`);
  if (report.advice) terminal.err(sanitize(report.advice));
}
