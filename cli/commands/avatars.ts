import { commands } from '../operations/metadata.ts';

export const avatars = commands('avatars', 'The picture of yourself', {
  upload: {
    args: ['file'],
    examples: ['avatars upload ./me.jpg'],
    done: ({ answer }) => `Your picture is ${answer.avatar_url} now.`,
  },
  remove: {
    confirm: 'Remove your picture? It is kept nowhere else.',
    done: ({ answer }) => `Your picture is ${answer.avatar_url} now.`,
  },
});
