/** The texts of what loads after the first messages, in English. */
import { withWords } from '../context.ts';
import { counted } from './conversation-words.ts';

export const DEFERRED_WORDS = {
  status: 'Connection',
  statusBehind: 'Connected again. Fetching what you missed…',
  statusBack: 'Connected again.',
  statusOffline: 'No connection.',
  statusRetryIn: (seconds: number) => `Next attempt in ${counted(seconds, 'second', 'seconds')}.`,
  retryNow: 'Retry now',
  draftsNotStored: 'Your browser stores no drafts. Copy unsent text before you close the page.',

  newMessageBy: (sender: string, text: string) => `${sender}: ${text}`,

  typingOne: (name: string) => `${name} is typing…`,
  typingMany: (names: string) => `${names} are typing…`,
  typingSeveral: 'Several people are typing…',

  sending: 'Sending…',
  sendingSlow: 'Still sending…',
  sendingUnsure: 'The connection broke. This message may not have arrived.',
  sendingFailed: (reason: string) => `Not sent: ${reason}`,
  editAndResend: 'Edit',
  discard: 'Discard',

  actions: 'Message actions',
  moreActions: 'More actions',
  addReaction: 'Add reaction',
  editMessage: 'Edit message',
  reply: 'Reply',

  refusedChannel: 'You have no access to this channel.',
  refusedByDeactivation: (name: string) => `${name} is deactivated and cannot receive messages.`,
  send: 'Send',
  sendWith: (send: string, key: string) => `${send} (${key})`,
  enterSwitch: 'Enter sends',
  charactersLeft: (count: number) => `${counted(count, 'character', 'characters')} left`,
  charactersTooMany: (count: number) => `${counted(count, 'character', 'characters')} too many`,
  waitForUploads: 'Wait until all files are uploaded, or remove them',
};

export const useDeferred = withWords(DEFERRED_WORDS);

export type DeferredWords = ReturnType<typeof useDeferred>['words'];
