/**
 * Mutation check: `npx tsx test/mutants/mutants.ts --count 200 --seed 1 --set test`, in a copy of the project, since it
 * writes all mutants into the code. It chooses one of them at a time and runs the tests that execute it until one fails.
 * Prints the mutants that no test notices. Interrupted, it goes on where it stopped.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compile } from '../support/compile.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { draw, filesIn, type Mutant, withMutants } from './places.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    set: { type: 'string', default: 'test' },
    processes: { type: 'string', default: '2' },
  },
});
const FOLDER = resolve('.cache/mutants');
const LIST = join(FOLDER, 'list.json');
const LIBRARY_CASES = 'test/domains/cases/library.test.ts';
/** Files that run together. */
const TOGETHER = 12;

/** Test files, or the cases of one folder. */
interface Part {
  name: string;
  file: string;
  cases?: string;
}

interface Played {
  /** Names of failed tests, and of programs that ended early. */
  failed: string[];
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
  const text = `import { register } from 'tsx/esm/api';
import '../../test/support/password-cost.ts';
import { playFiles } from '../../test/support/batch.ts';
register();
const files = { ${loads.join(' ')} };
await playFiles(process.env.MUTANTS_FILES.split(',').map((file) => [file, files[file]]));
`;
  const path = join(FOLDER, `program-${values.set}.ts`);
  writeFileSync(path, text);
  await compile([path, resolve('test/support/untracked-errors.ts')], FOLDER);
  return path.replace(/\.ts$/, '.mjs');
}

/** Runs parts in one process, up to the first failure that is not among the known ones. */
function play(
  path: string,
  parts: readonly Part[],
  known: ReadonlySet<string>,
  env: NodeJS.ProcessEnv,
  limitMs: number,
) {
  const start = performance.now();
  const cases = parts.flatMap((part) => part.cases ?? []);
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', '--import', join(FOLDER, 'untracked-errors.mjs'), path],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      env: {
        ...process.env,
        ...env,
        MUTANTS_FILES: [...new Set(parts.map(({ file }) => file))].join(),
        ...(cases.length > 0 ? { PARLANCE_TEST_CASES: cases.join() } : {}),
      },
    },
  );
  const end = () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const failed: string[] = [];
  let isLate = false;
  let rest = '';
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limitMs);
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, name] = /^ *not ok \d+ - (.*)$/.exec(line) ?? [];
      if (name === undefined || known.has(name)) continue;
      failed.push(name);
      if (env.MUTANT) end();
    }
  });
  return new Promise<Played>((done) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      end();
      if (code !== 0 && code !== 1 && failed.length === 0 && !isLate) failed.push(`exit with ${code}`);
      done({ failed, isLate, ms: performance.now() - start });
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

const mutants = prepare();
const parts = partsOf(values.set);
const path = await program(parts);
const server = await startPostgresServer();
process.env.PARLANCE_TEST_POSTGRES = server.url;
try {
  const reachedFile = join(FOLDER, `reached-${values.set}.json`);
  const reached = stored<Record<string, Reached>>(reachedFile, {});
  await each(
    parts.filter(({ name }) => !reached[name]),
    async (part) => {
      const list = join(FOLDER, `reached-${basename(part.file)}-${Math.random()}`);
      const played = await play(path, [part], new Set(), { MUTANTS_REACHED: list }, 600_000);
      const numbers = existsSync(list) ? readFileSync(list, 'utf8').trim().split(' ').map(Number) : [];
      rmSync(list, { force: true });
      reached[part.name] = { ...played, mutants: [...new Set(numbers)] };
      writeFileSync(reachedFile, JSON.stringify(reached, null, 1));
      if (played.failed.length > 0 || played.isLate) console.log('fails without a mutant', part.name, played.failed);
    },
  );
  const known = new Set(Object.values(reached).flatMap(({ failed }) => failed));
  const resultsFile = join(FOLDER, `results-${values.set}.json`);
  const results = stored<Record<number, { by?: string; parts: number }>>(resultsFile, {});
  await each(
    mutants.filter(({ id }) => !results[id]),
    async (mutant) => {
      const nearness = ({ name, cases }: Part) => {
        const [own, other] = [mutant.file, cases ?? name].map((file) => file.replace(/^(lib|test)\//, '').split('/'));
        const apart = own?.findIndex((folder, depth) => folder !== other?.[depth]) ?? 0;
        return apart < 0 ? (own?.length ?? 0) : apart;
      };
      const cost = (part: Part) => (reached[part.name]?.ms ?? 0) / (1 + 5 * nearness(part));
      const reaching = parts
        .filter(({ name }) => reached[name]?.mutants.includes(mutant.id) && !reached[name]?.isLate)
        .sort((a, b) => cost(a) - cost(b));
      let by: string | undefined;
      for (let at = 0, size = 2; at < reaching.length && !by; at += size, size = TOGETHER) {
        const some = reaching.slice(at, at + size);
        const usualMs = some.reduce((sum, { name }) => sum + (reached[name]?.ms ?? 0), 0);
        const run = await play(path, some, known, { MUTANT: String(mutant.id) }, 120_000 + 5 * usualMs);
        by = run.failed[0] ?? (run.isLate ? 'time limit' : undefined);
      }
      results[mutant.id] = { ...(by ? { by } : {}), parts: reaching.length };
      writeFileSync(resultsFile, JSON.stringify(results, null, 1));
      const { id, file, line, kind, text } = mutant;
      const what = `${id} ${file}:${line} ${kind}: ${text.slice(0, 90).replace(/\s+/g, ' ')}`;
      console.log(by ? `found  ${what} (${by.slice(0, 100)})` : `MISSED ${what} (${reaching.length} parts reach it)`);
    },
  );
  const missed = mutants.filter(({ id }) => !results[id]?.by);
  console.log(`${mutants.length - missed.length} of ${mutants.length} found by ${values.set}`);
} finally {
  await server.stop();
}
