import type { Chat } from '../../lib/index.ts';
import type { Demo } from '../../lib/internal.ts';
import { noOrganization } from '../database.ts';
import { withoutPassword } from '../database-address.ts';
import { EXIT, Failure } from '../failure.ts';
import { table } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';

/** The demo, made now or found; an organization of one's own stays as it is. */
export async function demoIn(chat: Chat, location: string, wanted: boolean) {
  const isEmpty = !(await chat.hasOrganization());
  if (isEmpty && !wanted) throw noOrganization(location);
  const { findDemo, isUnfinishedDemo, seedDemo } = await import('../../lib/internal.ts');
  if (isEmpty) return seedDemo(chat);
  if (await isUnfinishedDemo(chat)) throw unfinishedDemo(location);
  return wanted ? findDemo(chat) : undefined;
}

function unfinishedDemo(location: string): Failure {
  const place = withoutPassword(location);
  return new Failure(
    `The demo in ${place} is not complete: it is being made at this moment, or that was interrupted.`,
    EXIT.refused,
    `If nothing else is making it, delete ${place} and start again with --demo, or name another database.`,
  );
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
