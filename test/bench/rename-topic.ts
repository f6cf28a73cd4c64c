import type { Benchmark, Finding } from './benchmark.ts';
import type { Child } from './child.ts';
import { withPostgres } from './postgres.ts';
import { alternate, median, summary } from './rounds.ts';

const ROUNDS = 11;
const WARM_UPS = 2;
/** Renamings per round. The round is their median. */
const REPEATS = 5;
const LONG = 100_000;
const SHORT = 10;
const READERS = 20;

/** First messages of a long topic and of short ones, with their read ranges. */
async function topics(server: Child, database: { database: string; schema?: string }) {
  const { channels } = await server.ask<{ channels: [number] }>('start', { ...database, people: 50, channels: [40] });
  const fill = (topic: string, messages: number) =>
    server.ask<number>('fill', { channel: channels[0], topic, messages, isRead: true });
  const long = await fill('the long watch', LONG);
  const short: number[] = [];
  // Each is renamed only a few times: a renaming adds a message, and the topics must stay short.
  for (let n = 0; n < (ROUNDS + WARM_UPS) * REPEATS; n++) short.push(await fill(`watch of day ${n}`, SHORT));
  return { long, short };
}

async function renaming(server: Child, database: { database: string; schema?: string }) {
  const { long, short } = await topics(server, database);
  let count = 0;
  const rename = (next: () => number) => async () => {
    const times: number[] = [];
    for (let n = 0; n < REPEATS; n++) {
      times.push(await server.ask<number>('rename', { message: next(), topic: `renamed ${++count}` }));
    }
    return median(times);
  };
  const pairs = await alternate(
    ROUNDS,
    WARM_UPS,
    rename(() => short[count % short.length] as number),
    rename(() => long),
  );
  return { long, figures: { ...summary(pairs), bound: { atMost: 2 }, unit: 'ms' } };
}

const NOTE = `PATCH of a topic of ${LONG} messages, until it is durable, against one of ${SHORT}`;

/** Every client needs the list of IDs. It is read once from the topic, at delivery. */
async function hearing(server: Child, message: number): Promise<Finding> {
  let count = 0;
  const floor = () => server.ask<number>('idsOfTopic', { message });
  const subject = async () => {
    const given = { message, topic: `heard of ${++count}`, readers: READERS };
    return server.ask<number>('heard', given);
  };
  return {
    name: 'rename_topic_event',
    ...summary(await alternate(7, 1, floor, subject)),
    unit: 'ms',
    note: `until ${READERS} subscribers have the event with its ${LONG} IDs, compared with one bare select of these`,
  };
}

export const renameTopic: Benchmark = {
  names: ['rename_topic', 'rename_topic_event'],
  async run(kit) {
    const server = kit.start('topics');
    const { long, figures } = await renaming(server, { database: kit.newDatabase() });
    return [{ name: 'rename_topic', ...figures, note: NOTE }, await hearing(server, long)];
  },
};

export const renameTopicPostgres: Benchmark = {
  names: ['rename_topic_postgres'],
  run: (kit) =>
    withPostgres(kit, async (url, [schema]) => {
      const { figures } = await renaming(kit.start('topics'), { database: url, schema });
      return [{ name: 'rename_topic_postgres', ...figures, note: 'the same on PostgreSQL' }];
    }),
};
