import { parseArgs } from 'node:util';
import { Child } from '../bench/child.ts';
import { bundle } from '../support/bundle.ts';
import { act, Deeds } from './actors.ts';
import { Listener } from './listener.ts';
import { filePlace, mailServer, postgresPlace } from './places.ts';
import { populate } from './population.ts';
import { type Minute, Report } from './report.ts';
import type { Figures } from './soak-server.ts';

/**
 * `npm run soak -- --minutes 10 --engine sqlite|postgres`: two processes on one database do everything that users and
 * the worker do, then nothing. Reports growth, and events that clients lost or received twice.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, engine: { type: 'string', default: 'sqlite' } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0) || !['sqlite', 'postgres'].includes(values.engine)) {
  console.error('npm run soak -- --minutes 10 --engine sqlite|postgres');
  process.exit(2);
}

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;
/** The last part, without requests. */
const idleMs = Math.max(20_000, (minutes * MINUTE) / 5);
const busyMs = minutes * MINUTE - idleMs;

const { folder, program, remove } = await bundle('soak', { server: 'test/soak/soak-server.ts' });
const place = values.engine === 'postgres' ? await postgresPlace() : filePlace(folder);
const mail = await mailServer();
const children = [1, 2].map(() => new Child(program('server'), ['--expose-gc'])) as [Child, Child];
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await Promise.all(children.map((child) => child.stop()));
  await mail.close();
  await place.remove();
  await remove();
}

async function soak(): Promise<boolean> {
  const start = async (child: Child) =>
    `http://127.0.0.1:${await child.ask<number>('start', { ...place.given, mail: mail.url })}`;
  const sites = [await start(children[0]), await start(children[1])] as const;
  const founded = await children[0].ask<{ user_id: number; email: string; api_key: string }>('found', {
    password: PASSWORD,
  });
  const population = await populate(sites, founded, (user) => children[0].ask('keyOf', { user }));
  const { owner, members } = population;
  const listeners: Listener[] = [];
  for (const account of [owner, ...members.filter((_, at) => at % 2 === 0)])
    listeners.push(await Listener.begin(account));

  const report = new Report();
  const deeds = new Deeds();
  const stop = new AbortController();
  const acting = act(population, PASSWORD, deeds, stop.signal);
  await sample(report, 'busy', busyMs);
  stop.abort();
  await acting;
  // Running requests and queued work end before the idle part starts.
  await new Promise((resolve) => setTimeout(resolve, Math.min(5_000, idleMs / 4)));
  await sample(report, 'idle', idleMs);

  for (const listener of listeners) await listener.end();
  console.log(`${deeds.done} deeds, ${deeds.refused} refused, ${deeds.sent.size} messages, ${mail.letters()} letters`);
  return report.verdict({ deeds, listeners, letters: mail.letters(), name: `${values.engine}, ${minutes} min` });
}

/** Prints a line for each process every minute, and at the end. */
async function sample(report: Report, phase: Minute['phase'], milliseconds: number): Promise<void> {
  const figures = () => Promise.all(children.map((child) => child.ask<Figures>('figures')));
  const end = performance.now() + milliseconds;
  let before = await figures();
  let from = performance.now();
  while (performance.now() < end - 1_000) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(MINUTE, end - performance.now())));
    const after = await figures();
    const seconds = (performance.now() - from) / 1_000;
    report.add(phase, seconds, before, after);
    before = after;
    from = performance.now();
  }
}
