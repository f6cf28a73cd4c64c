import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.ts';
import { limitChildren } from './file-limit.ts';
import { startPostgresServer } from './postgres-server.ts';

/** Minutes until a file has failed: several times the longest duration. */
const FILE_MINUTES = Number(process.env.PARLANCE_TEST_FILE_MINUTES ?? 35);
/** Seconds until a process without work has failed. */
const HANGING_SECONDS = Number(process.env.PARLANCE_TEST_HANGING_SECONDS ?? 300);
/**
 * So many files with a browser are played again, alone, if they fail: a page that a busy machine holds up for seconds
 * fails tests that have no fault. What passes only then is named at the end.
 */
const AGAIN = 3;
/** Processes at a time: more than cores, since tests also wait for servers and timers. Four leave two cores a fifth idle. */
const PROCESSES = availableParallelism() + 3;
/**
 * The sets of files. Each includes those before it. The name of a file contains its set: `x.test.ts`, `x.all.test.ts`.
 */
const SETS = ['test', 'all', 'nightly'];
/** Files that run the tables of cases. The first one runs them through the library on SQLite. */
const CASES = 'test/domains/cases';
const LIBRARY_CASES = `${CASES}/library.test.ts`;

const HELP = `npm test                what every commit needs
npm run test:all        also what a release needs
npm run test:nightly    everything
With PATH …: the files of the set in these folders and the cases there, and files named here
Options:
  --added      leaves out files of smaller sets: after npm test, what test:all adds
  --durations  lists the slowest files
  --record     writes the durations of the played files to test/durations.json
Others go to \`node --test\`.`;

async function run(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  const own = args.filter((arg) => /^--(set=.*|added|durations|record)$/.test(arg));
  const options = args.filter((arg) => arg.startsWith('--') && !own.includes(arg));
  const paths = args.filter((arg) => !arg.startsWith('--')).map((path) => path.replace(/\/+$/, ''));
  const set = own.find((arg) => arg.startsWith('--set='))?.slice('--set='.length) ?? 'test';
  const sets = own.includes('--added') ? [set] : SETS.slice(0, SETS.indexOf(set) + 1);
  const { files, cases } = await find(paths, sets);
  await mkdir('.cache', { recursive: true });
  const folder = await mkdtemp(join('.cache', 'tests-'));
  const given = process.env.PARLANCE_TEST_POSTGRES;
  const starting = given ? undefined : startPostgresServer().catch(explain);
  const play = async (played: readonly string[], processes: number) => {
    const place = await mkdtemp(join(folder, 'run-'));
    const programs = await compiled(shared(played, processes), place);
    const code = await testProcess([...preload(place, processes), ...options, ...programs], place, {
      ...process.env,
      PARLANCE_TEST_POSTGRES: given ?? (await starting)?.url,
      PARLANCE_TEST_CASES: cases?.join(),
      PARLANCE_TEST_FOLDER: place,
      PARLANCE_TEST_SET: set,
      PARLANCE_TEST_DURATIONS: own.filter((arg) => arg === '--durations' || arg === '--record').join(),
    });
    // A process that was ended has not played the files behind.
    const isWhole = (await readdir(join(place, 'claims'))).length === played.length;
    if (code === 0) assert.ok(isWhole, 'each file was played');
    return { code, place, isWhole };
  };
  try {
    const { code, place, isWhole } = await play(files, PROCESSES);
    const failed = code === 0 || !isWhole || files.length === 1 ? [] : await failedFiles(place);
    const mayBeSlow = failed.length <= AGAIN && failed.every((file) => file.includes('.browser.'));
    if (failed.length === 0 || !mayBeSlow) return code;
    console.log(`\nFailed, and played again alone: ${failed.join(', ')}\n`);
    const again = await play(failed, 1);
    if (again.code === 0) console.error(`\nUnsteady, passed only when played again alone: ${failed.join(', ')}`);
    return again.code;
  } finally {
    await (await starting)?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** As the reporter has listed them. None if the run was interrupted, or if an error belongs to no test. */
async function failedFiles(folder: string): Promise<string[]> {
  const list = join(folder, 'failed.json');
  const isKnown = existsSync(list) && !existsSync(join(folder, 'uncaught')) && !isInterrupted;
  return isKnown ? JSON.parse(await readFile(list, 'utf8')) : [];
}

/** If PostgreSQL cannot run, each of its tests is skipped, so that the report names and counts them. */
function explain(error: Error): undefined {
  console.error(
    `${error.message}\nTests on PostgreSQL are skipped. PARLANCE_TEST_POSTGRES=postgres://… names a server.\n`,
  );
  process.env.PARLANCE_NO_POSTGRES = 'PostgreSQL did not start here';
}

/** Test files of the sets, and the paths of tables whose cases run. Undefined runs all. */
async function find(paths: readonly string[], sets: readonly string[]): Promise<{ files: string[]; cases?: string[] }> {
  if (paths.length === 0) return { files: await filesIn('test', sets) };
  const files = new Set<string>();
  const cases: string[] = [];
  for (const path of paths) {
    if (!existsSync(path)) throw new Error(`There is no file or folder ${path}.`);
    const isFolder = statSync(path).isDirectory();
    if (isFolder) for (const file of await filesIn(path, sets)) files.add(file);
    else if (!path.endsWith('.cases.ts')) files.add(path);
    const tables = isFolder ? await readdir(path, { recursive: true }) : [path];
    if (tables.some((file) => file.endsWith('.cases.ts'))) cases.push(path);
  }
  if (cases.length > 0)
    for (const file of sets.length === 1 ? [LIBRARY_CASES] : await filesIn(CASES, sets)) files.add(file);
  if (files.size === 0) throw new Error(`This set has no such file. npm run test:nightly ${paths.join(' ')} runs all.`);
  return { files: [...files], ...(cases.length > 0 ? { cases } : {}) };
}

async function filesIn(folder: string, sets: readonly string[]): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).map((name) => join(folder, name).replaceAll('\\', '/'));
  const setOf = (file: string) => /\.(\w+)\.test\.ts$/.exec(file)?.[1] ?? '';
  return names
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => sets.includes(SETS.includes(setOf(file)) ? setOf(file) : 'test'))
    .sort();
}

/**
 * The files of each process, slowest first. The seconds are measured with `--record`. A file without them counts as the
 * median. The lists are the same at every run, so what a file leaves to the next one is found always or never.
 */
function shared(files: readonly string[], processes: number): string[][] {
  const seconds = JSON.parse(readFileSync(new URL('../durations.json', import.meta.url), 'utf8'));
  const known = (Object.values(seconds) as number[]).sort((a, b) => a - b);
  const secondsOf = (file: string): number => seconds[file] ?? known[Math.floor(known.length / 2)];
  const shares = Array.from({ length: Math.min(processes, files.length) }, () => ({ files: [] as string[], sum: 0 }));
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const least = shares.reduce((one, other) => (other.sum < one.sum ? other : one));
    least.files.push(file);
    least.sum += secondsOf(file);
  }
  return shares.map((share) => share.files);
}

/** Compiles the files of each process to a program. */
async function compiled(shares: readonly (readonly string[])[], folder: string): Promise<string[]> {
  await mkdir(join(folder, 'claims'));
  const source = (name: string) => JSON.stringify(relative(folder, name));
  const names = shares.map((_, index) => join(folder, `files-${index}`));
  for (const [index, files] of shares.entries()) {
    const imported = files.map((file) => `[${JSON.stringify(file)}, () => import(${source(file)})]`);
    const program = `import ${source('test/support/password-cost.ts')};
import { playFiles } from ${source('test/support/batch.ts')};
await playFiles([\n${imported.join(',\n')}\n]);
`;
    await writeFile(`${names[index]}.ts`, program);
  }
  await compile([...names.map((name) => `${name}.ts`), 'test/support/untracked-errors.ts'], folder);
  return names.map((name) => `${name}.mjs`);
}

function preload(folder: string, processes: number): string[] {
  const reporter = (name: string, destination: string) => [
    `--test-reporter=${name}`,
    `--test-reporter-destination=${destination}`,
  ];
  const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  return [
    // A larger heap for new objects saves 8 % of the processor time of a run.
    '--max-semi-space-size=64',
    '--enable-source-maps',
    ...['--import', resolve(folder, 'untracked-errors.mjs')],
    ...['--test', `--test-concurrency=${processes}`],
    ...reporter('spec', 'stdout'),
    ...reporter(beside('files-reporter.mjs'), 'stderr'),
  ];
}

let isInterrupted = false;

function testProcess(args: readonly string[], folder: string, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      isInterrupted = true;
      child.kill(signal);
    });
  const limits = { whole: FILE_MINUTES * 60, hanging: HANGING_SECONDS, claims: join(folder, 'claims') };
  const stop = limitChildren(child.pid as number, limits);
  return new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  }).finally(stop);
}

process.exit(await run(process.argv.slice(2)));
