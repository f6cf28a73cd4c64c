import type { Deeds } from './actors.ts';
import type { Listener } from './listener.ts';
import type { Figures } from './soak-server.ts';

/** The figures of one process in a minute or less. */
export interface Minute {
  phase: 'busy' | 'idle';
  process: number;
  rss: number;
  heap: number;
  timers: number;
  handles: number;
  statements: number;
  requests: number;
  errors: number;
}

/** Statements per second of one process while only polls wait: checks for due work. */
const IDLE_STATEMENTS = 5;
/** Timers and handles vary with requests and connections. A leak adds hundreds. */
const SLACK = 20;
/** Growth of the heap from the first busy minute to the last. */
const GROWTH = 1.3;
const HEAP_SLACK = 20e6;

const HEAD = ['phase', 'process', 'rss MB', 'heap MB', 'timers', 'handles', 'statements/s', 'requests/s', 'errors'];

export class Report {
  readonly #minutes: Minute[] = [];
  readonly #said = new Set<string>();

  constructor() {
    console.log(line(HEAD));
  }

  add(phase: Minute['phase'], seconds: number, before: readonly Figures[], after: readonly Figures[]): void {
    for (const [at, now] of after.entries()) {
      const then = before[at] as Figures;
      const minute: Minute = {
        phase,
        process: at + 1,
        rss: now.rss,
        heap: now.heap,
        timers: now.timers,
        handles: Object.entries(now.handles).reduce((sum, [kind, count]) => sum + (kind === 'Timeout' ? 0 : count), 0),
        statements: (now.statements - then.statements) / seconds,
        requests: (now.requests - then.requests) / seconds,
        errors: now.errors,
      };
      this.#minutes.push(minute);
      for (const text of now.said) this.#said.add(text);
      const { rss, heap, timers, handles, statements, requests, errors } = minute;
      const kinds = Object.entries(now.handles).map(([kind, count]) => `${count} ${kind}`);
      const figures = [rss / 1e6, heap / 1e6, timers, handles, statements, requests].map((figure) => figure.toFixed(1));
      console.log(`${line([phase, String(at + 1), ...figures, String(errors)])}  ${kinds.join(', ')}`);
    }
  }

  verdict(found: { name: string; deeds: Deeds; listeners: readonly Listener[]; letters: number }): boolean {
    const problems = [
      ...[...this.#said].map((text) => `a server said: ${text}`),
      ...found.deeds.failures.slice(0, 5),
      ...found.listeners.flatMap((listener) => [
        ...listener.failures.map((text) => `${listener.email}: ${text}`),
        ...missed(found.deeds, listener),
      ]),
      ...[1, 2].flatMap((process) => this.#growth(process)),
      ...(found.letters > 0 ? [] : ['the worker had nothing to do']),
    ];
    for (const problem of problems) console.log(`! ${problem}`);
    console.log(`soak (${found.name}): ${problems.length === 0 ? 'ok' : `${problems.length} problems`}`);
    return problems.length === 0;
  }

  #growth(process: number): string[] {
    const of = (phase: Minute['phase']) => this.#minutes.filter((m) => m.process === process && m.phase === phase);
    const problems: string[] = [];
    const check = (isFine: boolean, text: string) => isFine || problems.push(`process ${process}: ${text}`);
    const [busy, idle] = [of('busy'), of('idle')];
    const [first, last] = [busy[0], busy.at(-1)];
    const resting = idle.at(-1);
    if (!first || !last || !resting) return ['too short to tell'];
    const { statements, timers, handles } = resting;
    check(statements <= IDLE_STATEMENTS, `${statements.toFixed(1)} statements a second while idle`);
    check(timers <= first.timers + SLACK, `${timers} timers at the end, ${first.timers} at first`);
    check(handles <= first.handles + SLACK, `${handles} handles at the end, ${first.handles} at first`);
    // The first minute fills the caches.
    const [early, late] = [busy[1], last];
    if (early && late !== early) {
      const grown = `the heap grew from ${(early.heap / 1e6).toFixed(1)} to ${(late.heap / 1e6).toFixed(1)} MB`;
      check(late.heap <= early.heap * GROWTH + HEAP_SLACK, grown);
    }
    return problems;
  }
}

/** Every recipient received every message once. */
function missed({ sent, deleted }: Deeds, { id: reader, email, received }: Listener): string[] {
  const wrong: string[] = [];
  for (const [id, readers] of sent) {
    const times = received.get(id) ?? 0;
    const wanted = readers.includes(reader) ? 1 : 0;
    if (times !== wanted && !(deleted.has(id) && times === 0)) wrong.push(`${id} ${times} times instead of ${wanted}`);
  }
  for (const [id, times] of received) if (!sent.has(id) && times > 1) wrong.push(`${id} ${times} times`);
  return wrong.length === 0
    ? []
    : [`${email} received ${wrong.length} messages wrongly: ${wrong.slice(0, 5).join('; ')}`];
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, at) => (at === 0 ? cell.padEnd(6) : cell.padStart(Math.max(8, HEAD[at]?.length ?? 0))))
    .join(' ');
}
