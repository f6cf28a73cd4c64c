import { openSync, statSync, writeSync } from 'node:fs';
import pg from 'pg';

/** `break-database PLACE`: damages a file in the middle, or deletes the search index from PostgreSQL. */
const [place = ''] = process.argv.slice(2);
if (place.startsWith('postgres:')) {
  const client = new pg.Client(place);
  await client.connect();
  await client.query('DELETE FROM message_words');
  await client.end();
} else {
  const file = openSync(place, 'r+');
  const pages = Math.floor(statSync(place).size / 4096);
  for (let page = 20; page < Math.min(50, pages); page++)
    writeSync(file, Buffer.alloc(4096, page), 0, 4096, page * 4096);
}
