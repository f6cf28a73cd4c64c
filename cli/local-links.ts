import { LOOPBACK } from './connection.ts';
import type { Terminal } from './output/terminal.ts';

/** Before a link is handed out: where nobody has said how the chat is reached, it leads to this machine. */
export function warnOfLocalLink(link: string, terminal: Terminal): void {
  if (!LOOPBACK.test(link.replace(/^https?:\/\//, ''))) return;
  terminal.err(
    'Links open on this machine alone: where people reach the chat is said by --base-url or PARLANCE_BASE_URL, of `chatctl serve` or beside --db.',
  );
}
