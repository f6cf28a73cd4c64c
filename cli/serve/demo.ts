import type { Chat } from '../../lib/index.ts';
import type { Demo } from '../../lib/internal.ts';
import { shellWord } from '../../lib/internal.ts';
import { noOrganization, withoutPassword } from '../database.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Terminal } from '../output/terminal.ts';
import { table } from '../output/text.ts';

/** Creates or finds the demo. Does not change an organization that is not a demo. */
export async function demoIn(chat: Chat, location: string, wanted: boolean) {
  const isEmpty = !(await chat.hasOrganization());
  if (isEmpty && !wanted) throw noOrganization(location);
  const { findDemo, isUnfinishedDemo, seedDemo } = await import('../../lib/internal.ts');
  const isUnfinished = !isEmpty && (await isUnfinishedDemo(chat));
  if (wanted && (isEmpty || isUnfinished)) return seedDemo(chat);
  if (!isUnfinished) return wanted ? findDemo(chat) : undefined;
  throw new Failure(
    `The demo in ${withoutPassword(location)} is incomplete: another process is creating it, or was interrupted.`,
    EXIT.refused,
    'To complete it, start again with --demo.',
  );
}

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
    `  ${chatctl()} messages send ${account} --to ${shellWord(channel)} --topic hello -m "Hello"`,
    `  open ${url}/api/docs in a browser`,
    '',
    `The data is stored in ${location}. Press Ctrl-C to stop the server.`,
  ].join('\n');
}

/** In a checkout, with `npm start`, `chatctl` is not on the path. */
const chatctl = (): string => (process.argv[1]?.endsWith('.ts') ? 'npx tsx cli/chatctl.ts' : 'chatctl');
