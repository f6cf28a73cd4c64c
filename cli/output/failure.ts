import type { Report } from '../failure.ts';
import { plain } from './sanitize.ts';
import type { Terminal } from './terminal.ts';

/** Tells what went wrong and what to do next, on stderr. */
export function showFailure(report: Report, options: { json: boolean }, terminal: Terminal): void {
  if (options.json) {
    terminal.err(JSON.stringify(report.body));
    return;
  }
  terminal.err(`${terminal.errStyle('red', 'chatctl:')} ${plain(report.message)}`);
  if (report.advice) terminal.err(plain(report.advice));
}
