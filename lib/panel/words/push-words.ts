/** The texts about push notifications, in English. */
import { withWords } from '../context.ts';

export const PUSH_WORDS = {
  pushSwitch: 'Notify me on this device, also while the chat is closed',
  pushQuestion: 'Get notified of answers on this device?',
  pushTurnOn: 'Turn on',
  pushNotNow: 'Not now',
};

export const usePushWords = withWords(PUSH_WORDS);
