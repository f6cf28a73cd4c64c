import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isChatError, moveOrganization, openChat, openTenants, StorageError, sqlite } from '../../../lib/index.ts';
import { postgres } from '../../../lib/storage/postgres/postgres.ts';
import { answer } from './answering.ts';
import { populate } from './population.ts';
import { fillForSearch } from './search-population.ts';

/** Moves of one organization, while users write. */

type Place = { path: string } | { url: string; schema: string };

const PEOPLE = 50;
const CHANNELS = 5;
const WRITERS = 4;
const PAUSE_MS = 10;
const OWNER = 'keeper@example.com';

const storageAt = (place: Place) =>
  'path' in place ? sqlite(place.path) : postgres(place.url, { schema: place.schema });

/** An organization in a SQLite file. Returns the size of the file. */
async function fill({ database, bare, messages }: { database: string; bare: string; messages: number }) {
  const storage = sqlite(database);
  const chat = await openChat({ storage });
  const { people, channels } = await populate(chat, storage, {
    people: PEOPLE,
    channels: Array(CHANNELS).fill(PEOPLE),
  });
  await chat.close();
  fillForSearch({ database, bare, messages, channels, people });
  return statSync(database).size;
}

/** Milliseconds: the stop, the longest time in which a writer got no message accepted, the whole move. */
async function move({ from, to }: { from: Place; to: Place }) {
  let place = from;
  const tenants = openTenants({ storage: () => storageAt(place), logger: quiet });
  let isOver = false;
  let [accepted, refused, longest] = [0, 0, 0];
  const writer = async () => {
    let last = performance.now();
    while (!isOver) {
      try {
        await tenants.with('one', (chat) =>
          chat.as(OWNER).messages.send({ type: 'channel', to: 'watch 0', topic: 'the move', content: 'Still lit.' }),
        );
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        accepted++;
      } catch (error) {
        if (isChatError(error) || !(error instanceof StorageError)) throw error;
        refused++;
      }
      await delay(PAUSE_MS);
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, writer));
  const begin = performance.now();
  const [source, target] = [storageAt(from), storageAt(to)];
  const result = await moveOrganization(source, target, {
    places: { from: 'one', to: 'other' },
    onSwitch: async () => {
      place = to;
    },
  });
  const wholeMs = performance.now() - begin;
  await delay(500);
  isOver = true;
  await writing;
  await Promise.all([tenants.close(), source.close(), target.close()]);
  return { ...result, wholeMs, longest, accepted, refused };
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

answer({ fill, move });
