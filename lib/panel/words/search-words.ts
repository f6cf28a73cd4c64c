/** The texts of the search field, in English. */
import { withWords } from '../context.ts';
import { APP_WORDS } from './app-words.ts';

export const SEARCH_WORDS = {
  searchPlaceholder: 'Search messages',
  searchFor: (query: string) => `Search: ${query}`,
  filters: 'Filters',
  showAround: 'Show context',
  hideAround: 'Hide context',
  removeFilter: (filter: string) => `Remove ${filter}`,
  searchHint:
    'Filters: from:Ada, in:general, topic:lunch, has:attachment, is:starred. A minus before it excludes: -from:Ada',
  unknownPersonFilter: (name: string) => `No user matches “${name}”.`,
  unknownChannelFilter: (name: string) => `No channel matches “${name}”.`,
  unknownMessageFilter: (given: string) => `“${given}” is no ID of a message.`,
  unknownFilter: (given: string) =>
    `The filter “${given}” does not exist. To find this text, put it into quotation marks.`,
  filterMeanings: {
    from: 'messages of a user',
    in: 'messages of a channel',
    topic: 'messages of a topic',
    dm: 'direct messages with these users',
    'dm-including': 'direct messages with a user, also in groups',
    has: 'link, image, attachment or reaction',
    is: 'dm, starred, mentioned, unread, resolved and others',
    channels: 'public, web-public or archived channels',
    near: 'at the message with this ID',
    with: 'the conversation of the message with this ID',
    id: 'the message with this ID',
  } as Readonly<Record<string, string>>,
};

export const useSearchWords = withWords({ ...APP_WORDS, ...SEARCH_WORDS });
