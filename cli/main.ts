import { type Command, CommanderError } from 'commander';
import { EXIT, type Report, reportOf } from './failure.ts';
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
      commandIn(program, args, word).command,
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
  const advice = `See \`${[...commandIn(program, args).path, '--help'].join(' ')}\`.`;
  return { exitCode: EXIT.usage, message, advice, body: { result: 'error', msg: message } };
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
