import type { Session } from '../../lib/index.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { fileAt } from '../files.ts';
import { lookupsIn } from '../lookups.ts';
import { inParts } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { oneLine } from '../output/text.ts';
import { type Person, type PersonLine, readPeople } from '../people-file.ts';
import { addResults, printFailures, readResults } from '../results-file.ts';
import { connectedCommand, type LocalCall, withSession } from './local-command.ts';

/** Accounts per transaction. Other writers wait for it. */
const AT_ONCE = 1_000;

type Flags = { format?: string; results?: string; dryRun?: boolean };

type Outcome = 'created' | 'exists' | 'deactivated' | 'failed';

type Result = { line: number; email: string; outcome: Outcome; user_id?: number; reason?: string };

export const importPeople = connectedCommand<Flags>('import', {
  summary: 'Create accounts from a CSV or JSON Lines file',
  description:
    'Create accounts from a CSV or JSON Lines file. Columns: email, full_name and, optionally, role, channels and groups (names separated by semicolons). You can import a file again: existing accounts are only added to their groups.',
  args: [['<file>', 'CSV or JSON Lines file; - for stdin']],
  options: [
    ['--format <csv|jsonl>', 'format of the file (default: from its name, or csv)'],
    ['--results <file>', 'CSV file for the result of each line; lines with a result there are skipped'],
    ['--dry-run', 'change nothing; show the result of each line'],
  ],
  examples: ['users import people.csv --dry-run', 'users import people.csv --results people.results.csv'],
  notes: ['Access:   administrators'],
  run: importFile,
});

async function importFile({ args, options, terminal }: LocalCall<Flags>): Promise<void> {
  const [file = ''] = args;
  const { format, results: resultsFile, dryRun: isTried = false } = options;
  const lines = readPeople(await textOf(file), formatOf(file, format));
  if (resultsFile === file) throw new UsageError('--results must be a different file than the imported file.');
  const done = await earlierResults(resultsFile);
  const results: Result[] = [];
  const goOn =
    resultsFile === undefined
      ? 'Not finished. Import the file again: existing accounts stay unchanged.'
      : 'Not finished. Run the same command again to continue.';
  await withSession(
    options,
    async (session) => {
      const known = await withGroups(session, lines);
      await inParts(known, { size: AT_ONCE, what: 'accounts', goOn, terminal }, async (some) => {
        const fresh = await importSome(session, some, done, isTried);
        results.push(...fresh);
        const unsaved = fresh.filter((result) => !done.has(keyOf(result)));
        if (!isTried) await addResults(resultsFile, COLUMNS, unsaved);
      });
    },
    'administrator',
  );
  const counts = countsOf(results);
  if (options.json) showJson({ ...counts, lines: results }, terminal);
  else report(results, counts, terminal, isTried);
  if (counts.failed > 0)
    throw new Failure(
      `${counts.failed} of ${lines.length} lines ${isTried ? 'would fail' : 'failed'}.`,
      EXIT.refused,
      'Correct these lines and import the file again. Existing accounts stay unchanged.',
    );
}

async function textOf(path: string): Promise<string> {
  const bytes = await (await fileAt(path)).arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path} is not UTF-8.`, 'Save it as UTF-8.');
  }
}

function formatOf(file: string, given: string | undefined): 'csv' | 'jsonl' {
  if (given === 'csv' || given === 'jsonl') return given;
  if (given !== undefined) throw new UsageError('--format must be csv or jsonl.');
  return /\.(jsonl|ndjson|json)$/i.test(file) ? 'jsonl' : 'csv';
}

async function importSome(
  session: Session,
  lines: readonly GroupedLine[],
  done: ReadonlyMap<string, Result>,
  isTried: boolean,
): Promise<Result[]> {
  const wanted = lines.flatMap((each) => ('person' in each && !done.has(keyOf(each)) ? [each] : []));
  const people = wanted.map(({ person }) => person);
  const answers = people.length === 0 ? [] : await createPeople(session, people, isTried);
  const outcomes = new Map(wanted.map(({ line }, at) => [line, answers[at]]));
  const faults = isTried ? new Map<number, string>() : await addToGroups(session, wanted, answers);
  return lines.map((each) => {
    const { line, email } = each;
    if ('reason' in each) return { line, email, outcome: 'failed', reason: each.reason };
    const before = done.get(keyOf(each));
    if (before) return { ...before, line, outcome: before.outcome === 'created' ? 'exists' : before.outcome };
    const { user_id, outcome = 'failed', reason } = outcomes.get(line) ?? {};
    const fault = faults.get(line);
    return { line, email, outcome: fault ? 'failed' : outcome, user_id: user_id ?? undefined, reason: fault ?? reason };
  });
}

async function createPeople(session: Session, people: Person[], isTried: boolean): Promise<Answer[]> {
  if (!isTried) return (await session.users.createMany({ people })).people;
  return (await session.dryRun.users.createMany({ people })).answer.people;
}

type Answer = Awaited<ReturnType<Session['users']['createMany']>>['people'][number];

type Group = { id: number; name: string };

type GroupedLine = { line: number; email: string } & ({ person: Person; groups: Group[] } | { reason: string });

/** Finds the groups of all lines. Unknown groups are reported before accounts are created. */
async function withGroups(session: Session, lines: readonly PersonLine[]): Promise<GroupedLine[]> {
  const lookups = lookupsIn(session);
  const groupNamed = async (text: string): Promise<Group> => {
    const { id, name, is_system_group: isSystemGroup } = await lookups.row('group', text);
    if (isSystemGroup) throw new UsageError(`You cannot add users to ${name}: its members follow from their roles.`);
    return { id: id as number, name: name as string };
  };
  return Promise.all(
    lines.map(async (each) => {
      if ('reason' in each) return each;
      try {
        return { ...each, groups: await Promise.all(each.groups.map(groupNamed)) };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return { line: each.line, email: each.email, reason: error.message };
      }
    }),
  );
}

/** Also for existing accounts: an earlier run may have ended between the two steps. Returns errors by line. */
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
async function earlierResults(file: string | undefined): Promise<Map<string, Result>> {
  const rows = (await readResults(file, COLUMNS)) ?? [];
  const done = rows.filter(({ outcome, user_id }) => outcome !== 'failed' && user_id !== '');
  const resultOf = ({ line, email, outcome, user_id }: (typeof rows)[number]) =>
    ({ line: Number(line), email, outcome, user_id: Number(user_id) }) as Result;
  return new Map(done.map((row) => [keyOf(row), resultOf(row)]));
}

function countsOf(results: readonly Result[]): Record<Outcome, number> {
  const counts = { created: 0, exists: 0, deactivated: 0, failed: 0 };
  for (const { outcome } of results) counts[outcome]++;
  return counts;
}

function report(
  results: readonly Result[],
  counts: Record<Outcome, number>,
  terminal: Terminal,
  isTried: boolean,
): void {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const sentences = failed.map(
    ({ line, email, reason = '' }) => `Line ${line}${email === '' ? '' : `, ${oneLine(email)}`}: ${oneLine(reason)}`,
  );
  printFailures(sentences, terminal);
  const parts = [
    `${isTried ? 'Dry run: nothing was changed. Would create' : 'Created'} ${counts.created}`,
    `${counts.exists} ${isTried ? 'exist' : 'existed'}`,
    ...(counts.deactivated > 0 ? [`${counts.deactivated} ${isTried ? 'exist' : 'existed'} and are deactivated`] : []),
    `${counts.failed} ${isTried ? 'would fail' : 'failed'}`,
  ];
  terminal.out(`${parts.join(', ')}.`);
}
