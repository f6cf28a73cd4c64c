import { table } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';

/** What `seedDemo` of the library made. */
export interface Demo {
  accounts: { email: string; full_name: string; role: string | number; password: string; api_key: string }[];
  channels: string[];
}

/** The demo accounts and three things to try, ready to be copied. */
export function demoWelcome({ accounts, channels }: Demo, url: string, location: string, terminal: Terminal): string {
  const rows = accounts.map(({ email, role, password }) => [email, String(role), password]);
  const [first] = accounts;
  const channel = channels[0] ?? 'general';
  const lines = ['', table(['E-MAIL', 'ROLE', 'PASSWORD'], rows, terminal), ''];
  if (!first) return lines.join('\n');
  const account = `--site ${url} --user ${first.email} --api-key ${first.api_key}`;
  return [
    ...lines,
    'Three things to try:',
    `  curl -s -u ${first.email}:${first.api_key} ${url}/api/v1/users/me`,
    `  ${chatctl()} messages send ${account} --to ${quoted(channel)} --topic hello -m "Hello"`,
    `  open ${url}/api/docs in a browser`,
    '',
    `The data is kept in ${location}; Ctrl-C ends the server.`,
  ].join('\n');
}

/** In a checkout, started by `npm start`, there is no `chatctl` on the path. */
function chatctl(): string {
  return process.argv[1]?.endsWith('.ts') ? 'npx tsx cli/chatctl.ts' : 'chatctl';
}

function quoted(word: string): string {
  return /^[\w.@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
