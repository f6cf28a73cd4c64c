import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Seconds between two checks. */
const BETWEEN_LOOKS = 2;

/** A process that hangs uses less of a processor than this part. */
const HANGING_USE = 0.02;

interface Limits {
  /** Seconds of a file. */
  whole: number;
  /** Seconds after which a process that waits forever ends. */
  hanging: number;
  /** Where processes note which files they have taken (batch.ts). */
  claims: string;
}

interface Process {
  id: number;
  parent: number;
  /** Of processor time. */
  seconds: number;
}

/**
 * Ends each child of a process whose file takes too long, or that waits forever, with all its descendants: a test that
 * hangs or blocks the processor cannot end itself. Returns a function that stops the watch. Without `ps` it ends nothing
 * and prints so.
 */
export function limitChildren(runner: number, { whole, hanging, claims }: Limits): () => void {
  const { error } = spawnSync('ps', ['-A']);
  if (error) {
    console.error(`Files have no limit of time here: ${error.message}`);
    return () => undefined;
  }
  /** When a child was seen first, and when it had used so much processor time. */
  const seen = new Map<number, { first: number; at: number; used: number }>();
  const timer = setInterval(() => {
    const processes = listProcesses();
    const now = performance.now() / 1000;
    const children = processes.filter(({ parent }) => parent === runner);
    // Process IDs are reused.
    for (const id of seen.keys()) if (!children.some((child) => child.id === id)) seen.delete(id);
    for (const child of children) {
      const family = [child, ...descendantsOf(child.id, processes)];
      const used = family.reduce((sum, one) => sum + one.seconds, 0);
      const last = seen.get(child.id) ?? { first: now, at: now, used };
      // It is less if a descendant has ended.
      const isBusy = Math.abs(used - last.used) >= hanging * HANGING_USE;
      seen.set(child.id, isBusy ? { ...last, at: now, used } : last);
      const isLate = now - last.first >= whole && secondsInFile(child.id, claims) >= whole;
      if (!isLate && (isBusy || now - last.at < hanging)) continue;
      for (const { id } of family) kill(id);
    }
  }, BETWEEN_LOOKS * 1000).unref();
  return () => clearInterval(timer);
}

/** Infinity if it has taken none. */
function secondsInFile(id: number, claims: string): number {
  const places = readdirSync(claims).map((name) => join(claims, name));
  const own = places.filter((place) => JSON.parse(readFileSync(place, 'utf8')).pid === id);
  return Math.min(...own.map((place) => (Date.now() - statSync(place).mtimeMs) / 1000));
}

function listProcesses(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,time='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [id = '', parent = '', time = ''] = line.trim().split(/\s+/);
    // [[days-]hours:]minutes:seconds
    const [seconds = 0, minutes = 0, hours = 0, days = 0] = time.split(/[-:]/).map(Number).reverse();
    return { id: Number(id), parent: Number(parent), seconds: seconds + 60 * (minutes + 60 * (hours + 24 * days)) };
  });
}

function descendantsOf(id: number, processes: readonly Process[]): Process[] {
  const children = processes.filter(({ parent }) => parent === id);
  return children.flatMap((child) => [child, ...descendantsOf(child.id, processes)]);
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
