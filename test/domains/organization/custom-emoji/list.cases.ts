import { cases } from '../../../world/case.ts';

export const listCustomEmojiCases = cases('customEmoji.list', [
  {
    name: 'the list has emoji by ID, deactivated ones included',
    as: 'guest',
    call: ['customEmoji.list'],
    returns: ({ users, emoji }) => ({
      emoji: {
        [emoji.yorick]: {
          id: emoji.yorick,
          name: 'yorick',
          source_url: /^\/custom_emoji\/[0-9a-f]{32}\.png$/,
          still_url: null,
          deactivated: false,
          author_id: users.hamlet,
        },
        [emoji.jester]: { name: 'jester', deactivated: true },
      },
    }),
  },
  {
    name: 'a bot gets the list of emoji',
    as: 'bot',
    call: ['customEmoji.list'],
    returns: { emoji: (all: object) => Object.keys(all).length === 2 },
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
    call: ['customEmoji.list'],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
]);
