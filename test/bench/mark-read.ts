import type { Benchmark } from './benchmark.ts';
import { alternate, median, summary } from './rounds.ts';

const ROUNDS = 11;
const WARM_UPS = 2;
/** Users per round. Each reads a topic for the first time. The round is their median. */
const REPEATS = 5;
const MANY = 10_000;

export const markRead: Benchmark = {
  names: ['mark_read', 'mark_read_narrow'],
  async run(kit) {
    const server = kit.start('topics');
    const readers = (ROUNDS + WARM_UPS) * REPEATS;
    // The first twenty write.
    const people = 20 + 2 * readers;
    const given = { database: kit.newDatabase(), people, channels: [people] };
    const { channels } = await server.ask<{ channels: [number] }>('start', given);
    const [channel] = channels;
    await server.ask('fill', { channel, topic: 'the long watch', messages: MANY });
    await server.ask('fill', { channel, topic: 'a question', messages: 1 });

    const reading = (question: 'markTopic' | 'markNarrow', topic: string, first: number) => {
      let person = first;
      return async () => {
        const times: number[] = [];
        for (let n = 0; n < REPEATS; n++)
          times.push(await server.ask<number>(question, { person: person++, channel, topic }));
        return median(times);
      };
    };
    const compared = async (question: 'markTopic' | 'markNarrow', first: number) => {
      const floor = reading(question, 'a question', first);
      return summary(await alternate(ROUNDS, WARM_UPS, floor, reading(question, 'the long watch', first)));
    };
    return [
      {
        name: 'mark_read',
        ...(await compared('markTopic', 20)),
        bound: { atMost: 5 },
        unit: 'ms',
        note: `mark_topic_as_read of ${MANY} messages, durable and with its event, compared with one message`,
      },
      {
        name: 'mark_read_narrow',
        ...(await compared('markNarrow', 20 + readers)),
        unit: 'ms',
        note: 'the same through messages/flags/narrow, two requests of 5000 messages, compared with one request',
      },
    ];
  },
};
