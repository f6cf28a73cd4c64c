import { existsSync, readFileSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { Session } from '../../lib/index.ts';
import { chooseConnection } from '../connection.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { csvLine, parseCsv } from '../files.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { lookupsIn } from '../lookups.ts';
import { openSession } from '../open-session.ts';
import { countingLine } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import { oneLine } from '../output/sanitize.ts';
import type { Terminal } from '../output/terminal.ts';
import { type Person, type PersonLine, readPeople } from '../people-file.ts';

/** Accounts per transaction. Other writers wait for it. */
const AT_ONCE = 1_000;

interface Flags {
  format?: string;
  results?: string;
  dryRun?: boolean;
}

type Outcome = 'created' | 'exists' | 'deactivated' | 'failed';

interface Result {
  line: number;
  email: string;
  outcome: Outcome;
  user_id?: number;
  reason?: string;
}

export function importPeopleCommand(terminal: Terminal): Command {
  const command = new Command('import')
    .summary('Create accounts from a CSV or JSON Lines file')
    .description(
      'Create accounts from a CSV or JSON Lines file. Columns: email, full_name and, optionally, role, channels and groups (names separated by semicolons). You can import a file again: existing accounts are only added to their groups.',
    )
    .argument('<file>', 'CSV or JSON Lines file; - for stdin')
    .option('--format <csv|jsonl>', 'format of the file (default: from its name, or csv)')
    .option('--results <file>', 'CSV file for the result of each line; lines with a result there are skipped')
    .option('--dry-run', 'change nothing; show the result of each line');
  addExamples(
    command,
    ['users import people.csv --dry-run', 'users import people.csv --results people.results.csv'],
    ['Access:   administrators'],
  );
  addGlobalOptions(command);
  return command.action((file: string) => importPeople(file, command, terminal));
}

async function importPeople(file: string, command: Command, terminal: Terminal): Promise<void> {
  const options = globalOptions(command);
  const { format, results: resultsFile, dryRun: isTried = false } = command.opts<Flags>();
  const lines = readPeople(await textOf(file), formatOf(file, format));
  if (resultsFile === file) throw new UsageError('--results must be a different file than the imported file.');
  const done = resultsFile === undefined ? new Map<string, Result>() : await earlierResults(resultsFile);
  const { session, close } = await openSession(chooseConnection(options), 'administrator');
  const results: Result[] = [];
  const goOn =
    resultsFile === undefined
      ? 'Not finished. Import the file again: existing accounts stay unchanged.'
      : 'Not finished. Run the same command again to continue.';
  const line = countingLine(lines.length, 'accounts', goOn, terminal);
  try {
    const known = await withGroups(session, lines);
    for (let from = 0; from < lines.length; from += AT_ONCE) {
      const fresh = await importSome(session, known.slice(from, from + AT_ONCE), done, isTried);
      results.push(...fresh);
      if (resultsFile !== undefined && !isTried) await keep(resultsFile, fresh, done);
      line.show(results.length);
    }
  } catch (error) {
    line.end();
    if (results.length > 0) terminal.err(goOn);
    throw error;
  } finally {
    line.end();
    await close();
  }
  const counts = countsOf(results);
  if (options.json) showJson({ ...counts, lines: results }, terminal);
  else report(results, counts, terminal, isTried);
  if (counts.failed > 0) {
    throw new Failure(
      `${counts.failed} of ${lines.length} lines ${isTried ? 'would fail' : 'failed'}.`,
      EXIT.refused,
      'Correct these lines and import the file again. Existing accounts stay unchanged.',
    );
  }
}

async function textOf(file: string): Promise<string> {
  if (file !== '-' && !existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  const bytes = file === '-' ? readFileSync(0) : await bytesOf(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} is not UTF-8.`, 'Save it as UTF-8.');
  }
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

function formatOf(file: string, given: string | undefined): 'csv' | 'jsonl' {
  if (given === 'csv' || given === 'jsonl') return given;
  if (given !== undefined) throw new UsageError('--format must be csv or jsonl.');
  return /\.(jsonl|ndjson|json)$/i.test(file) ? 'jsonl' : 'csv';
}

/** The result of each line. Lines with an earlier result are skipped. */
async function importSome(
  session: Session,
  lines: readonly GroupedLine[],
  done: ReadonlyMap<string, Result>,
  isTried: boolean,
): Promise<Result[]> {
  const asked: { line: number; person: Person; groups: Group[] }[] = [];
  for (const one of lines) if ('person' in one && !done.has(keyOf(one))) asked.push(one);
  const people = asked.map(({ person }) => person);
  const answers = people.length === 0 ? [] : await createPeople(session, people, isTried);
  const outcomes = new Map(asked.map(({ line }, at) => [line, answers[at]]));
  const faults = isTried ? new Map<number, string>() : await addToGroups(session, asked, answers);
  return lines.map((one) => {
    const { line, email } = one;
    if ('reason' in one) return { line, email, outcome: 'failed', reason: one.reason };
    const before = done.get(keyOf(one));
    if (before) return { ...before, line, outcome: before.outcome === 'created' ? 'exists' : before.outcome };
    const { user_id, ...rest } = outcomes.get(line) ?? { outcome: 'failed' as const, user_id: null };
    const fault = faults.get(line);
    const { outcome, reason } = fault === undefined ? rest : { outcome: 'failed' as const, reason: fault };
    return {
      line,
      email,
      outcome,
      ...(user_id === null ? {} : { user_id }),
      ...(reason === undefined ? {} : { reason }),
    };
  });
}

async function createPeople(session: Session, people: Person[], isTried: boolean): Promise<Answer[]> {
  if (!isTried) return (await session.users.createMany({ people })).people;
  return (await session.dryRun.users.createMany({ people })).answer.people;
}

type Answer = Awaited<ReturnType<Session['users']['createMany']>>['people'][number];

interface Group {
  id: number;
  name: string;
}

/** A line with its groups. Unknown groups are reported before accounts are created. */
type GroupedLine = { line: number; email: string } & ({ person: Person; groups: Group[] } | { reason: string });

async function withGroups(session: Session, lines: readonly PersonLine[]): Promise<GroupedLine[]> {
  const lookups = lookupsIn(session);
  const found: GroupedLine[] = [];
  for (const one of lines) {
    if ('reason' in one) found.push(one);
    else {
      const { line, email, person } = one;
      try {
        const groups: Group[] = [];
        for (const name of one.groups) {
          const { id, name: spelled, is_system_group: isSystemGroup } = await lookups.row('group', name);
          if (isSystemGroup)
            throw new UsageError(`You cannot add users to ${spelled}: its members follow from their roles.`);
          groups.push({ id: id as number, name: spelled as string });
        }
        found.push({ line, email, person, groups });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        found.push({ line, email, reason: error.message });
      }
    }
  }
  return found;
}

/**
 * Adds users to their groups, also users with an existing account: an earlier run may have ended between the two steps.
 * @returns the error of each line that failed
 */
async function addToGroups(
  session: Session,
  asked: readonly { line: number; groups: Group[] }[],
  answers: readonly Answer[],
): Promise<Map<number, string>> {
  const groups = new Map(asked.flatMap((each) => each.groups).map((group) => [group.id, group]));
  const faults = new Map<number, string>();
  for (const { id, name } of groups.values()) {
    const wanted = asked.flatMap(({ line, groups: own }, at) => {
      const { user_id = null, outcome } = answers[at] ?? {};
      const isWanted = user_id !== null && outcome !== 'deactivated' && own.some((group) => group.id === id);
      return isWanted ? [{ line, user_id }] : [];
    });
    try {
      const { members } = await session.userGroups.members({ user_group_id: id, direct_member_only: true });
      // Adding an existing member is an error.
      const present = new Set(members);
      const add = wanted.map(({ user_id }) => user_id).filter((user_id) => !present.has(user_id));
      if (add.length > 0) await session.userGroups.updateMembers({ user_group_id: id, add });
    } catch (error) {
      const { ChatError } = await import('../../lib/index.ts');
      if (!(error instanceof ChatError) || error.status >= 500) throw error;
      for (const { line } of wanted)
        faults.set(line, `The account exists, but could not be added to the group ${name}: ${error.message}`);
    }
  }
  return faults;
}

const keyOf = ({ email }: { email: string }) => email.trim().toLowerCase();

const COLUMNS = ['line', 'email', 'outcome', 'user_id', 'reason'] as const;

/** The results that need no second try: all but failures. */
async function earlierResults(file: string): Promise<Map<string, Result>> {
  if (!existsSync(file)) return new Map();
  const [head, ...rows] = parseCsv(await readFile(file, 'utf8'));
  if (head && head.cells.join() !== COLUMNS.join()) {
    throw new UsageError(`${file} is not a results file of an import.`, 'Choose another file with --results.');
  }
  const done = new Map<string, Result>();
  for (const { cells } of rows) {
    const [line, email = '', outcome, user_id] = cells;
    if (outcome === 'failed' || user_id === undefined || user_id === '') continue;
    done.set(keyOf({ email }), { line: Number(line), email, outcome: outcome as Outcome, user_id: Number(user_id) });
  }
  return done;
}

/** Writes the results after each transaction, so that an interrupted import can resume. */
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

/** Failures to print. The results file has all of them. */
const MOST_SHOWN = 50;

function report(
  results: readonly Result[],
  counts: Record<Outcome, number>,
  terminal: Terminal,
  isTried: boolean,
): void {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  for (const { line, email, reason = '' } of failed.slice(0, MOST_SHOWN)) {
    terminal.err(`Line ${line}${email === '' ? '' : `, ${oneLine(email)}`}: ${oneLine(reason)}`);
  }
  if (failed.length > MOST_SHOWN)
    terminal.err(`And ${failed.length - MOST_SHOWN} more. Use --results to get all of them.`);
  const parts = [
    `${isTried ? 'Dry run: nothing was changed. Would create' : 'Created'} ${counts.created}`,
    `${counts.exists} ${isTried ? 'exist' : 'existed'}`,
    ...(counts.deactivated > 0 ? [`${counts.deactivated} ${isTried ? 'exist' : 'existed'} and are deactivated`] : []),
    `${counts.failed} ${isTried ? 'would fail' : 'failed'}`,
  ];
  terminal.out(`${parts.join(', ')}.`);
}
