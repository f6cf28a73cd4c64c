/** The texts of the column beside a conversation, in English. */
import { withWords } from '../context.ts';
import { APP_WORDS } from './app-words.ts';
import { PEOPLE_WORDS } from './people-words.ts';

export const COLUMN_WORDS = {
  files: 'Files',
  aboutChannel: 'About this channel',
  findPeople: 'Find people',
  findOrAddPeople: 'Find or add people',
  noSubscribers: 'No user is subscribed.',
  itsYou: 'you',
  noFiles: 'No files here yet. Drop a file on the conversation to share it.',
  filesFailed: (reason: string) => `The files could not be loaded: ${reason}`,
  olderFiles: 'Show older files',
  oldestFiles: 'Search for older files with the filter has:attachment.',
  showInConversation: (name: string) => `Show ${name} in the conversation`,
};

export const useColumnWords = withWords({ ...APP_WORDS, ...PEOPLE_WORDS, ...COLUMN_WORDS });
