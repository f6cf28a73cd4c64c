import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connect, openChat, type Storage, Unreachable } from '../../lib/index.ts';
import { serve } from '../../server/index.ts';
import { ENGINES, killedProgram, type Place, Victim } from './victims.ts';

export function unansweredMessages(kills: number, engines = ENGINES): void {
  // A cut costs much less than a kill.
  const cuts = kills * 15;
  describe('servers that die (SIGKILL) between the commit of a message and its response', () => {
    for (const { name, place: makePlace, workers, skip } of engines) {
      const title = `retries with the same key store each message once after kills between commit and response, on ${name}`;
      test(title, { ...(skip ? { skip } : {}), timeout: 60_000 + kills * 20_000 }, async (t) => {
        const place = await makePlace();
        t.after(() => place.remove());
        const login = await found(place);
        const acknowledged = new Map<string, number>();
        const faults: string[] = [];
        let begun = 0;
        /** Sends one message for each kill, to one server after another. */
        const client = async () => {
          let unanswered: string | undefined;
          while (begun < kills || unanswered !== undefined) {
            const isLast = begun >= kills;
            // The retry makes the first commit.
            const survives = isLast ? 1_000 : unanswered === undefined ? 0 : 1;
            const server = new Victim(await killedProgram('committing-server'), { ...place.options, survives });
            const next = isLast ? undefined : `message ${begun++}`;
            try {
              await server.acknowledges;
              const session = connect({ site: server.lines[0]?.slice(2) ?? '', ...login, timeoutMs: 600_000 });
              const send = (content: string) =>
                session.messages.send({
                  type: 'channel',
                  to: 'general',
                  topic: 'x',
                  content,
                  idempotency_key: content.replace('message', 'key'),
                });
              if (unanswered !== undefined) acknowledged.set(unanswered, (await send(unanswered)).id);
              unanswered = next;
              if (next !== undefined) {
                await assert.rejects(send(next), Unreachable, 'the server is killed before it responds');
                await server.ended;
                assert.equal(server.signal, 'SIGKILL');
              }
              await session.close();
            } finally {
              await server.kill();
            }
            faults.push(...server.lines.slice(1));
          }
        };
        await Promise.all(Array.from({ length: workers }, client));
        const stored = await storedIn(place);
        t.diagnostic(`${begun} kills: ${acknowledged.size} messages acknowledged, ${stored.length} stored`);
        assert.deepEqual(faults, []);
        assert.equal(acknowledged.size, begun);
        const expected = [...acknowledged].map(([content, id]) => ({ id, content })).sort((a, b) => a.id - b.id);
        assert.deepEqual(stored, expected, 'each message is stored once, with the ID of its response');
      });
    }
  });

  describe('connections are cut between the commit of a message and its response', () => {
    for (const { name, place: makePlace, skip } of engines) {
      const title = `retries with the same key store each message once after lost responses, on ${name}`;
      test(title, { ...(skip ? { skip } : {}), timeout: 60_000 + cuts * 2_000 }, async (t) => {
        const place = await makePlace();
        t.after(() => place.remove());
        const login = await found(place);
        const storage = place.storage();
        const { write } = storage;
        let made = 0;
        let isCutting = false;
        const cutting: Storage['write'] = async (work, kind) => {
          const value = await write.call(storage, work, kind);
          if (kind === 'append' && isCutting) {
            made++;
            server.closeAllConnections();
          }
          return value as never;
        };
        const chat = await openChat({ storage: Object.assign(storage, { write: cutting }) });
        const { url, server, close } = await serve(chat, { port: 0, rateLimits: false });
        const session = connect({ site: url, ...login, timeoutMs: 600_000 });
        const answered: { id: number; content: string }[] = [];
        try {
          for (let n = 0; n < cuts; n++) {
            const content = `message ${n}`;
            const message = {
              type: 'channel',
              to: 'general',
              topic: 'x',
              content,
              idempotency_key: `key ${n}`,
            } as const;
            isCutting = true;
            await assert.rejects(session.messages.send(message), Unreachable, 'the connection is cut');
            isCutting = false;
            answered.push({ id: (await session.messages.send(message)).id, content });
          }
        } finally {
          await session.close();
          await close();
          await chat.close();
        }
        assert.equal(made, cuts);
        const stored = await storedIn(place);
        t.diagnostic(`${made} cuts: ${answered.length} messages acknowledged, ${stored.length} stored`);
        assert.deepEqual(stored, answered, 'each message is stored once, with the ID of its response');
      });
    }
  });
}

async function found(place: Place): Promise<{ email: string; api_key: string }> {
  const chat = await openChat({ storage: place.storage() });
  const owner = { email: 'ada@example.com', full_name: 'Ada' };
  const { user_id, email, api_key } = await chat.createOrganization({ name: 'Kills', owner });
  await chat.as(user_id).channels.create({ name: 'general', subscribers: [user_id] });
  await chat.close();
  return { email, api_key };
}

/** The messages in the order of their IDs. */
async function storedIn(place: Place): Promise<{ id: number; content: string }[]> {
  const storage = place.storage();
  const chat = await openChat({ storage });
  try {
    const messages = await storage.read(async (tx) =>
      tx.messages.byIds(Array.from({ length: await tx.messages.maxId() }, (_, at) => at + 1)),
    );
    return messages
      .filter(({ content }) => /^message \d+$/.test(content))
      .map(({ id, content }) => ({ id, content }))
      .sort((a, b) => a.id - b.id);
  } finally {
    await chat.close();
  }
}
