import { commands } from '../operations/metadata.ts';

const emoji = { emoji_name: 'emoji' } as const;

export const userStatus = commands('userStatus', 'What people let others know of what they are doing', {
  set: {
    args: ['status_text'],
    parsers: emoji,
    done: ({ parameters: { status_text, emoji_name } }) => sentence('Your', status_text, emoji_name),
    examples: [
      'user-status set "in a meeting" --emoji-name calendar',
      'user-status set --emoji-name :tada:',
      'user-status set "" --emoji-name ""',
    ],
  },
  setFor: {
    args: ['user_id', 'status_text'],
    parsers: emoji,
    done: ({ parameters: { status_text, emoji_name } }) => sentence('Their', status_text, emoji_name),
    examples: ['user-status set-for ben@example.com "" --emoji-name ""'],
  },
  get: { args: ['user_id'], examples: ['user-status get ben@example.com'] },
});

function sentence(whose: string, text: string | undefined, emoji: string | undefined): string {
  const isCleared = (text ?? '') === '' && (emoji ?? '') === '';
  if (text !== undefined && text !== '') return `${whose} status says "${text}".`;
  return isCleared && text !== undefined ? `${whose} status says nothing any more.` : `${whose} status is changed.`;
}
