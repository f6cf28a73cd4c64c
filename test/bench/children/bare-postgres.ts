import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { answer, cpuTime } from './answering.ts';
import { basicEmail } from './basic.ts';

/** One select and one insert for each request, by a pool as large as the chat's own. */
async function messages({ url, schema, people }: { url: string; schema: string; people: number }) {
  const pool = poolOf(url, schema);
  await pool.query(`
    CREATE SCHEMA ${schema};
    CREATE TABLE users (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, email text NOT NULL UNIQUE);
    CREATE TABLE messages (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, channel_id bigint NOT NULL, topic text NOT NULL,
      sender_id bigint NOT NULL, content text NOT NULL, rendered_content text NOT NULL, timestamp bigint NOT NULL
    );
    CREATE INDEX messages_by_topic ON messages (channel_id, topic);
    CREATE INDEX messages_by_sender ON messages (sender_id);
    INSERT INTO users (email) SELECT 'keeper' || n || '@example.com' FROM generate_series(0, ${people} - 1) AS n;
  `);
  return listen(pool);
}

/** One more process over the same tables. */
async function join({ url, schema }: { url: string; schema: string }) {
  return listen(poolOf(url, schema));
}

const poolOf = (url: string, schema: string) =>
  new pg.Pool({ connectionString: url, max: 10, options: `-c search_path=${schema}` });

async function listen(pool: pg.Pool) {
  let count = 0;
  const server = createServer((req, res) => {
    let content = '';
    req.setEncoding('utf8');
    req.on('data', (piece: string) => {
      content += piece;
    });
    req.on('end', async () => {
      const email = basicEmail(req.headers.authorization);
      const found = await pool.query({ name: 'user', text: 'SELECT id FROM users WHERE email = $1', values: [email] });
      count++;
      const inserted = await pool.query({
        name: 'insert',
        text: `INSERT INTO messages (channel_id, topic, sender_id, content, rendered_content, timestamp)
          VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
        values: [count % 10, `topic ${(count * 7) % 50}`, found.rows[0].id, content, `<p>${content}</p>`, Date.now()],
      });
      const text = `{"result":"success","msg":"","id":${inserted.rows[0].id}}`;
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
      res.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
}

answer({ messages, join, cpu: cpuTime });
