import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { answer, cpuTime, residentBytes } from './answering.ts';
import { basicEmail } from './basic.ts';

/** The minimum cost of the same work: node:http and better-sqlite3 only. */

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

function reply(res: ServerResponse, text: string): void {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}

async function listen(handler: Handler): Promise<{ port: number }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
}

function openDatabase(path: string, people: number): Database.Database {
  const database = new Database(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE users (
      user_id INTEGER PRIMARY KEY, delivery_email TEXT, email TEXT NOT NULL UNIQUE, full_name TEXT NOT NULL,
      date_joined TEXT NOT NULL, is_active INTEGER NOT NULL, is_owner INTEGER NOT NULL, is_admin INTEGER NOT NULL,
      is_guest INTEGER NOT NULL, is_bot INTEGER NOT NULL, bot_type INTEGER, bot_owner_id INTEGER,
      role INTEGER NOT NULL, timezone TEXT NOT NULL, avatar_url TEXT, avatar_version INTEGER NOT NULL
    );
    CREATE TABLE messages (
      id INTEGER PRIMARY KEY, channel_id INTEGER NOT NULL, topic TEXT NOT NULL, sender_id INTEGER NOT NULL,
      content TEXT NOT NULL, rendered_content TEXT NOT NULL, timestamp INTEGER NOT NULL
    );
    CREATE INDEX messages_by_topic ON messages (channel_id, topic);
    CREATE INDEX messages_by_sender ON messages (sender_id);
  `);
  const insert = database.prepare(`
    INSERT INTO users VALUES (NULL, ?, ?, ?, '2026-01-31T12:00:00.000000+00:00', 1, 0, 0, 0, 0, NULL, NULL, 400, '', NULL, 1)`);
  database.transaction(() => {
    for (let n = 0; n < people; n++)
      insert.run(...Array(2).fill(`keeper${n}@example.com`), `Keeper ${n} of Skerry ${n % 97}`);
  })();
  return database;
}

/** Requests of one turn of the event loop share a transaction and are answered after it. */
function messages({ database: path, people }: { database: string; people: number }) {
  const database = openDatabase(path, people);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const user = database.prepare('SELECT user_id FROM users WHERE email = ?');
  const insert = database.prepare(`
    INSERT INTO messages (channel_id, topic, sender_id, content, rendered_content, timestamp)
    VALUES (?, ?, ?, ?, ?, ?)`);
  let waiting: { res: ServerResponse; sender: number; content: string }[] = [];
  let count = 0;
  const flush = () => {
    const group = waiting;
    waiting = [];
    begin.run();
    const ids = group.map(({ sender, content }) => {
      const topic = `topic ${(count++ * 7) % 50}`;
      return insert.run(count % 10, topic, sender, content, `<p>${content}</p>`, Date.now()).lastInsertRowid;
    });
    commit.run();
    for (const [at, { res }] of group.entries()) reply(res, `{"result":"success","msg":"","id":${ids[at]}}`);
  };
  return listen((req, res) => {
    const sender = (user.get(basicEmail(req.headers.authorization)) as { user_id: number }).user_id;
    let content = '';
    req.setEncoding('utf8');
    req.on('data', (piece: string) => {
      content += piece;
    });
    req.on('end', () => {
      if (waiting.push({ res, sender, content }) === 1) setImmediate(flush);
    });
  });
}

/** The response has the same fields as the chat's. */
function users({ database: path, people }: { database: string; people: number }) {
  const database = openDatabase(path, people);
  const user = database.prepare('SELECT * FROM users WHERE user_id = ?');
  return listen((req, res) => {
    const email = basicEmail(req.headers.authorization);
    const id = Number((req.url ?? '').slice('/api/v1/users/'.length));
    const row = email === '' ? undefined : user.get(id);
    reply(res, JSON.stringify({ result: 'success', msg: '', user: row }));
  });
}

/** Reads the user who reports, and responds. */
function reports({ database: path, people }: { database: string; people: number }) {
  const database = openDatabase(path, people);
  const user = database.prepare('SELECT user_id, role, is_active FROM users WHERE email = ?');
  return listen((req, res) => {
    const row = user.get(basicEmail(req.headers.authorization));
    req.resume();
    req.on('end', () => reply(res, JSON.stringify({ result: row ? 'success' : 'error', msg: '' })));
  });
}

const held: ServerResponse[] = [];

/** GET waits. POST answers all waiting requests with its body. */
function parking() {
  return listen((req, res) => {
    if (req.method === 'GET' && req.url !== '/now') {
      held.push(res);
      return;
    }
    let text = '';
    req.on('data', (piece) => {
      text += piece;
    });
    req.on('end', () => {
      if (req.method === 'POST') for (const waiting of held.splice(0)) reply(waiting, text);
      reply(res, '{}');
    });
  });
}

/**
 * POST is answered at once. Its content goes to all waiting requests, as events of about the chat's length. A GET with
 * `last_event_id` is a poll, without it a stream.
 */
function delivery({ eventBytes }: { eventBytes: number }) {
  const events: Buffer[] = [];
  const streams = new Set<ServerResponse>();
  const polls = new Map<ServerResponse, number>();
  const answerPoll = (res: ServerResponse, last: number) => {
    const text = Buffer.concat([
      Buffer.from('{"result":"success","msg":"","events":['),
      ...events
        .slice(last)
        .flatMap((event, at) => [Buffer.from(at > 0 ? ',' : ''), event, Buffer.from(`,"id":${last + at + 1}}`)]),
      Buffer.from(']}'),
    ]);
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': text.length });
    res.end(text);
  };
  let streamed = 0;
  let isScheduled = false;
  const flush = () => {
    isScheduled = false;
    for (const [res, last] of polls) answerPoll(res, last);
    polls.clear();
    const fresh = events.slice(streamed).flatMap((event, at) => {
      const id = streamed + at + 1;
      return [Buffer.from(`id:${id}\ndata:`), event, Buffer.from(`,"id":${id}}\n\n`)];
    });
    streamed = events.length;
    const bytes = Buffer.concat(fresh);
    for (const res of streams) res.write(bytes);
  };
  return listen((req, res) => {
    if (req.method === 'GET') {
      const last = /last_event_id=(-?\d+)/.exec(req.url ?? '')?.[1];
      if (last === undefined) {
        streams.add(res);
        res.on('close', () => streams.delete(res));
        res.writeHead(200, { 'Content-Type': 'text/event-stream' });
        res.flushHeaders();
      } else if (Number(last) < events.length && Number(last) >= 0) answerPoll(res, Number(last));
      else {
        polls.set(res, events.length);
        res.on('close', () => polls.delete(res));
      }
      return;
    }
    let form = '';
    req.setEncoding('utf8');
    req.on('data', (piece: string) => {
      form += piece;
    });
    req.on('end', () => {
      const content = new URLSearchParams(form).get('content') ?? '';
      const head = `{"type":"message","content":${JSON.stringify(content)},"padding":"`;
      events.push(Buffer.from(`${head.padEnd(eventBytes - 1, 'x')}"`));
      reply(res, `{"result":"success","msg":"","id":${events.length}}`);
      if (!isScheduled) setImmediate(flush);
      isScheduled = true;
    });
  });
}

/** Idle, with an open database. */
function idle({ database }: { database: string }) {
  openDatabase(database, 10);
  return users({ database: ':memory:', people: 10 });
}

answer({
  messages,
  users,
  reports,
  parking,
  delivery,
  idle,
  cpu: cpuTime,
  memory: residentBytes,
  waiting: () => held.length,
});
