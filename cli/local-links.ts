import { LOOPBACK } from './connection.ts';
import type { Terminal } from './output/terminal.ts';

/** Warns if a link points to this machine because no public URL is set. */
export function warnOfLocalLink(link: string, terminal: Terminal): void {
  if (!LOOPBACK.test(link.replace(/^https?:\/\//, ''))) return;
  terminal.err(
    'This link works only on this machine. Set the public URL with --base-url or PARLANCE_BASE_URL, for `chatctl serve` or together with --db.',
  );
}
