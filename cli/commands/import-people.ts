import { existsSync, readFileSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { Session } from '../../lib/index.ts';
import { chooseConnection } from '../connection.ts';
import { csvLine, parseCsv } from '../csv.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { lookupsIn } from '../lookups.ts';
import { openSession } from '../open-session.ts';
import { countingLine } from '../output/counting-line.ts';
import { showJson } from '../output/result.ts';
import { oneLine } from '../output/sanitize.ts';
import type { Terminal } from '../output/terminal.ts';
import { type Person, type PersonLine, readPeople } from '../people-file.ts';

/** So many are made in one transaction, while others wait for it. */
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

/** `users import FILE`: accounts for everybody in a file. */
export function importPeopleCommand(terminal: Terminal): Command {
  const command = new Command('import')
    .summary('Create accounts for the people in a file')
    .description(
      [
        'Create accounts for the people in a file: a CSV whose first line names the columns email, full_name, role, channels and groups (names apart by semicolons), or lines of JSON with these fields. The last three may be left out; everybody is in the default channels.',
        'Who has an account stays as they are, but for the groups, which they are added to all the same; so a file can be imported again after faults were mended in it or something ended the program. With --results, lines that were done before are not even asked about.',
      ].join('\n\n'),
    )
    .argument('<file>', 'a file of CSV or of lines of JSON; - reads stdin')
    .option('--format <csv|jsonl>', 'what the file is (default: by its name, else csv)')
    .option(
      '--results <file>',
      'a CSV in which what became of each line is kept; where it is there already, it goes on from there',
    )
    .option('--dry-run', 'change nothing: show what would become of each line');
  addExamples(
    command,
    ['users import people.csv --dry-run', 'users import people.csv --results people.results.csv'],
    ['Who may:  administrators'],
  );
  addGlobalOptions(command);
  return command.action((file: string) => importPeople(file, command, terminal));
}

async function importPeople(file: string, command: Command, terminal: Terminal): Promise<void> {
  const options = globalOptions(command);
  const { format, results: resultsFile, dryRun: isTried = false } = command.opts<Flags>();
  const lines = readPeople(await textOf(file), formatOf(file, format));
  if (resultsFile === file) throw new UsageError('--results must be another file than the one that is imported.');
  const done = resultsFile === undefined ? new Map<string, Result>() : await earlierResults(resultsFile);
  const { session, close } = await openSession(chooseConnection(options), 'administrator');
  const results: Result[] = [];
  const goOn =
    resultsFile === undefined
      ? 'It is not done. Import the file again: who has an account stays as they are.'
      : `It is not done. The same command goes on from where ${resultsFile} ends.`;
  const line = countingLine(lines.length, 'people', goOn, terminal);
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
      'Mend them and import the file again: who has an account stays as they are.',
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

/** What became of these lines; those done before are left alone. */
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

/** A line with its groups found; a name that no group has is said before anybody is created. */
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
          if (isSystemGroup) throw new UsageError(`Who is in ${spelled} follows from roles.`);
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
 * Adds people to their groups, also those who had an account: the program may have ended between the two.
 * @returns what went wrong, by line
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
      // Whoever is there already cannot be added.
      const present = new Set(members);
      const add = wanted.map(({ user_id }) => user_id).filter((user_id) => !present.has(user_id));
      if (add.length > 0) await session.userGroups.updateMembers({ user_group_id: id, add });
    } catch (error) {
      const { ChatError } = await import('../../lib/index.ts');
      if (!(error instanceof ChatError) || error.status >= 500) throw error;
      for (const { line } of wanted)
        faults.set(line, `The account is there, but not in the group ${name}: ${error.message}`);
    }
  }
  return faults;
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
  if (failed.length > MOST_SHOWN) terminal.err(`And ${failed.length - MOST_SHOWN} more; --results keeps them all.`);
  const parts = [
    `${isTried ? 'Dry run: nothing was changed. Would create' : 'Created'} ${counts.created}`,
    `${counts.exists} ${isTried ? 'exist' : 'existed'}`,
    ...(counts.deactivated > 0 ? [`${counts.deactivated} ${isTried ? 'exist' : 'existed'} and are deactivated`] : []),
    `${counts.failed} ${isTried ? 'would fail' : 'failed'}`,
  ];
  terminal.out(`${parts.join(', ')}.`);
}
