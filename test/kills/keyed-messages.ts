import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openChat } from '../../lib/index.ts';
import { ENGINES, killAll, killedProgram, type Place } from './victims.ts';

export function keyedMessages(kills: number, engines = ENGINES): void {
  describe('processes that send with idempotency keys are killed and retry', () => {
    for (const { name, place: makePlace, workers, skip } of engines) {
      const title = `each message sent with a key is stored once after kills and retries, with ${workers} processes on ${name}`;
      test(title, { ...(skip ? { skip } : {}), timeout: 60_000 + kills * 20_000 }, async (t) => {
        const place = await makePlace();
        t.after(() => place.remove());
        const { user, channel } = await found(place);
        const options = { ...place.options, user, channel };
        const { lives, asked, acknowledged, faults } = await killAll(await killedProgram('sender'), options, {
          workers,
          kills,
        });
        const stored = await retryAll(place, { user, channel, asked });
        t.diagnostic(
          `${lives} kills: ${asked.size} asked for, ${acknowledged.size} acknowledged, ${stored.size} stored`,
        );
        assert.deepEqual(faults, []);
        assert.deepEqual([...stored.keys()].sort(), [...asked].sort(), 'each message was stored');
        const repeated = [...stored].filter(([, ids]) => ids.length > 1);
        assert.deepEqual(repeated, [], 'no message was stored twice');
        const wrong = [...acknowledged].filter((line) => {
          const [, text = '', id] = /^(.*) (\d+)$/.exec(line) ?? [];
          return stored.get(text)?.[0] !== Number(id);
        });
        assert.deepEqual(wrong, [], 'each response had the ID of the only message');
        assert.ok(acknowledged.size >= kills, 'kills left work undone');
      });
    }
  });
}

async function found(place: Place): Promise<{ user: number; channel: number }> {
  const chat = await openChat({ storage: place.storage() });
  const owner = { email: 'ada@example.com', full_name: 'Ada' };
  const { user_id: user } = await chat.createOrganization({ name: 'Kills', owner });
  const { id: channel } = await chat.as(user).channels.create({ name: 'general', subscribers: [user] });
  await chat.close();
  return { user, channel };
}

/** Repeats every call, and returns the IDs of the stored messages by their text. */
async function retryAll(
  place: Place,
  { user, channel, asked }: { user: number; channel: number; asked: ReadonlySet<string> },
): Promise<Map<string, number[]>> {
  const storage = place.storage();
  const chat = await openChat({ storage });
  try {
    for (const content of asked) {
      const idempotency_key = content.replace('message', 'key');
      await chat.as(user).messages.send({ type: 'channel', to: channel, topic: 'x', content, idempotency_key });
    }
    const messages = await storage.read(async (tx) =>
      tx.messages.byIds(Array.from({ length: await tx.messages.maxId() }, (_, at) => at + 1)),
    );
    const stored = new Map<string, number[]>();
    for (const { id, content } of messages) {
      if (/^message \d+$/.test(content)) stored.set(content, [...(stored.get(content) ?? []), id]);
    }
    return stored;
  } finally {
    await chat.close();
  }
}
