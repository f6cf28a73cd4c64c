import { existsSync, readFileSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { Session } from '../../lib/index.ts';
import { chooseConnection } from '../connection.ts';
import { csvLine, parseCsv } from '../csv.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { openSession } from '../open-session.ts';
import { showJson } from '../output/result.ts';
import { oneLine } from '../output/sanitize.ts';
import type { Terminal } from '../output/terminal.ts';
import { type Person, type PersonLine, readPeople } from '../people-file.ts';

/** So many are made in one transaction, while others wait for it. */
const AT_ONCE = 1_000;

interface Flags {
  format?: string;
  results?: string;
}

type Outcome = 'created' | 'exists' | 'deactivated' | 'failed';

interface Result {
  line: number;
  email: string;
  outcome: Outcome;
  user_id?: number;
  reason?: string;
}

/** `users import FILE`: accounts for everybody in a file. */
export function importPeopleCommand(terminal: Terminal): Command {
  const command = new Command('import')
    .summary('Create accounts for the people in a file')
    .description(
      [
        'Create accounts for the people in a file: a CSV whose first line names the columns email, full_name, role and channels (apart by semicolons), or lines of JSON with these fields. Role and channels may be left out; everybody is in the default channels.',
        'Who has an account stays as they are, so a file can be imported again after faults were mended in it or something ended the program. With --results, lines that were done before are not even asked about.',
      ].join('\n\n'),
    )
    .argument('<file>', 'a file of CSV or of lines of JSON; - reads stdin')
    .option('--format <csv|jsonl>', 'what the file is (default: by its name, else csv)')
    .option('--results <file>', 'a CSV in which what became of each line is kept, and from which it goes on')
    .addHelpText(
      'after',
      '\nWho may:  administrators\n\nExamples:\n  chatctl users import people.csv --results people.results.csv',
    );
  addGlobalOptions(command);
  return command.action((file: string) => importPeople(file, command, terminal));
}

async function importPeople(file: string, command: Command, terminal: Terminal): Promise<void> {
  const options = globalOptions(command);
  const { format, results: resultsFile } = command.opts<Flags>();
  const lines = readPeople(await textOf(file), formatOf(file, format));
  if (resultsFile === file) throw new UsageError('--results must be another file than the one that is imported.');
  const done = resultsFile === undefined ? new Map<string, Result>() : await earlierResults(resultsFile);
  const { session, close } = await openSession(chooseConnection(options), 'administrator');
  const results: Result[] = [];
  try {
    for (let from = 0; from < lines.length; from += AT_ONCE) {
      const some = lines.slice(from, from + AT_ONCE);
      const fresh = await importSome(session, some, done);
      results.push(...fresh);
      if (resultsFile !== undefined) await keep(resultsFile, fresh, done);
      if (lines.length > AT_ONCE && !options.json) {
        terminal.err(`${Math.min(from + AT_ONCE, lines.length)} of ${lines.length} lines.`);
      }
    }
  } finally {
    await close();
  }
  const counts = countsOf(results);
  if (options.json) showJson({ ...counts, lines: results }, terminal);
  else report(results, counts, terminal);
  if (counts.failed > 0) {
    throw new Failure(
      `${counts.failed} of ${lines.length} lines failed.`,
      EXIT.refused,
      'Mend them and import the file again: who has an account stays as they are.',
    );
  }
}

async function textOf(file: string): Promise<string> {
  if (file !== '-' && !existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  const bytes = file === '-' ? readFileSync(0) : await readFile(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} is not UTF-8.`, 'Save it as UTF-8.');
  }
}

function formatOf(file: string, given: string | undefined): 'csv' | 'jsonl' {
  if (given === 'csv' || given === 'jsonl') return given;
  if (given !== undefined) throw new UsageError('--format must be csv or jsonl.');
  return /\.(jsonl|ndjson|json)$/i.test(file) ? 'jsonl' : 'csv';
}

/** What became of these lines; those done before are left alone. */
async function importSome(
  session: Session,
  lines: readonly PersonLine[],
  done: ReadonlyMap<string, Result>,
): Promise<Result[]> {
  const asked: { line: number; person: Person }[] = [];
  for (const one of lines) if ('person' in one && !done.has(keyOf(one))) asked.push(one);
  const people = asked.map(({ person }) => person);
  const answer = people.length === 0 ? { people: [] } : await session.users.createMany({ people });
  const outcomes = new Map(asked.map(({ line }, at) => [line, answer.people[at]]));
  return lines.map((one) => {
    const { line, email } = one;
    if ('reason' in one) return { line, email, outcome: 'failed', reason: one.reason };
    const before = done.get(keyOf(one));
    if (before) return { ...before, line, outcome: before.outcome === 'created' ? 'exists' : before.outcome };
    const { outcome, user_id, reason } = outcomes.get(line) ?? { outcome: 'failed' as const, user_id: null };
    return {
      line,
      email,
      outcome,
      ...(user_id === null ? {} : { user_id }),
      ...(reason === undefined ? {} : { reason }),
    };
  });
}

const keyOf = ({ email }: { email: string }) => email.trim().toLowerCase();

const COLUMNS = ['line', 'email', 'outcome', 'user_id', 'reason'] as const;

/** Those lines of a file of results that need not be done again. */
async function earlierResults(file: string): Promise<Map<string, Result>> {
  if (!existsSync(file)) return new Map();
  const [head, ...rows] = parseCsv(await readFile(file, 'utf8'));
  if (head && head.cells.join() !== COLUMNS.join()) {
    throw new UsageError(`${file} holds no results of an import.`, 'Name another file with --results.');
  }
  const done = new Map<string, Result>();
  for (const { cells } of rows) {
    const [line, email = '', outcome, user_id] = cells;
    if (outcome === 'failed' || user_id === undefined || user_id === '') continue;
    done.set(keyOf({ email }), { line: Number(line), email, outcome: outcome as Outcome, user_id: Number(user_id) });
  }
  return done;
}

/** Written after each transaction, so that whatever ends the program, it is known what was done. */
async function keep(file: string, results: readonly Result[], done: ReadonlyMap<string, Result>): Promise<void> {
  const fresh = results.filter((result) => !done.has(keyOf(result)));
  const head = existsSync(file) ? [] : [csvLine(COLUMNS)];
  const rows = fresh.map((result) => csvLine(COLUMNS.map((column) => result[column] ?? '')));
  if (head.length + rows.length > 0) await appendFile(file, `${[...head, ...rows].join('\n')}\n`);
}

function countsOf(results: readonly Result[]): Record<Outcome, number> {
  const counts = { created: 0, exists: 0, deactivated: 0, failed: 0 };
  for (const { outcome } of results) counts[outcome]++;
  return counts;
}

/** Beyond so many faults people look into the file of results. */
const MOST_SHOWN = 50;

function report(results: readonly Result[], counts: Record<Outcome, number>, terminal: Terminal): void {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  for (const { line, email, reason = '' } of failed.slice(0, MOST_SHOWN)) {
    terminal.err(`Line ${line}${email === '' ? '' : `, ${oneLine(email)}`}: ${oneLine(reason)}`);
  }
  if (failed.length > MOST_SHOWN) terminal.err(`And ${failed.length - MOST_SHOWN} more; --results keeps them all.`);
  const parts = [
    `Created ${counts.created}`,
    `${counts.exists} existed`,
    ...(counts.deactivated > 0 ? [`${counts.deactivated} existed and are deactivated`] : []),
    `${counts.failed} failed`,
  ];
  terminal.out(`${parts.join(', ')}.`);
}
