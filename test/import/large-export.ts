import { START } from './slack-export.ts';
import type { ZipEntry } from './zip-file.ts';

const WORDS = 'the plan for lunch is ready when tests are green and nobody waits for a review of this change'.split(
  ' ',
);
const MESSAGES_PER_DAY = 1_000;

/** An export with so many messages: in channels, threads and direct conversations, with reactions, links and mentions. */
export function largeExport(messages: number, { users = 200, channels = 40 } = {}): ZipEntry[] {
  const member = (at: number) => `U${at % users}`;
  const place = (at: number) => (at % 5 === 0 ? `D${at % 50}` : `c${(at * 7) % channels}`);
  const days = new Map<string, object[]>();
  const threads = new Map<string, string>();
  for (let at = 0; at < messages; at++) {
    const seconds = START + Math.floor((at * 86_400) / MESSAGES_PER_DAY);
    const ts = `${seconds}.${String(at % 1_000_000).padStart(6, '0')}`;
    const to = place(at);
    const thread = at % 10 === 1 ? ts : at % 10 < 5 && at % 10 > 1 ? threads.get(to) : undefined;
    if (at % 10 === 1) threads.set(to, ts);
    const words = Array.from(
      { length: 8 + (at % 17) },
      (_, word) => WORDS[(at * 3 + word * (1 + (at % 5))) % WORDS.length],
    );
    const name = `${to}/${new Date(seconds * 1000).toISOString().slice(0, 10)}.json`;
    const row = {
      type: 'message',
      user: to.startsWith('D') ? [member(at), member(at + 1)][at % 2] : member(at * 13),
      ts,
      text: `${words.join(' ')} ${at % 9 === 0 ? `<@${member(at)}>` : ''} ${at % 11 === 0 ? '*bold* <https://example.com/a?b=1|a link>' : ''} ${at}`,
      ...(thread ? { thread_ts: thread } : {}),
      ...(at % 6 === 0 ? { reactions: [{ name: 'tada', users: [member(at + 2), member(at + 3)] }] } : {}),
    };
    days.set(name, [...(days.get(name) ?? []), row]);
  }
  const all = Array.from({ length: users }, (_, at) => member(at));
  return [
    {
      name: 'users.json',
      content: JSON.stringify(
        all.map((id) => ({ id, profile: { real_name: `Person ${id}`, email: `${id}@example.com` } })),
      ),
    },
    {
      name: 'channels.json',
      content: JSON.stringify(
        Array.from({ length: channels }, (_, at) => ({
          id: `C${at}`,
          name: `c${at}`,
          members: at < 3 ? all : all.filter((_id, user) => (user + at) % 5 === 0),
        })),
      ),
    },
    {
      name: 'dms.json',
      content: JSON.stringify(
        Array.from({ length: 50 }, (_, at) => ({ id: `D${at}`, members: [member(at), member(at + 1)] })),
      ),
    },
    ...[...days].map(([name, rows]) => ({ name, content: JSON.stringify(rows) })),
  ];
}
