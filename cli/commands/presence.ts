import type { Session } from '../../lib/index.ts';
import { userName } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { moment, oneLine, tableOf } from '../output/text.ts';

/** Seconds without a report after which a user is shown as offline. */
const OFFLINE_AFTER_SECONDS = 200;

const ORDER = ['active', 'idle', 'offline'];

export const presence = commands('presence', 'Which users are online', {
  list: {
    async done({ session, answer: { presences, server_timestamp }, terminal }) {
      const { members } = await session.users.list();
      const names = new Map(members.map(({ email, full_name }) => [email, full_name]));
      const rows = Object.entries(presences).map(([email, { aggregated }]) => ({
        name: names.get(email) ?? email,
        timestamp: aggregated.timestamp,
        status: server_timestamp - aggregated.timestamp > OFFLINE_AFTER_SECONDS ? 'offline' : aggregated.status,
      }));
      const byName = new Intl.Collator('en', { sensitivity: 'base' }).compare;
      rows.sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || byName(a.name, b.name));
      return tableOf(rows, terminal, { NAME: 'name', STATUS: 'status', 'LAST SEEN': 'timestamp' });
    },
    empty: 'No user was online in the last 14 days.',
  },
  get: {
    args: [{ parameter: 'user_id_or_email', label: 'USER' }],
    async done({ session, parameters: { user_id_or_email: user }, answer: { presence } }) {
      const { status, timestamp } = presence.aggregated;
      const name = /^\d+$/.test(user) ? await userName(session, Number(user)) : oneLine(user);
      return `${name} is ${status}${status === 'offline' ? ', last seen' : ', as of'} ${moment(timestamp)}.`;
    },
  },
  report: {
    args: ['status'],
    defaultsForPeople: { ping_only: true },
    examples: ['presence report active'],
    done: 'Reported your presence as {status}.',
  },
});

const parsers = { emoji_name: 'emoji' } as const;

export const userStatus = commands('userStatus', 'Status texts and emoji of users', {
  set: {
    args: ['status_text'],
    parsers,
    done: async ({ session }) => `You: ${await shown(session, (await session.users.me()).user_id)}`,
  },
  setFor: {
    args: ['user_id', 'status_text'],
    parsers,
    done: async ({ session, parameters: { user_id } }) => {
      const { user } = await session.users.get({ user_id });
      return `${user.full_name}: ${await shown(session, user_id)}`;
    },
    examples: ['user-status set-for ben@example.com --status-text "" --emoji-name ""'],
  },
  get: { done: ({ answer }) => (Object.keys(answer.status).length === 0 ? 'No status.' : undefined) },
});

async function shown(session: Session, user_id: number): Promise<string> {
  const { status } = await session.userStatus.get({ user_id });
  const emoji = status.emoji_name === undefined ? [] : [`:${status.emoji_name}:`];
  const parts = [...emoji, ...(status.status_text === undefined ? [] : [status.status_text])];
  return parts.length === 0 ? 'no status.' : parts.join(' ');
}

export const typing = commands('typing', 'Typing notifications', {
  send: {
    args: ['op'],
    parsers: { to: 'users' },
    flags: { stream_id: '--channel <channel>' },
    done: ({ parameters: { op } }) =>
      op === 'start' ? 'Others see that you are typing.' : 'Others no longer see that you are typing.',
  },
  sendEdit: {
    args: ['message_id', 'op'],
    done: ({ parameters: { op } }) =>
      op === 'start' ? 'Others see that you are editing.' : 'Others no longer see that you are editing.',
  },
});
