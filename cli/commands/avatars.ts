import { commands } from '../operations/metadata.ts';

export const avatars = commands('avatars', 'Your profile picture', {
  upload: {
    args: ['file'],
    examples: ['avatars upload ./me.jpg'],
    done: ({ answer }) => `Changed your profile picture:\n${answer.avatar_url}`,
  },
  remove: {
    confirm: 'Remove your profile picture permanently?',
    done: ({ answer }) => `Removed your profile picture. The generated picture:\n${answer.avatar_url}`,
  },
});
