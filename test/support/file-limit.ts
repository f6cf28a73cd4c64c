import { execFileSync, spawnSync } from 'node:child_process';

/** Seconds between two checks. */
const BETWEEN_LOOKS = 2;

interface Process {
  id: number;
  parent: number;
}

/**
 * Ends each child of a process that has run for longer than `seconds`, with all its descendants: a test that waits
 * forever or blocks the processor cannot end itself. Returns a function that stops the watch. Without `ps` it ends
 * nothing and prints so.
 */
export function limitChildren(runner: number, seconds: number): () => void {
  const { error } = spawnSync('ps', ['-A']);
  if (error) {
    console.error(`Files have no limit of time here: ${error.message}`);
    return () => undefined;
  }
  const firstSeen = new Map<number, number>();
  const timer = setInterval(() => {
    const processes = listProcesses();
    const now = performance.now();
    const children = processes.filter(({ parent }) => parent === runner).map(({ id }) => id);
    // Process IDs are reused.
    for (const id of firstSeen.keys()) if (!children.includes(id)) firstSeen.delete(id);
    for (const id of children) {
      const since = firstSeen.get(id) ?? now;
      firstSeen.set(id, since);
      if (now - since < seconds * 1000) continue;
      for (const each of [id, ...descendantsOf(id, processes)]) kill(each);
    }
  }, BETWEEN_LOOKS * 1000).unref();
  return () => clearInterval(timer);
}

function listProcesses(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [id = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    return { id, parent };
  });
}

function descendantsOf(id: number, processes: readonly Process[]): number[] {
  const children = processes.filter(({ parent }) => parent === id).map((child) => child.id);
  return children.flatMap((child) => [child, ...descendantsOf(child, processes)]);
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
