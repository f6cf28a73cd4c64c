import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { type Mail, openChat, type Session, sqlite } from '../../../lib/index.ts';
import { answer } from './answering.ts';

/** An organization in which a user invites hundreds of users at once. */

let owner: Session;
let bare: Database.Database;
let rounds = 0;

/** No e-mail is sent: the benchmark measures the queue. */
const mail: Mail = { send: async () => undefined, close: async () => undefined };

async function start(given: { database: string; bareDatabase: string }) {
  const chat = await openChat({ storage: sqlite(given.database), mail });
  const founder = { email: 'ada@example.com', full_name: 'Ada' };
  owner = chat.as(await chat.createOrganization({ name: 'Bench', owner: founder }));
  bare = new Database(given.bareDatabase);
  bare.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE invited (id INTEGER PRIMARY KEY, email TEXT NOT NULL, key_hash TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE waiting (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, payload TEXT NOT NULL) STRICT`);
}

const addresses = (people: number) => {
  rounds++;
  return Array.from({ length: people }, (_, at) => `p${rounds}-${at}@example.com`);
};

/** Milliseconds until all are invited. */
async function invite({ people }: { people: number }) {
  const invitee_emails = addresses(people).join('\n');
  const start = performance.now();
  await owner.invites.send({ invitee_emails, stream_ids: [] });
  return performance.now() - start;
}

/** Milliseconds until as many bare rows are durable: an invitation and a queued e-mail for each. */
function insert({ people }: { people: number }) {
  const emails = addresses(people);
  const invited = bare.prepare('INSERT INTO invited (email, key_hash) VALUES (?, ?)');
  const waiting = bare.prepare('INSERT INTO waiting (kind, payload) VALUES (?, ?)');
  const start = performance.now();
  bare.transaction(() => {
    for (const email of emails) {
      const { lastInsertRowid: id } = invited.run(email, `${email}0123456789012345678901234567890123456789`);
      waiting.run('invitation', `{"invitation_id":${id}}`);
    }
  })();
  return performance.now() - start;
}

answer({ start, invite, insert });
