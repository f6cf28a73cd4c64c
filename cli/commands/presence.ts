import type { Session } from '../../lib/index.ts';
import { ifReadable } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { moment, oneLine, table } from '../output/text.ts';

/** Seconds without a report after which a user is shown as offline. */
const OFFLINE_AFTER = 200;

type Legacy = { aggregated: { status: string; timestamp: number } };

export const presence = commands('presence', 'Which users are online', {
  list: {
    async done({ session, answer, terminal }) {
      const entries = Object.entries(answer.presences);
      if (entries.length === 0) return 'No user was online in the last 14 days.';
      const nameAt = await names(session);
      const rows = entries
        .map(([email, { aggregated }]) => ({ name: nameAt(email), status: statusAt(aggregated, answer), aggregated }))
        .sort((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status) || compare(one.name, other.name))
        .map(({ name, status, aggregated }) => [name, status, moment(aggregated.timestamp)]);
      return table(['NAME', 'STATUS', 'LAST SEEN'], rows, terminal);
    },
  },
  get: {
    args: [{ parameter: 'user_id_or_email', label: 'USER' }],
    async done({ session, parameters: { user_id_or_email }, answer: { presence } }) {
      const { status, timestamp } = presence.aggregated;
      const name = await nameOf(session, user_id_or_email);
      return status === 'offline'
        ? `${name} is offline, last seen ${moment(timestamp)}.`
        : `${name} is ${status}, as of ${moment(timestamp)}.`;
    },
  },
  report: {
    args: ['status'],
    defaultsForPeople: { ping_only: true },
    examples: ['presence report active'],
    done: ({ parameters: { status } }) => `Reported your presence as ${status}.`,
  },
});

const ORDER = ['active', 'idle', 'offline'];

function statusAt({ status, timestamp }: Legacy['aggregated'], { server_timestamp }: { server_timestamp: number }) {
  return server_timestamp - timestamp > OFFLINE_AFTER ? 'offline' : status;
}

async function names(session: Session): Promise<(email: string) => string> {
  const { members } = await session.users.list();
  const found = new Map(members.map(({ email, full_name }) => [email, oneLine(full_name)]));
  return (email) => found.get(email) ?? email;
}

async function nameOf(session: Session, user: string): Promise<string> {
  const { get, getByEmail } = session.users;
  const answer = await ifReadable(/^[0-9]+$/.test(user) ? get({ user_id: Number(user) }) : getByEmail({ email: user }));
  return oneLine(answer?.user.full_name ?? user);
}

const compare = (one: string, other: string) => one.localeCompare(other, 'en', { sensitivity: 'base' });

const parsers = { emoji_name: 'emoji' } as const;

export const userStatus = commands('userStatus', 'Status texts and emoji of users', {
  set: {
    args: ['status_text'],
    parsers,
    done: async ({ session }) => `You: ${await shown(session, (await session.users.me()).user_id)}`,
    examples: [
      'user-status set "in a meeting" --emoji-name calendar',
      'user-status set --status-text "" --emoji-name ""',
    ],
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
  get: {
    args: ['user_id'],
    done: ({ answer }) => (Object.keys(answer.status).length === 0 ? 'No status.' : undefined),
  },
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
    done: ({ parameters: { op } }) =>
      op === 'start' ? 'Others see that you are typing.' : 'Others no longer see that you are typing.',
    examples: [
      'typing send start --to ben@example.com',
      'typing send stop --type channel --stream-id general --topic lunch',
    ],
  },
  sendEdit: {
    args: ['message_id', 'op'],
    done: ({ parameters: { op } }) =>
      op === 'start' ? 'Others see that you are editing.' : 'Others no longer see that you are editing.',
  },
});
