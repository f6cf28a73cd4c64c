import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { newAccount } from '../../../lib/domains/users/account-creation.ts';
import { type Chat, openChat, sqlite } from '../../../lib/index.ts';
import { GUEST } from '../../../lib/rules/roles.ts';
import { answer } from './answering.ts';
import { populate } from './population.ts';
import { fillForSearch } from './search-population.ts';

/** An organization with many messages, searched through the library, and a bare full-text table of the same texts. */

let chat: Chat;
let reader: number;
let guest: number;
let texts: Database.Statement;

async function start(given: { database: string; bare: string; messages: number }) {
  const storage = sqlite(given.database);
  chat = await openChat({ storage });
  const { owner, people, channels } = await populate(chat, storage, { people: 20, channels: [20, 20, 20, 20] });
  reader = owner;
  guest = await storage.write(async (tx) => {
    const account = { email: 'guest@example.com', full_name: 'Guest', role: GUEST, now: Date.now() };
    return (await tx.users.create(newAccount(account))).id;
  });
  const { id: annex } = await chat.as(owner).channels.create({ name: 'annex', subscribers: [owner, guest] });
  fillForSearch({ ...given, channels, people, annex });
  // The index merges would have run if the messages had been sent.
  await storage.mergeWords();
  const select = `SELECT rowid, highlight(texts, 0, '<b>', '</b>') FROM texts WHERE texts MATCH ?
    ORDER BY rowid DESC LIMIT ?`;
  texts = new Database(given.bare, { readonly: true }).prepare(select);
}

/** Milliseconds of so many searches, and how many messages the last one found. */
async function search(given: { words: string; times: number; limit: number; asGuest?: boolean }) {
  const narrow = [{ operator: 'search', operand: given.words }];
  const page = { anchor: 'newest' as const, num_before: given.limit, num_after: 0, narrow };
  const start = performance.now();
  let found: number[] = [];
  for (let n = 0; n < given.times; n++) {
    found = (await chat.as(given.asGuest ? guest : reader).messages.list(page)).messages.map(({ id }) => id);
  }
  return { ms: performance.now() - start, found };
}

/** The same messages without a search, and the search of the bare table. */
async function floor(given: { query: string; found: number[]; times: number; limit: number }) {
  const start = performance.now();
  for (let n = 0; n < given.times; n++) {
    await chat.as(reader).messages.list({ message_ids: given.found });
    texts.all(given.query, given.limit);
  }
  return performance.now() - start;
}

/** The messages of the guest, without a search. */
async function guestList(given: { times: number; limit: number }) {
  const page = { anchor: 'newest' as const, num_before: given.limit, num_after: 0 };
  const start = performance.now();
  for (let n = 0; n < given.times; n++) await chat.as(guest).messages.list(page);
  return performance.now() - start;
}

/** Milliseconds of small reads, one after another, while a user searches, lists, or does nothing. */
async function others(given: { words?: string; lists?: boolean; reads: number }) {
  const narrow = given.words === undefined ? [] : [{ operator: 'search', operand: given.words }];
  const page = { anchor: 'newest' as const, num_before: 50, num_after: 0, narrow };
  let isOver = given.words === undefined && !given.lists;
  const busy = (async () => {
    while (!isOver) await chat.as(reader).messages.list(page);
  })();
  const times: number[] = [];
  for (let n = 0; n < given.reads; n++) {
    const start = performance.now();
    await chat.as(reader).channels.getId({ stream: 'watch 1' });
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  isOver = true;
  await busy;
  return times;
}

answer({ start, search, floor, guestList, others });
