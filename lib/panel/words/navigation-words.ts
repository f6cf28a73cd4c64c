/** The texts of the quick switcher and of the list of keys, in English. */
import { withWords } from '../context.ts';
import { APP_WORDS } from './app-words.ts';
import { DEFERRED_WORDS } from './deferred-words.ts';

export const NAVIGATION_WORDS = {
  goToPlaceholder: 'Person, channel or topic',
  goToHint: 'Arrow keys choose, Enter opens. “general > lunch” finds a topic of a channel.',
  searchMessagesFor: (text: string) => `Search messages for “${text}”`,

  keysOfApp: 'Anywhere',
  keysWithoutField: 'Where there is no message field',
  keysOfMessages: 'On a message',
  keysOfField: 'In the message field, to which all goes that you type elsewhere',
  keySwitch: 'Go to a person, channel or topic',
  keyNextUnread: 'Next unread conversation',
  keyNeighbors: 'Previous or next conversation of the sidebar',
  keyColumn: 'Show or hide people and files',
  keyCompose: 'Write a message',
  keyEscape: 'Close, or leave the field',
  keyHelp: 'Show this list',
  keyRows: 'Previous or next message',
  keyEnds: 'First or newest message',
  keyMenu: 'All actions of the message',
  keyReply: 'Reply to the message',
  keyBold: 'Bold',
  keyItalic: 'Italic',
  keyLink: 'Link',
};

export const useNavigationWords = withWords({ ...APP_WORDS, ...DEFERRED_WORDS, ...NAVIGATION_WORDS });
