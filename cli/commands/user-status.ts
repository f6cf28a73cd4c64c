import type { Session } from '../../lib/index.ts';
import { commands } from '../operations/metadata.ts';

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
    examples: ['user-status get ben@example.com'],
  },
});

async function shown(session: Session, user_id: number): Promise<string> {
  const { status } = await session.userStatus.get({ user_id });
  const emoji = status.emoji_name === undefined ? [] : [`:${status.emoji_name}:`];
  const parts = [...emoji, ...(status.status_text === undefined ? [] : [status.status_text])];
  return parts.length === 0 ? 'no status.' : parts.join(' ');
}
