/** The texts of the inbox and of the recent conversations, in English. */
import { withWords } from '../context.ts';
import { APP_WORDS } from './app-words.ts';

export const OVERVIEW_WORDS = {
  markAllRead: 'Mark all as read',
  inboxEmpty: 'You have read everything.',
  inboxEmptyHint: 'New messages appear here.',
  inboxPartial: 'There are older unread messages.',
  collapse: (name: string) => `Collapse ${name}`,
  expand: (name: string) => `Expand ${name}`,
  saidBy: (sender: string, text: string) => `${sender}: ${text}`,
  recentEmpty: 'No conversations yet. Write the first message.',
  recentOlder: 'Show older conversations',
  recentEnd: 'Older conversations are in their channels.',
  participants: (names: string) => `With ${names}`,
};

export const useOverviewWords = withWords({ ...APP_WORDS, ...OVERVIEW_WORDS });
