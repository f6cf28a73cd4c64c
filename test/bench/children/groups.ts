import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { type Chat, openChat, type Storage, sqlite } from '../../../lib/index.ts';
import type { User } from '../../../lib/model/users.ts';
import { hasPermission } from '../../../lib/rules/permissions.ts';
import { viewerOf } from '../../../lib/viewer/viewer.ts';
import { answer } from './answering.ts';
import { type Populated, populate } from './population.ts';

/** An organization with nested groups, called through the library. */

let chat: Chat;
let storage: Storage;
let bare: Database.Database;
let populated: Populated;
let outermost: number;
let groups = 0;

/** Nested groups, as many as `depth`. All users are in the innermost. */
async function start(given: { database: string; bareDatabase: string; people: number; depth: number }) {
  storage = sqlite(given.database);
  chat = await openChat({ storage });
  populated = await populate(chat, storage, { people: given.people, channels: [] });
  const { userGroups } = chat.as(populated.owner);
  outermost = await newGroup();
  await userGroups.updateMembers({ user_group_id: outermost, add: populated.people });
  for (let level = 1; level < given.depth; level++) {
    const next = await newGroup();
    await userGroups.updateSubgroups({ user_group_id: next, add: [outermost] });
    outermost = next;
  }
  bare = new Database(given.bareDatabase);
  bare.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE pairs (a INTEGER NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
    CREATE INDEX pairs_by_b ON pairs (b)`);
}

async function newGroup(): Promise<number> {
  const given = { name: `Group ${++groups}`, description: '', members: [] };
  return (await chat.as(populated.owner).userGroups.create(given)).group_id;
}

/** Microseconds of one check whether a user holds a permission of the outermost group, each in its own transaction. */
async function check({ times }: { times: number }) {
  const { people } = populated;
  const organization = await storage.read((tx) => tx.organization.get());
  const users = await storage.read((tx) => tx.users.byIds(people.slice(0, times)));
  const context = { organization, now: Date.now(), services: {} } as unknown as Parameters<typeof viewerOf>[0];
  let held = 0;
  const start = performance.now();
  for (const user of users) {
    const membership = await storage.read((tx) =>
      viewerOf({ ...context, tx }, user as User).membershipFor([outermost]),
    );
    if (hasPermission(outermost, membership, { guests: false })) held++;
  }
  const took = performance.now() - start;
  if (held !== users.length) throw new Error('All users must hold the permission.');
  return (took / users.length) * 1_000;
}

/** The same for one select of an account by its ID. */
async function select({ times }: { times: number }) {
  const ids = populated.people.slice(0, times);
  const start = performance.now();
  for (const id of ids) await storage.read((tx) => tx.users.byId(id));
  return ((performance.now() - start) / ids.length) * 1_000;
}

/** Milliseconds until so many users are in a group, with the events. */
async function add({ people }: { people: number }) {
  const user_group_id = await newGroup();
  const start = performance.now();
  await chat.as(populated.owner).userGroups.updateMembers({ user_group_id, add: populated.people.slice(0, people) });
  return performance.now() - start;
}

/** Milliseconds until as many bare rows are durable. */
function insert({ people }: { people: number }) {
  const a = ++groups;
  const statement = bare.prepare('INSERT INTO pairs (a, b) VALUES (?, ?)');
  const start = performance.now();
  bare.transaction(() => {
    for (const b of populated.people.slice(0, people)) statement.run(a, b);
  })();
  return performance.now() - start;
}

answer({ start, check, select, add, insert });
