import { CommanderError } from 'commander';
import { EXIT, type Report, reportOf } from './failure.ts';
import { leaveWhenInterrupted } from './interruption.ts';
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
    const report = error instanceof CommanderError ? usageReport(error, args) : await reportOf(error);
    // Help that was printed in place of an error has said everything.
    if (report.message !== '') showFailure(report, { json: args.includes('--json') }, terminal);
    return report.exitCode;
  }
}

function usageReport(error: CommanderError, args: readonly string[]): Report {
  const message = error.code === 'commander.help' ? '' : error.message.replace(/^error: /, '');
  const words = args.filter((arg) => /^[a-z-]+$/.test(arg) && !arg.startsWith('-'));
  const known = error.code === 'commander.unknownCommand' ? words.slice(0, -1) : words.slice(0, 2);
  const advice = `See \`${['chatctl', ...(known.length > 0 && error.code !== 'commander.unknownCommand' ? known : known.slice(0, 1)), '--help'].join(' ')}\`.`;
  return { exitCode: EXIT.usage, message, advice, body: { result: 'error', msg: message } };
}
