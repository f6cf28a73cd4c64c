import { type Command, CommanderError } from 'commander';
import { EXIT, type Report, reportOf } from './failure.ts';
import { leaveWhenInterrupted } from './interruption.ts';
import { childNamed } from './names.ts';
import { showFailure } from './output/failure.ts';
import { endQuietlyOnBrokenPipe, processTerminal } from './output/terminal.ts';
import { buildProgram } from './program.ts';

/** Runs one command line; resolves to the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  endQuietlyOnBrokenPipe();
  leaveWhenInterrupted();
  const terminal = processTerminal();
  const program = buildProgram(terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const report = error instanceof CommanderError ? usageReport(error, program, args) : await reportOf(error);
    // Help printed in place of an error, or Ctrl-C: nothing more to say.
    if (report.message !== '') showFailure(report, { json: args.includes('--json') }, terminal);
    return report.exitCode;
  }
}

/** Commander's words, as sentences, and where to read on. */
function usageReport(error: CommanderError, program: Command, args: readonly string[]): Report {
  const [, problem = '', question = ''] = /^(?:error: )?(.*?)\.?(?:\n\((.*)\))?$/s.exec(error.message) ?? [];
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
  const message = error.code === 'commander.help' ? '' : [sentence, question].join(' ').trim();
  const advice = `See \`${[...pathOf(program, args), '--help'].join(' ')}\`.`;
  return { exitCode: EXIT.usage, message, advice, body: { result: 'error', msg: message } };
}

/** The words of the line that are commands. */
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
