import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/sanitize.ts';

export const passwords = commands('passwords', 'Reset a forgotten password', {
  requestReset: {
    args: ['email'],
    done: ({ parameters: { email } }) => `If ${oneLine(email)} has an account, a reset link will be sent to it.`,
    examples: ['passwords request-reset ada@example.com --site https://chat.example.com'],
  },
  checkReset: { args: ['token'] },
  reset: {
    args: ['token'],
    done: ({ answer: { email, api_key }, parameters: { keep_api_key } }) =>
      `Set the password of ${oneLine(email)}. ${keep_api_key ? 'API key (unchanged)' : 'New API key'}: ${api_key}`,
    examples: ['passwords reset TOKEN --password-stdin < password.txt'],
  },
});
