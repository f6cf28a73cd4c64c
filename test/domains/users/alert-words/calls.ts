import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import { say } from '../../messages/in-worlds.ts';

export const matrix: PlainCalls = {
  'alertWords.list': () => ({}),
  'alertWords.add': () => ({ alert_words: ['deploy'] }),
  'alertWords.remove': () => ({ alert_words: ['deploy'] }),
};

export const changes: Changes = {
  'alertWords.add': {
    'words that are then used in messages': async (world) => {
      await world.as('cordelia').alertWords.add({ alert_words: ['ghost', 'Who Goes'] });
      await say(world, 'hamlet', world.channels.public, 'ghosts', 'A ghost! Who goes there?');
    },
  },
  'alertWords.remove': {
    'one of two words': async ({ as }) => {
      await as('cordelia').alertWords.add({ alert_words: ['ghost', 'who goes'] });
      await as('cordelia').alertWords.remove({ alert_words: ['GHOST'] });
    },
  },
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return Promise.all(users.map(({ id }) => tx.alertWords.of(id)));
};
