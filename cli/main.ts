import { type Command, CommanderError } from 'commander';
import { EXIT, type Report, reportOf } from './failure.ts';
import { withFieldsApart } from './global-options.ts';
import { exitWhenInterrupted } from './interruption.ts';
import { childNamed, unknownCommand } from './names.ts';
import { sanitize } from './output/sanitize.ts';
import { endQuietlyOnBrokenPipe, processTerminal, type Terminal } from './output/terminal.ts';
import { buildProgram } from './program.ts';

/** Runs the command line of this process; resolves to the exit code. */
export function main(args: readonly string[]): Promise<number> {
  endQuietlyOnBrokenPipe();
  exitWhenInterrupted();
  return runCommand(args, processTerminal());
}

/**
 * Runs one command line that prints to `terminal`; resolves to the exit code.
 * @param program built for this terminal; it can run several command lines, one after another
 */
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
    const report = error instanceof CommanderError ? usageReport(error, program, args) : await reportOf(error);
    // Empty if commander has printed the help instead.
    if (report.message !== '') showFailure(report, { json: args.some((arg) => /^--json(=|$)/.test(arg)) }, terminal);
    return report.exitCode;
  }
}

/** Turns a commander error into sentences that point to the help. */
function usageReport(error: CommanderError, program: Command, args: readonly string[]): Report {
  const [, problem = '', question = ''] = /^(?:error: )?(.*?)\.?(?:\n\((.*)\))?$/s.exec(error.message) ?? [];
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
  const message = error.code === 'commander.help' ? '' : [sentence, question].join(' ').trim();
  const [, word] = /^error: unknown command '(.*)'/s.exec(error.message) ?? [];
  if (error.code === 'commander.unknownCommand' && word !== undefined) {
    const { message, advice } = unknownCommand(
      commandBefore(program, args, word),
      word,
      args.slice(args.indexOf(word) + 1).find((arg) => !arg.startsWith('-')),
    );
    return { exitCode: EXIT.usage, message, advice, body: { result: 'error', msg: message } };
  }
  const isAnswered = args.findIndex(
    (arg, at) => /^(yes|no|true|false)$/.test(arg) && /^--[a-z]/.test(args[at - 1] ?? ''),
  );
  const option = args[isAnswered - 1];
  if (error.code === 'commander.excessArguments' && option !== undefined) {
    const advice = `Use ${option} for yes or ${option.replace('--', '--no-')} for no, without a value.`;
    return { exitCode: EXIT.usage, message: sentence, advice, body: { result: 'error', msg: sentence } };
  }
  const afterJson = args[args.indexOf('--json') + 1];
  if (error.code === 'commander.excessArguments' && args.includes('--json') && /^[\w,]+$/.test(afterJson ?? '')) {
    const message = `${sentence} Write the fields as --json=${afterJson}.`;
    return { exitCode: EXIT.usage, message, body: { result: 'error', msg: message } };
  }
  const advice = `See \`${[...pathOf(program, args), '--help'].join(' ')}\`.`;
  return { exitCode: EXIT.usage, message, advice, body: { result: 'error', msg: message } };
}

/** The command that has no subcommand `word`. */
function commandBefore(program: Command, args: readonly string[], word: string): Command {
  let at = program;
  for (const arg of args) {
    const child = childNamed(at, arg);
    if (!child && arg === word) return at;
    at = child ?? at;
  }
  return at;
}

/** The arguments that are commands. */
function pathOf(program: Command, args: readonly string[]): string[] {
  const path = [program.name()];
  let at = program;
  for (const arg of args) {
    const child = childNamed(at, arg);
    if (!child) continue;
    path.push(arg);
    at = child;
  }
  return path;
}

/** Prints the error and the advice to stderr. */
function showFailure(report: Report, options: { json: boolean }, terminal: Terminal): void {
  if (options.json) {
    terminal.err(JSON.stringify(report.body));
    return;
  }
  terminal.err(`${terminal.errStyle('red', 'chatctl:')} ${sanitize(report.message)}`);
  if (report.advice) terminal.err(sanitize(report.advice));
}
