import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import { png } from '../../../world/pictures.ts';

export const matrix: PlainCalls = {
  'avatars.upload': () => ({ file: png }),
  'avatars.remove': () => ({}),
};

export const changes: Changes = {
  'avatars.upload': {
    'a first picture and a second one': async ({ as }) => {
      await as('hamlet').avatars.upload({ file: png });
      await as('hamlet').avatars.upload({ file: png });
    },
    'of a guest': ({ as }) => as('guest').avatars.upload({ file: png }),
  },
  'avatars.remove': {
    'an uploaded avatar': async ({ as }) => {
      await as('cordelia').avatars.upload({ file: png });
      await as('cordelia').avatars.remove();
    },
    'for a Gravatar avatar': async (world) => {
      await world.settings({ default_avatar_source: 'G' });
      await world.as('cordelia').avatars.remove();
    },
  },
};

export const stored: Stored = async (tx) =>
  (await tx.users.changedSince(0)).map(({ avatar_source, avatar_version }) => [avatar_source, avatar_version]);
