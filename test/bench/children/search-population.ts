import Database from 'better-sqlite3';
import { indexedWords } from '../../../lib/rules/search-words.ts';

export interface SearchPopulation {
  database: string;
  /** A separate file for the engine's bare full-text table. */
  bare: string;
  messages: number;
  channels: readonly number[];
  people: readonly number[];
  /** A channel with one of 200 messages, of which none contains "everywhere". */
  annex?: number;
}

const SECOND = 1_700_000_000;
const BATCH = 10_000;
const TOPICS = 50;
const VOCABULARY = 30_000;
const SYLLABLES = 'ka lo mi ter pen dra so un ex bi ner ing ed tion ful re con wick lamp horn'.split(' ');
const RUNS = ['東京の灯台', '我在京都工作', '灯台守の記録', 'ภาษาไทยง่าย'];

/** Messages inserted directly, a million in a minute, and the same texts in a bare full-text table. */
export function fillForSearch({ database, bare, messages, channels, people, annex }: SearchPopulation): void {
  const chat = open(database);
  const plain = open(bare);
  plain.exec('CREATE VIRTUAL TABLE texts USING fts5 (content, tokenize = "porter unicode61")');
  const conversations = channels.flatMap((channel) => topicsOf(chat, channel));
  const apart = annex === undefined ? [] : topicsOf(chat, annex);
  const insert = chat.prepare(`
    INSERT INTO messages (id, conversation_id, sender_id, content, folded_content, rendered_content, timestamp, client,
      is_me_message, read_by_sender) VALUES (?, ?, ?, ?, NULL, ?, ?, 'Bench', 0, 1)`);
  const index = chat.prepare('INSERT INTO message_words (rowid, words) VALUES (?, ?)');
  const know = chat.prepare('INSERT OR IGNORE INTO known_words (word) SELECT value FROM json_each(?)');
  const copy = plain.prepare('INSERT INTO texts (rowid, content) VALUES (?, ?)');
  const first = (chat.prepare('SELECT COALESCE(MAX(id), 0) FROM messages').pluck().get() as number) + 1;
  const random = randomNumbers();
  const vocabulary = Array.from({ length: VOCABULARY }, () => wordOf(random));
  const known = new Set<string>();
  for (let from = 0; from < messages; from += BATCH) {
    chat.exec('BEGIN');
    plain.exec('BEGIN');
    const fresh: string[] = [];
    for (let n = from; n < Math.min(from + BATCH, messages); n++) {
      const content = contentOf(n, vocabulary, random);
      const conversation =
        n % 200 === 0 && apart.length > 0 ? apart[(n / 200) % apart.length] : conversations[n % conversations.length];
      insert.run(first + n, conversation, people[n % people.length], content, `<p>${content}</p>`, SECOND + n);
      const words = indexedWords(content);
      index.run(first + n, [...words].join(' '));
      copy.run(first + n, content);
      for (const word of words) {
        if (!word.startsWith('w') || known.has(word)) continue;
        known.add(word);
        fresh.push(word);
      }
    }
    know.run(JSON.stringify(fresh));
    chat.exec('COMMIT');
    plain.exec('COMMIT');
  }
  chat.exec('ANALYZE');
  plain.exec("INSERT INTO texts (texts) VALUES ('optimize')");
  chat.close();
  plain.close();
}

function open(file: string): Database.Database {
  const opened = new Database(file);
  opened.pragma('journal_mode = WAL');
  opened.pragma('synchronous = OFF');
  return opened;
}

function topicsOf(chat: Database.Database, channel: number): number[] {
  const insert = chat
    .prepare('INSERT INTO conversations (channel_id, topic, topic_key) VALUES (?, ?, ?) RETURNING id')
    .pluck();
  const index = chat.prepare('INSERT INTO topic_words (rowid, words) VALUES (?, ?)');
  return Array.from({ length: TOPICS }, (_, at) => {
    const topic = `topic ${at} of ${channel}`;
    const id = insert.get(channel, topic, topic) as number;
    index.run(id, [...indexedWords(topic)].join(' '));
    return id;
  });
}

/** Nine of ten contain "everywhere", one of 50,000 "zebrafish", one of 20,000 text without spaces. */
function contentOf(n: number, vocabulary: readonly string[], random: () => number): string {
  const words = Array.from(
    { length: 5 + Math.floor(random() * 15) },
    () => vocabulary[Math.floor(VOCABULARY * random() ** 4)] as string,
  );
  if (n % 10 !== 0) words.unshift('everywhere');
  if (n % 50_000 === 7) words.push('a zebrafish swims');
  if (n % 20_000 === 9) words.push(RUNS[((n / 20_000) % RUNS.length) | 0] as string);
  return words.join(' ');
}

function wordOf(random: () => number): string {
  return Array.from(
    { length: 2 + Math.floor(random() * 3) },
    () => SYLLABLES[Math.floor(random() * SYLLABLES.length)],
  ).join('');
}

/** The same ones in every run. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
