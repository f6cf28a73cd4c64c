import { type Command, CommanderError } from 'commander';
import { EXIT, reportOf } from './failure.ts';
import { withFieldsApart } from './global-options.ts';
import { exitInterrupted } from './interruption.ts';
import { processTerminal, type Terminal } from './output/terminal.ts';
import { sanitize } from './output/text.ts';
import { buildProgram } from './program.ts';

export function main(args: readonly string[]): Promise<number> {
  // Unless a command uses `onInterruption`.
  process.on('SIGINT', exitInterrupted);
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
    const { exitCode, message, advice, body } = await reportOf(error);
    // Empty after Ctrl-C.
    if (message === '') return exitCode;
    if (args.some((arg) => /^--json(=|$)/.test(arg))) terminal.err(JSON.stringify(body));
    else {
      terminal.err(`${terminal.errStyle('red', 'chatctl:')} ${sanitize(message)}`);
      if (advice) terminal.err(sanitize(advice));
    }
    return exitCode;
  }
}
