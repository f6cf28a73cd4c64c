import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.ts';
import { limitChildren } from './file-limit.ts';
import { startPostgresServer } from './postgres-server.ts';
import { SHARES } from './share.ts';

/** Minutes after which a batch of files has failed: several times what the longest takes. */
const FILE_MINUTES = Number(process.env.PARLANCE_TEST_FILE_MINUTES ?? 35);
/** Processes at a time: one more than cores, since tests also wait for servers and timers. */
const PROCESSES = availableParallelism() + 1;
/** Files that share a process. Each process takes seconds of processor time to load and warm up the library. */
const FILES_PER_BATCH = 29;
const LONG_FILES_PER_BATCH = 8;
/** Files that take long, run by `npm run test:all`. */
const LONG = /\.long\.test\.ts$/;
/** Files of which `npm test` plays a share. Whole, each takes minutes. */
const SHARED = /^test\/domains\/(?:cases-[\w-]+|event-truth)\.test\.ts$/;
/** Files that take seconds of processor time and show little that others do not. Each of eight commits plays some. */
const IN_TURN =
  /^test\/(adapters\/file-stores|domains\/(hidden|matrix|round-trips|secrets|statements|worst-answers)|panel\/conversation\/(actions|sending)\.browser|server\/(accepted-forms|bucket-uploads|event-stream-readers|resumable-uploads))\.test\.ts$/;
/** Files that take longest in `npm test`: batches begin with them, so that all processes end at about the same time. */
const SLOW =
  /^test\/(domains\/(cases-[\w-]+|event-truth|matrix|round-trips)|contract\/(storage|postgres)|adapters\/file-stores)\.test\.ts$/;
/** A batch as `writeBatches` compiles it. */
const COMPILED = /batch-\d+\.mjs$/;
/** The files that play the tables of cases. */
const CASES = /^test\/domains\/cases-[\w-]+\.test\.ts$/;

const HELP = `npm test                    every case once, a share of their repetitions, and all short files
npm run test:all            everything
npm test PATH …             short files in folders, named files, and the cases there, with a share of their repetitions
npm run test:all PATH …     the same with long files and all repetitions
Options: --durations lists the slowest files; others go to \`node --test\`.`;

interface Plan {
  files: string[];
  /** Files and folders whose cases are played; undefined plays all. */
  cases?: string[];
  /** Which eighth of the repetitions of cases is played; undefined plays all. */
  share?: number;
  /** Long files that are left out. */
  leftOut: string[];
  /** Files that are left out until it is their turn. */
  waiting: string[];
  /** Whether each file of cases plays all tables there are, which takes long. */
  isWhole: boolean;
}

async function run(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  const own = ['--all', '--durations'];
  const options = args.filter((arg) => arg.startsWith('--') && !own.includes(arg));
  const paths = args.filter((arg) => !arg.startsWith('--')).map((path) => path.replace(/\/+$/, ''));
  const all = args.includes('--all');
  const plan = paths.length > 0 ? await planOf(paths, { all }) : await wholePlan({ all });
  const given = process.env.PARLANCE_TEST_POSTGRES;
  const server = given ? undefined : await startPostgresServer().catch(explain);
  await mkdir('.cache', { recursive: true });
  const folder = await mkdtemp(join('.cache', 'tests-'));
  try {
    const leftOut = join(folder, 'left-out.jsonl');
    const env = {
      ...process.env,
      PARLANCE_TEST_POSTGRES: given ?? server?.url,
      PARLANCE_TEST_SHARE: plan.share?.toString(),
      PARLANCE_TEST_CASES: plan.cases?.join(),
      PARLANCE_TEST_LEFT_OUT: leftOut,
    };
    const batches = await writeBatches(plan, folder);
    const code = await testProcess([...options, ...reporters(args.includes('--durations')), ...batches], env);
    reportLeftOut(plan, leftOut);
    return code;
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where it cannot run, its tests are skipped one by one, so that the report names and counts them. */
function explain(error: Error): undefined {
  console.error(
    `${error.message}\nTests on PostgreSQL are skipped. PARLANCE_TEST_POSTGRES=postgres://… names a server.\n`,
  );
  process.env.PARLANCE_NO_POSTGRES = 'PostgreSQL did not start here';
}

async function wholePlan({ all }: { all: boolean }): Promise<Plan> {
  const files = await filesIn('test');
  if (all) return { files, leftOut: [], waiting: [], isWhole: true };
  const share = shareOfCommit();
  const leftOut = files.filter((file) => LONG.test(file));
  const waiting = files.filter((file) => IN_TURN.test(file)).filter((_file, at) => at % SHARES !== share % SHARES);
  const played = files.filter((file) => !leftOut.includes(file) && !waiting.includes(file));
  return { files: played, share, leftOut, waiting, isWhole: true };
}

/** Consecutive commits have consecutive shares, so that eight in a row play everything. */
function shareOfCommit(): number {
  const asked = process.env.PARLANCE_TEST_SHARE;
  if (asked) return Number(asked);
  try {
    const count = execFileSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(count) % SHARES;
  } catch {
    return 0; // Not a checkout.
  }
}

/** The test files in the given files and folders. If there are tables of cases, also the files that play them. */
async function planOf(paths: readonly string[], { all }: { all: boolean }): Promise<Plan> {
  const files = new Set<string>();
  const leftOut: string[] = [];
  const cases: string[] = [];
  for (const path of paths) {
    if (!existsSync(path)) throw new Error(`There is no file or folder ${path}.`);
    const isFolder = statSync(path).isDirectory();
    for (const file of isFolder ? await filesIn(path) : [path]) {
      if (isFolder && !all && LONG.test(file)) leftOut.push(file);
      else if (!file.endsWith('.cases.ts')) files.add(file);
    }
    const tables = isFolder ? await readdir(path, { recursive: true }) : [path];
    if (tables.some((file) => file.endsWith('.cases.ts'))) cases.push(path);
  }
  if (files.size + cases.length === 0)
    throw new Error(`Only \`npm run test:all ${paths.join(' ')}\` plays files there.`);
  const share = all || cases.length === 0 ? undefined : shareOfCommit();
  if (cases.length > 0) for (const file of await filesIn('test/domains')) if (CASES.test(file)) files.add(file);
  return {
    files: [...files],
    cases: cases.length > 0 ? cases : undefined,
    share,
    leftOut,
    waiting: [],
    isWhole: false,
  };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(folder, name).replaceAll('\\', '/'));
}

/** Batches of files that take long come first. Others start with the slower files, such as those that play cases. */
async function writeBatches(plan: Plan, folder: string): Promise<string[]> {
  // A single file keeps its name in the report.
  if (plan.files.length === 1) return plan.files;
  const isLong = (file: string) => LONG.test(file) || (plan.share === undefined && plan.isWhole && SHARED.test(file));
  const long = plan.files.filter(isLong);
  const others = plan.files.filter((file) => !isLong(file));
  // Where there is little to play, few processes load the library, and one of them alone prepares PostgreSQL.
  const isSmall = !plan.isWhole && others.length <= FILES_PER_BATCH;
  const rank = (file: string) => (SLOW.test(file) ? (isSmall && file.includes('postgres') ? 0 : 1) : 2);
  others.sort((a, b) => rank(a) - rank(b));
  const count = isSmall ? 2 : Math.max(PROCESSES, Math.ceil(others.length / FILES_PER_BATCH));
  const batchOf = (file: string, at: number) => (isSmall && rank(file) < 2 ? rank(file) : at % count);
  const longCount = plan.isWhole ? Math.ceil(long.length / LONG_FILES_PER_BATCH) : long.length;
  const batches = [...spread(long, longCount, (_file, at) => at % longCount), ...spread(others, count, batchOf)];
  const names = batches.map((_batch, index) => `batch-${String(index).padStart(2, '0')}`);
  for (const [index, batch] of batches.entries()) await writeFile(join(folder, `${names[index]}.ts`), programOf(batch));
  await compile(
    names.map((name) => join(folder, `${name}.ts`)),
    folder,
  );
  await compile([beside('untracked-errors.ts')], folder);
  return names.map((name) => join(folder, `${name}.mjs`));
}

function programOf(batch: readonly string[]): string {
  const files = batch.map((file) => `[${JSON.stringify(file)}, () => import(${JSON.stringify(`../../${file}`)})]`);
  return `import { register } from 'tsx/esm/api';
import '../../test/support/password-cost.ts';
import { playFiles } from '../../test/support/batch.ts';
// For modules that tests load from their sources.
register();
await playFiles([${files.join()}]);
`;
}

/** `count` lists of files, without the empty ones. */
function spread(files: readonly string[], count: number, listOf: (file: string, at: number) => number): string[][] {
  const lists = Array.from({ length: count }, (_, list) => files.filter((file, at) => listOf(file, at) === list));
  return lists.filter((list) => list.length > 0);
}

const reporter = (name: string, destination: string) => [
  `--test-reporter=${name}`,
  `--test-reporter-destination=${destination}`,
];
const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const reporters = (durations: boolean) => [
  ...reporter('spec', 'stdout'),
  ...reporter(beside('unended-tests.mjs'), 'stderr'),
  ...(durations ? reporter(beside('slowest-files.mjs'), 'stdout') : []),
];

/** Compiled programs load tsx themselves, when they have been read: it would read them once more. */
function preload(files: readonly string[]): string[] {
  const compiled = files.find((file) => COMPILED.test(file));
  if (compiled) return ['--enable-source-maps', '--import', resolve(dirname(compiled), 'untracked-errors.mjs')];
  const modules = ['tsx', beside('untracked-errors.ts'), beside('password-cost.ts')];
  return modules.flatMap((module) => ['--import', module]);
}

function testProcess(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // A larger heap for new objects saves 8 % of the processor time of a run.
  const memory = '--max-semi-space-size=64';
  const options = ['--test', `--test-concurrency=${PROCESSES}`];
  const child = spawn(process.execPath, [memory, ...preload(args), ...options, ...args], {
    stdio: 'inherit',
    env,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const stop = limitChildren(child.pid as number, FILE_MINUTES * 60);
  return new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  }).finally(stop);
}

function reportLeftOut({ share, leftOut, waiting }: Plan, list: string): void {
  if (share === undefined && leftOut.length === 0) return;
  const played = share === undefined ? '' : `played share ${share + 1} of ${SHARES} of what is repeated. It `;
  console.log(`\nThis run ${played}left out:`);
  const lines = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : [];
  const counts = new Map<string, number>();
  for (const line of lines) {
    const { what, count } = JSON.parse(line) as { what: string; count: number };
    counts.set(what, (counts.get(what) ?? 0) + count);
  }
  for (const [what, count] of counts) console.log(`  ${count} ${what}`);
  if (waiting.length > 0) console.log(`  ${waiting.length} files until it is their turn: ${waiting.join(', ')}`);
  if (leftOut.length > 0) console.log(`  ${leftOut.length} long files: ${leftOut.join(', ')}`);
  console.log('`npm run test:all` plays everything.');
}

process.exit(await run(process.argv.slice(2)));
