/**
 * Mutation check: `npx tsx test/mutants/mutants.ts --count 200 --seed 1`, in a copy of the project, since it writes all
 * mutants into the code. Each mutant runs alone in the nearest tests that execute it. Then all that are left run together
 * in the other tests: what passes with all of them finds none of them. Each runs alone in the rest. Prints the mutants
 * that no test notices. Interrupted, it goes on where it stopped. `--set all --after test` looks for those that the
 * smaller set has missed.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compile } from '../support/compile.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { draw, filesIn, type Mutant, withMutants } from './places.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    set: { type: 'string', default: 'test' },
    /** A smaller set, whose missed mutants are looked for. */
    after: { type: 'string' },
    processes: { type: 'string', default: '2' },
  },
});
const FOLDER = resolve('.cache/mutants');
const LIST = join(FOLDER, 'list.json');
const LIBRARY_CASES = 'test/domains/cases/library.test.ts';
/** Files that run together. */
const TOGETHER = 12;
/** Usual milliseconds of the parts that each mutant runs alone. */
const NEAR_MS = 15_000;

/** Test files, or the cases of one folder. */
interface Part {
  name: string;
  file: string;
  cases?: string;
}

interface Played {
  /** Names of failed tests, and of programs that ended early. */
  failed: string[];
  /** Files with a failure, or all if the process ended early. */
  files: string[];
  isLate: boolean;
  ms: number;
}

interface Reached extends Played {
  mutants: number[];
}

function stored<T>(file: string, otherwise: T): T {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : otherwise;
}

/** Draws the mutants and writes them into the code, once. */
function prepare(): Mutant[] {
  if (existsSync(LIST)) return stored(LIST, []);
  const mutants = draw(Number(values.seed), Number(values.count));
  mkdirSync(FOLDER, { recursive: true });
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const own = mutants.filter((mutant) => mutant.file === file);
    writeFileSync(file, withMutants(readFileSync(file, 'utf8'), own));
  }
  writeFileSync(LIST, JSON.stringify(mutants, null, 1));
  return mutants;
}

function partsOf(set: string): Part[] {
  const files = filesIn('test', '.test.ts').filter((file) => {
    const own = /\.(all|nightly)\.test\.ts$/.exec(file)?.[1] ?? 'test';
    return own === set;
  });
  const folders = [...new Set(filesIn('test/domains', '.cases.ts').map(dirname))];
  return files.flatMap((file) =>
    file === LIBRARY_CASES
      ? folders.map((cases) => ({ name: `${file} ${cases}`, file, cases }))
      : [{ name: file, file }],
  );
}

async function program(parts: readonly Part[]): Promise<string> {
  const files = [...new Set(parts.map(({ file }) => file))];
  const loads = files.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(`../../${file}`)}),`);
  const text = `import { appendFileSync } from 'node:fs';
import { before, describe } from 'node:test';
import { register } from 'tsx/esm/api';
import '../../test/support/password-cost.ts';
import { playFiles } from '../../test/support/batch.ts';
register();
const files = { ${loads.join(' ')} };
const list = process.env.MUTANTS_REACHED;
const begin = (at) => {
  process.env.MUTANTS_REACHED = list + '-' + at;
  globalThis.__mutantsSeen?.clear();
  appendFileSync(list + '-times', performance.now() + ' ');
};
await playFiles(process.env.MUTANTS_FILES.split(',').map((file, at) => [file, () => {
  if (list) describe('reached', () => before(() => begin(at)));
  return files[file]();
}]));
`;
  const path = join(FOLDER, `program-${values.set}.ts`);
  writeFileSync(path, text);
  await compile([path, resolve('test/support/untracked-errors.ts')], FOLDER);
  return path.replace(/\.ts$/, '.mjs');
}

interface Run {
  parts: readonly Part[];
  /** Failures without a mutant. */
  known?: ReadonlySet<string>;
  env: NodeJS.ProcessEnv;
  limitMs: number;
  /** Stops at the first failure. */
  isBrief?: boolean;
}

/** Runs parts in one process. */
function play({ parts, known = new Set(), env, limitMs, isBrief = false }: Run): Promise<Played> {
  const start = performance.now();
  const cases = parts.flatMap((part) => part.cases ?? []);
  const files = [...new Set(parts.map(({ file }) => file))];
  const args = ['--enable-source-maps', '--import', join(FOLDER, 'untracked-errors.mjs'), path];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
    env: {
      ...process.env,
      ...env,
      MUTANTS_FILES: files.join(),
      ...(cases.length > 0 ? { PARLANCE_TEST_CASES: cases.join() } : {}),
    },
  });
  const end = () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const failed: string[] = [];
  const failedFiles = new Set<string>();
  let [file] = files as [string];
  let isLate = false;
  let isWhole = false;
  let rest = '';
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limitMs);
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      isWhole ||= line.startsWith('# duration_ms');
      const [, result, name = ''] = /^ *(ok|not ok) \d+ - (.*)$/.exec(line) ?? [];
      if (files.includes(name)) file = name;
      if (result !== 'not ok' || known.has(name)) continue;
      failed.push(name);
      failedFiles.add(file);
      if (isBrief) end();
    }
  });
  return new Promise<Played>((done) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      end();
      if (!isWhole && failed.length === 0 && !isLate) failed.push(`exit with ${code}`);
      // What follows a process that ended early was not played.
      const unsure = isWhole ? [...failedFiles] : files;
      done({ failed, files: unsure, isLate, ms: performance.now() - start });
    });
  });
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const turns = Array.from({ length: Number(values.processes) }, async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  });
  await Promise.all(turns);
}

/** Cases of a folder alone, and files together. */
function groupsOf(parts: readonly Part[]): Part[][] {
  const groups = parts.filter(({ cases }) => cases !== undefined).map((part) => [part]);
  const files = parts.filter(({ cases }) => cases === undefined);
  while (files.length > 0) groups.push(files.splice(0, TOGETHER));
  return groups;
}

const mutants = prepare();
const parts = partsOf(values.set);
const path = await program(parts);
const server = await startPostgresServer();
process.env.PARLANCE_TEST_POSTGRES = server.url;
try {
  const reachedFile = join(FOLDER, `reached-${values.set}.json`);
  const reached = stored<Record<string, Reached>>(reachedFile, {});
  const numbersIn = (file: string) =>
    existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : [];
  /** Files share processes. Those of a process that did not end well run again alone, like the cases of each folder. */
  const lookAt = async (group: readonly Part[]) => {
    const list = join(FOLDER, `reached-${Math.random()}`);
    const played = await play({ parts: group, env: { MUTANTS_REACHED: list }, limitMs: 600_000 * group.length });
    if (group.length > 1 && (played.isLate || played.files.length === group.length)) return;
    const begun = [...numbersIn(`${list}-times`), played.ms];
    for (const [at, part] of group.entries()) {
      const mutants = [...new Set([...numbersIn(list), ...numbersIn(`${list}-${at}`)])];
      const ms = group.length > 1 ? (begun[at + 1] as number) - (begun[at] as number) : played.ms;
      const failed = played.files.includes(part.file) ? played.failed : [];
      reached[part.name] = { ...played, failed, ms, mutants };
      if (failed.length > 0 || played.isLate) console.log('fails without a mutant', part.name, failed);
    }
    writeFileSync(reachedFile, JSON.stringify(reached, null, 1));
  };
  const unknown = () => parts.filter(({ name }) => !reached[name]);
  await each(groupsOf(unknown()), lookAt);
  await each(
    unknown().map((part) => [part]),
    lookAt,
  );
  const known = new Set(Object.values(reached).flatMap(({ failed }) => failed));
  const msOf = (some: readonly Part[]) => some.reduce((sum, { name }) => sum + (reached[name]?.ms ?? 0), 0);
  const reaches = ({ name }: Part, { id }: Mutant) =>
    reached[name]?.isLate === false && reached[name]?.mutants.includes(id);

  /** The nearest and quickest parts come first. */
  const reachingOf = (mutant: Mutant) => {
    const nearness = ({ name, cases }: Part) => {
      const [own = [], other = []] = [mutant.file, cases ?? name].map((at) =>
        at.replace(/^(lib|test)\//, '').split('/'),
      );
      const apart = own.findIndex((folder, depth) => folder !== other[depth]);
      return apart < 0 ? own.length : apart;
    };
    const cost = (part: Part) => msOf([part]) / (1 + 5 * nearness(part));
    return parts.filter((part) => reaches(part, mutant)).sort((a, b) => cost(a) - cost(b));
  };

  /** Runs parts until one fails; returns the name of a failed test. */
  const find = async (mutant: Mutant, some: readonly Part[]) => {
    for (let at = 0, size = 3; at < some.length; at += size, size = TOGETHER) {
      const now = some.slice(at, at + size);
      const limitMs = 120_000 + 5 * msOf(now);
      const run = await play({ parts: now, known, env: { MUTANT: String(mutant.id) }, limitMs, isBrief: true });
      const by = run.failed[0] ?? (run.isLate ? 'time limit' : undefined);
      if (by) return by;
    }
    return undefined;
  };

  const resultsFile = join(FOLDER, `results-${values.set}.json`);
  const results = stored<Record<number, { by?: string; isOpen?: boolean }>>(resultsFile, {});
  const note = (mutant: Mutant, result: { by?: string | undefined; isOpen?: boolean }) => {
    results[mutant.id] = JSON.parse(JSON.stringify(result));
    writeFileSync(resultsFile, JSON.stringify(results, null, 1));
    const { id, file, line, kind, text } = mutant;
    const verdict = result.by ? 'found ' : result.isOpen ? 'open  ' : 'MISSED';
    console.log(
      `${verdict} ${id} ${file}:${line} ${kind}: ${text.slice(0, 90).replace(/\s+/g, ' ')} (${result.by ?? ''})`,
    );
  };
  const before =
    values.after === undefined ? {} : stored<typeof results>(join(FOLDER, `results-${values.after}.json`), {});
  const wanted = mutants.filter(({ id }) => !before[id]?.by);

  // 1. Each mutant alone, in the nearest parts.
  await each(
    wanted.filter(({ id }) => !results[id]),
    async (mutant) => {
      const reaching = reachingOf(mutant);
      const near = reaching.filter((_, index) => msOf(reaching.slice(0, index)) < NEAR_MS);
      const by = await find(mutant, near);
      note(mutant, by ? { by } : { isOpen: near.length < reaching.length });
    },
  );
  // 2. The others together: what passes with all of them finds none of them.
  const open = wanted.filter(({ id }) => results[id]?.isOpen);
  const suspectsFile = join(FOLDER, `suspects-${values.set}.json`);
  const suspects = stored<Record<string, boolean>>(suspectsFile, {});
  const MUTANT = open.map(({ id }) => id).join();
  const joint = parts.filter(
    (part) => open.some((mutant) => reaches(part, mutant)) && suspects[part.name] === undefined,
  );
  await each(groupsOf(joint), async (some) => {
    const run = await play({ parts: some, known, env: { MUTANT }, limitMs: 180_000 + 5 * msOf(some) });
    for (const { name, file } of some) suspects[name] = run.files.includes(file);
    writeFileSync(suspectsFile, JSON.stringify(suspects, null, 1));
    console.log('together', some.length, run.files.join(' '));
  });
  // 3. Each mutant alone, in the parts that failed.
  await each(open, async (mutant) => {
    const by = await find(
      mutant,
      reachingOf(mutant).filter(({ name }) => suspects[name]),
    );
    note(mutant, by ? { by } : {});
  });
  const missed = wanted.filter(({ id }) => !results[id]?.by);
  console.log(`${mutants.length - missed.length} of ${mutants.length} found by ${values.set}`);
} finally {
  await server.stop();
}
