/**
 * Imports a chat table from a CSV file with the columns id, author, room, created_at and text, ordered by created_at.
 * Each room becomes a public channel. Messages keep their times. If it was interrupted, run it again: it skips rows that
 * are there. No server may use the database in the meantime.
 *
 *   npm install csv-parse
 *   npx chatctl init --db chat.db --name "Example" --email ada@example.com --full-name "Ada" --write-config zuliprc
 *   npx tsx examples/import-table.ts rows.csv chat.db ada@example.com example.com
 */
import { createReadStream } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse';
import { type Clock, openChat, type Session, sqlite } from 'parlance-chat';

/** Only this script writes to it, so it can see which rows are there. */
const TOPIC = 'imported';
/** Limit of `users.createMany`. */
const PEOPLE_AT_ONCE = 2_000;
const MESSAGES_AT_ONCE = 1_000;

interface Row {
  id: string;
  author: string;
  room: string;
  text: string;
  ms: number;
}

export interface ImportOptions {
  csv: string;
  /** Path of a database that `chatctl init` has made. */
  database: string;
  /** Address of the owner. */
  owner: string;
  /** For authors without an e-mail address: `Ben Carter` becomes `ben-carter@DOMAIN`. */
  domain: string;
}

/** Returns how many messages it has sent and skipped. */
export async function importTable({ csv, database, owner: email, domain }: ImportOptions) {
  const authors = new Map<string, number>();
  const rooms = new Map<string, { name: string; since: number; authors: Set<string> }>();
  const keyOf = (room: string) => room.trim().toLowerCase();
  for await (const { author, room, ms } of rowsOf(csv)) {
    authors.set(author, 0);
    const known = rooms.get(keyOf(room)) ?? { name: room.trim(), since: ms, authors: new Set() };
    rooms.set(keyOf(room), { ...known, authors: known.authors.add(author) });
  }
  // The chat takes all times from its clock.
  let now = Math.min(Date.now(), ...[...rooms.values()].map(({ since }) => since));
  const clock: Clock = { now: () => now, after: () => () => undefined };
  const chat = await openChat({ storage: sqlite(database), clock });
  try {
    const owner = chat.as(email);
    await createAccounts(owner, authors, domain);
    const channels = new Set((await owner.channels.list()).streams.map(({ name }) => keyOf(name)));
    const present = new Map<string, Map<string, number>>();
    for (const [key, { name, since }] of rooms) {
      now = since;
      if (!channels.has(key)) await owner.channels.create({ name, subscribers: [] });
      present.set(key, await presentRows(owner, name));
    }
    const counts = { sent: 0, skipped: 0 };
    for await (const { author, room, text, ms } of rowsOf(csv)) {
      const sender = authors.get(author) as number;
      if (text.trim() === '' || wasThere(present.get(keyOf(room)), sender, ms)) {
        counts.skipped++;
        continue;
      }
      now = ms;
      const to = rooms.get(keyOf(room))?.name as string;
      await chat.as(sender).messages.send({ type: 'channel', to, topic: TOPIC, content: text });
      counts.sent++;
    }
    now = Date.now();
    for (const { name, authors: names } of rooms.values()) {
      const principals = [...names].map((author) => authors.get(author) as number);
      const subscriptions = [{ name }];
      for (let at = 0; at < principals.length; at += PEOPLE_AT_ONCE) {
        const some = principals.slice(at, at + PEOPLE_AT_ONCE);
        await owner.subscriptions.add({ subscriptions, principals: some, send_new_subscription_messages: false });
      }
      const { stream_id } = await owner.channels.getId({ stream: name });
      for (const id of principals) await chat.as(id).messages.markTopicRead({ stream_id, topic_name: TOPIC });
    }
    return counts;
  } finally {
    await chat.close();
  }
}

async function* rowsOf(csv: string): AsyncGenerator<Row> {
  let last = Number.NEGATIVE_INFINITY;
  for await (const row of createReadStream(csv).pipe(parse({ columns: true, bom: true }))) {
    const { id, author, room, created_at, text } = row as Record<string, string | undefined>;
    if (!id || !author || !room || !created_at || text === undefined)
      throw new Error('Each row needs id, author, room, created_at and text.');
    const ms = timeOf(created_at);
    if (Number.isNaN(ms)) throw new Error(`Row ${id}: "${created_at}" is not a time.`);
    if (ms < last) throw new Error(`Row ${id} is older than the row before it. Order the rows by created_at.`);
    last = ms;
    yield { id, author, room, text, ms };
  }
}

/** UNIX time in seconds, or a date with time. Without a zone, it is UTC, as in SQLite. */
function timeOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  return Date.parse(/(Z|[+-]\d\d(:?\d\d)?)$/i.test(text) ? text : `${text.replace(' ', 'T')}Z`);
}

/** Finds or creates the accounts, and stores their IDs. */
async function createAccounts(owner: Session, authors: Map<string, number>, domain: string): Promise<void> {
  const addresses = new Map<string, string>();
  for (const author of authors.keys()) {
    const email = author.includes('@') ? author : `${author.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-')}@${domain}`;
    const other = addresses.get(email);
    if (other !== undefined) throw new Error(`"${other}" and "${author}" would have the same address ${email}.`);
    addresses.set(email, author);
  }
  const all = [...addresses];
  for (let at = 0; at < all.length; at += PEOPLE_AT_ONCE) {
    const some = all.slice(at, at + PEOPLE_AT_ONCE);
    const people = some.map(([email, author]) => ({ email, full_name: author.split('@', 1)[0] as string }));
    const outcomes = (await owner.users.createMany({ people })).people;
    for (const [index, { user_id, outcome, reason }] of outcomes.entries()) {
      const [email, author] = some[index] as [string, string];
      if (user_id === null || outcome === 'deactivated')
        throw new Error(`The account ${email} of "${author}" cannot be used: ${reason ?? outcome}.`);
      authors.set(author, user_id);
    }
  }
}

/** Whether the row is there. Counts it, as an author can have several rows in a second. */
function wasThere(present: Map<string, number> | undefined, sender: number, ms: number): boolean {
  const key = `${sender}:${Math.floor(ms / 1000)}`;
  const count = present?.get(key) ?? 0;
  present?.set(key, count - 1);
  return count > 0;
}

/** How many rows of each author and second are there. */
async function presentRows(owner: Session, room: string): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  const narrow: [string, string][] = [
    ['channel', room],
    ['topic', TOPIC],
  ];
  for (let anchor: number | 'oldest' = 'oldest'; ; ) {
    const page = { anchor, include_anchor: false, num_before: 0, num_after: MESSAGES_AT_ONCE, narrow } as const;
    const { messages, found_newest } = await owner.messages.list({ ...page, narrow });
    for (const { sender_id, timestamp } of messages) {
      const key = `${sender_id}:${timestamp}`;
      rows.set(key, (rows.get(key) ?? 0) + 1);
    }
    const last = messages.at(-1);
    if (found_newest || !last) return rows;
    anchor = last.id;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [csv, database, owner, domain] = process.argv.slice(2);
  if (!csv || !database || !owner || !domain) throw new Error('Usage: import-table.ts CSV DATABASE OWNER DOMAIN');
  const { sent, skipped } = await importTable({ csv, database, owner, domain });
  console.log(`${sent} messages imported, ${skipped} rows skipped.`);
}
