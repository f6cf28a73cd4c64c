import assert from 'node:assert/strict';
import type { World } from '../../../world/world.ts';
import { inWorlds } from '../in-worlds.ts';
import { pass, schedule, soon } from './scheduling.ts';

interface Planned {
  id: number;
  text: string;
  at: number;
  failed: boolean;
}

const HOUR = 3600;
const TOO_LATE = 600;

/** Pseudorandom numbers, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Plays random days with a server that is sometimes down. */
export function playDays(days: number): void {
  inWorlds(
    `${days} days of scheduling, editing, deleting and sending send each message once and on time`,
    async (world) => {
      const period = days * 24 * HOUR;
      const random = numbers(7);
      const { users } = world;
      const hamlet = world.as('hamlet');
      const end = soon(world, period);
      const planned: Planned[] = [];
      const due: { text: string; at: number }[] = [];
      let serial = 0;
      let failures = 0;

      /** Times up to half the period from now, so that some messages are still pending at the end. */
      const later = () => soon(world, 1 + random(random(2) ? 100 * HOUR : Math.floor(period / 2)));

      const acts: (() => Promise<void>)[] = [
        async () => {
          const text = `text ${serial++}`;
          const at = later();
          const to = random(2) ? {} : { type: 'direct' as const, to: [users.hamlet] };
          planned.push({
            id: await schedule(world, 'hamlet', { ...to, content: text, scheduled_delivery_timestamp: at }),
            text,
            at,
            failed: false,
          });
        },
        async () => {
          const one = planned[random(planned.length)];
          if (!one) return;
          const at = one.failed || random(2) ? later() : undefined;
          const text = random(2) ? `text ${serial++}` : undefined;
          if (at === undefined && text === undefined) return;
          await hamlet.scheduledMessages.edit({
            scheduled_message_id: one.id,
            ...(at === undefined ? {} : { scheduled_delivery_timestamp: at }),
            ...(text === undefined ? {} : { content: text }),
          });
          Object.assign(one, { at: at ?? one.at, text: text ?? one.text, failed: false });
        },
        async () => {
          const [one] = planned.splice(random(planned.length), 1);
          if (one) await hamlet.scheduledMessages.delete({ scheduled_message_id: one.id });
        },
      ];

      while (soon(world, 0) < end) {
        const act = [0, 0, 0, 1, 1, 2][random(6)] as number;
        await acts[act]?.();
        if (random(2)) continue;
        // The server is sometimes down for a day.
        const isAway = random(4) === 0;
        const until = soon(world, isAway ? 24 * HOUR : random(7 * 24 * HOUR));
        for (;;) {
          const next = Math.min(...planned.filter(({ failed }) => !failed).map(({ at }) => at), until);
          await pass(world, (isAway ? until : next) - soon(world, 0));
          const now = soon(world, 0);
          for (const one of planned.filter(({ at, failed }) => !failed && at <= now)) {
            if (now > one.at + TOO_LATE) {
              one.failed = true;
              failures++;
            } else {
              due.push({ text: one.text, at: now });
              planned.splice(planned.indexOf(one), 1);
            }
          }
          if (now >= until) break;
        }
        const { scheduled_messages: listed } = await hamlet.scheduledMessages.list();
        const order = (one: Planned, other: Planned) => one.at - other.at || one.id - other.id;
        assert.deepEqual(
          listed.map(({ scheduled_message_id, content, failed }) => [scheduled_message_id, content, failed]),
          [...planned].sort(order).map(({ id, text, failed }) => [id, text, failed]),
        );
      }
      assert.deepEqual(
        await sentTexts(world),
        due,
        'each message was sent once, at its second, with its content at that time',
      );
      assert.ok(due.length > days / 8 && failures > days / 80, `${due.length} were sent, ${failures} failed`);
    },
  );
}

async function sentTexts({ storage }: World): Promise<{ text: string; at: number }[]> {
  const messages = await storage.read(async (tx) =>
    tx.messages.byIds(Array.from({ length: await tx.messages.maxId() }, (_, at) => at + 1)),
  );
  return messages
    .filter(({ content }) => /^text \d+$/.test(content))
    .map(({ content, timestamp }) => ({ text: content, at: timestamp }));
}
