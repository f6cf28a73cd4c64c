// Written by `npm run documents` from the names of the files; a test compares.
import { foundation } from './0001-foundation.ts';
import { messagesInFull } from './0002-messages-in-full.ts';
import { emojiImages } from './0003-emoji-images.ts';
import { linkifiers } from './0004-linkifiers.ts';
import { placesVersion } from './0005-places-version.ts';
import { playgrounds } from './0006-playgrounds.ts';
import { fillFoldedContent, foldedContent } from './0007-folded-content.ts';

export const list = [
  { version: 1, name: 'foundation', sql: foundation },
  { version: 2, name: 'messages in full', sql: messagesInFull },
  { version: 3, name: 'emoji images', sql: emojiImages },
  { version: 4, name: 'linkifiers', sql: linkifiers },
  { version: 5, name: 'places version', sql: placesVersion },
  { version: 6, name: 'playgrounds', sql: playgrounds },
  { version: 7, name: 'folded content', sql: foldedContent, fill: fillFoldedContent },
];
