import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/sanitize.ts';

export const passwords = commands('passwords', 'Another password for who forgot theirs', {
  requestReset: {
    args: ['email'],
    done: ({ parameters: { email } }) => `If there is an account with ${oneLine(email)}, a link is on its way to it.`,
    examples: ['passwords request-reset ada@example.com --site https://chat.example.com'],
  },
  checkReset: { args: ['token'] },
  reset: {
    args: ['token'],
    done: ({ answer: { email, api_key }, parameters: { keep_api_key } }) =>
      `Set the password of ${oneLine(email)}. ${keep_api_key ? 'The' : 'Another'} API key: ${api_key}`,
    examples: ['passwords reset TOKEN --password-stdin < password.txt'],
  },
});
