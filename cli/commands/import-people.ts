import type { Session } from '../../lib/index.ts';
import { emailKey, present } from '../../lib/internal.ts';
import { fieldValue, type ProfileValue } from '../arguments/values.ts';
import { Failure, UsageError } from '../failure.ts';
import { addResults, printFailures, readResults } from '../files.ts';
import { lookupsIn } from '../lookups.ts';
import { inParts } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { counted, oneLine } from '../output/text.ts';
import { type PersonLine, readPeople, refusalOf, type Update, updatePeople } from '../people.ts';
import { FORMAT_OPTION, type RecordOptions, UNKNOWN_OPTION } from '../records.ts';
import { connectedCommand, type LocalCall, withSession } from './local-command.ts';

/** Accounts per transaction. Other writers wait for it. */
const ACCOUNTS_PER_TRANSACTION = 1_000;
/** Each updated account is a request of its own. */
const UPDATES_PER_PART = 50;

type Flags = RecordOptions & {
  results?: string;
  update?: boolean;
  invite?: boolean;
  dryRun?: boolean;
};

type Outcome = 'created' | 'updated' | 'exists' | 'deactivated' | 'failed';

interface Result {
  line: number;
  email: string;
  outcome: Outcome;
  user_id?: number;
  reason?: string;
  changed?: string[];
}

type Import = Update & { isUpdate: boolean; invite: boolean };

export const importPeople = connectedCommand<Flags>('import', {
  summary: 'Create accounts from a CSV or JSON Lines file',
  description:
    'Create accounts from a CSV or JSON Lines file. Columns: email, full_name and, optionally, role, channels and groups (names separated by semicolons), and profile:FIELD for a custom profile field. You can import a file again: existing accounts are only added to their groups. With --update they also get the name, role, profile fields and channels of their line. An empty value changes nothing, and no channel is removed.',
  args: [['<file>', 'CSV or JSON Lines file; - for stdin']],
  options: [
    FORMAT_OPTION,
    ['--results <file>', 'CSV file for the result of each line; lines with a result there are skipped'],
    ['--update', 'also change existing accounts'],
    ['--invite', 'mail each new account a link to set a password'],
    UNKNOWN_OPTION,
    ['--dry-run', 'change nothing; show the result of each line'],
  ],
  examples: [
    'users import people.csv --dry-run',
    'users import people.csv --results people.results.csv',
    'users import people.csv --invite',
    'users import people.csv --update --json',
  ],
  notes: ['Access:   administrators'],
  run: importFile,
});

async function importFile({ args, options, terminal }: LocalCall<Flags>): Promise<void> {
  const [file = ''] = args;
  const { results: resultsFile, dryRun: isDryRun = false, update: isUpdate = false, invite = false } = options;
  const lines = await readPeople(file, options);
  if (resultsFile === file) throw new UsageError('--results must be a different file than the imported file.');
  const done = await earlierResults(resultsFile, { isUpdate });
  const results: Result[] = [];
  const goOn = 'Not finished. Finished lines stay unchanged. Run the same command again to continue.';
  await withSession(
    options,
    async (session) => {
      const call: Import = { session, lookups: lookupsIn(session), isDryRun, isUpdate, invite };
      const known = await withNames(call, lines);
      const size = isUpdate ? UPDATES_PER_PART : ACCOUNTS_PER_TRANSACTION;
      await inParts(known, { size, what: 'accounts', goOn, terminal }, async (some) => {
        const fresh = await importSome(call, some, done);
        results.push(...fresh);
        const unsaved = fresh.filter((result) => !done.has(emailKey(result.email)));
        if (!isDryRun) await addResults(resultsFile, RESULT_COLUMNS, unsaved);
      });
    },
    'administrator',
  );
  const counts: Record<Outcome, number> = { created: 0, updated: 0, exists: 0, deactivated: 0, failed: 0 };
  for (const { outcome } of results) counts[outcome]++;
  if (options.json) showJson({ ...counts, ...(invite && { invited: counts.created }), lines: results }, terminal);
  else report({ results, counts, isDryRun, invite }, terminal);
  if (counts.failed > 0)
    throw new Failure(
      `${counts.failed} of ${lines.length} lines ${isDryRun ? 'would fail' : 'failed'}.`,
      'Correct these lines and import the file again. Finished lines stay unchanged.',
    );
}

async function importSome(call: Import, lines: readonly NamedLine[], done: ReadonlyMap<string, Result>) {
  const { session, isDryRun, isUpdate, invite } = call;
  const wanted = lines.flatMap((each) => ('person' in each && !done.has(emailKey(each.email)) ? [each] : []));
  // An account and its profile are one change: an import can be killed between any two changes.
  const people = wanted.map(({ person, profile }) => ({
    ...person,
    ...(profile.length > 0 && { profile_data: profile.map(({ id, value }) => ({ id, value })) }),
  }));
  const create = async () =>
    isDryRun
      ? (await session.dryRun.users.createMany({ people, invite })).answer
      : await session.users.createMany({ people, invite });
  const answers = people.length === 0 ? [] : (await create()).people;
  const made = answers.map((answer, at) => ({ ...present(wanted[at]), ...answer }));
  const outcomes = new Map(made.map((each) => [each.line, each]));
  const found = made.flatMap(({ user_id, ...each }) => (user_id === null ? [] : [{ ...each, user_id }]));
  const changes = await updatePeople(call, isUpdate ? found.filter(({ outcome }) => outcome === 'exists') : []);
  const faults = isDryRun ? new Map<number, string>() : await addToGroups(session, found);
  return lines.map((each): Result => {
    const { line, email } = each;
    if ('reason' in each) return { line, email, outcome: 'failed', reason: each.reason };
    const before = done.get(emailKey(email));
    if (before)
      return { ...before, line, outcome: /^(created|updated)$/.test(before.outcome) ? 'exists' : before.outcome };
    const { user_id, outcome = 'failed', reason } = outcomes.get(line) ?? {};
    const { changed = [], reason: refusal } = changes.get(line) ?? {};
    const fault = refusal ?? faults.get(line);
    const isUpdated = outcome === 'exists' && changed.length > 0;
    return {
      line,
      email,
      outcome: fault ? 'failed' : isUpdated ? 'updated' : outcome,
      user_id: user_id ?? undefined,
      reason: fault ?? reason,
      ...(outcome === 'exists' && isUpdate && { changed }),
    };
  });
}

type Group = { id: number; name: string };

type NamedLine = PersonLine<Group, ProfileValue>;

/** Finds the groups and profile fields of all lines. Unknown names are reported before accounts are created. */
async function withNames({ lookups }: Import, lines: readonly PersonLine[]): Promise<NamedLine[]> {
  const groupNamed = async (text: string): Promise<Group> => {
    const { id, name, is_system_group: isSystemGroup } = await lookups.row('group', text);
    if (isSystemGroup) throw new UsageError(`You cannot add users to ${name}: its members follow from their roles.`);
    return { id: id as number, name: name as string };
  };
  return Promise.all(
    lines.map(async (each) => {
      if ('reason' in each) return each;
      try {
        const groups = await Promise.all(each.groups.map(groupNamed));
        const profile = await Promise.all(each.profile.map(([field, value]) => fieldValue(field, value, lookups)));
        return { ...each, groups, profile };
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
  found: readonly { line: number; groups: Group[]; user_id: number; outcome: string }[],
): Promise<Map<number, string>> {
  const groups = new Map(found.flatMap((each) => each.groups).map((group) => [group.id, group]));
  const faults = new Map<number, string>();
  for (const { id, name } of groups.values()) {
    const wanted = found.filter(
      (each) => each.outcome !== 'deactivated' && each.groups.some((group) => group.id === id),
    );
    const addMissing = async () => {
      const { members } = await session.userGroups.members({ user_group_id: id, direct_member_only: true });
      // Adding an existing member is an error.
      const present = new Set(members);
      const add = wanted.map(({ user_id }) => user_id).filter((user_id) => !present.has(user_id));
      if (add.length > 0) await session.userGroups.updateMembers({ user_group_id: id, add });
    };
    const reason = await refusalOf(addMissing());
    if (reason === undefined) continue;
    for (const { line } of wanted)
      faults.set(line, `The account exists, but could not be added to the group ${name}: ${reason}`);
  }
  return faults;
}

const RESULT_COLUMNS = ['line', 'email', 'outcome', 'user_id', 'reason'] as const;

/** The results that need no second try: all but failures. An update compares existing accounts again. */
async function earlierResults(
  file: string | undefined,
  { isUpdate }: { isUpdate: boolean },
): Promise<Map<string, Result>> {
  const rows = (await readResults(file, RESULT_COLUMNS)) ?? [];
  const done = rows.filter(
    ({ outcome, user_id }) => outcome !== 'failed' && user_id !== '' && !(isUpdate && outcome === 'exists'),
  );
  const resultOf = ({ line, email, outcome, user_id }: (typeof rows)[number]) =>
    ({ line: Number(line), email, outcome, user_id: Number(user_id) }) as Result;
  return new Map(done.map((row) => [emailKey(row.email), resultOf(row)]));
}

type Report = { results: readonly Result[]; counts: Record<Outcome, number>; isDryRun: boolean; invite: boolean };

function report({ results, counts, isDryRun, invite }: Report, terminal: Terminal): void {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const sentences = failed.map(
    ({ line, email, reason = '' }) => `Line ${line}${email === '' ? '' : `, ${oneLine(email)}`}: ${oneLine(reason)}`,
  );
  printFailures(sentences, terminal);
  const parts = [
    `${isDryRun ? 'Dry run: nothing was changed. Would create' : 'Created'} ${counts.created}`,
    ...(counts.updated > 0 ? [`${isDryRun ? 'update' : 'updated'} ${counts.updated}`] : []),
    `${counts.exists} ${isDryRun ? 'exist' : 'existed'}`,
    ...(counts.deactivated > 0 ? [`${counts.deactivated} ${isDryRun ? 'exist' : 'existed'} and are deactivated`] : []),
    `${counts.failed} ${isDryRun ? 'would fail' : 'failed'}`,
  ];
  terminal.out(`${parts.join(', ')}.`);
  if (invite && counts.created > 0)
    terminal.out(
      isDryRun
        ? `Would send ${counted(counts.created, 'e-mail')} with a link to set a password.`
        : `The server sends ${counted(counts.created, 'e-mail')} with a link to set a password.`,
    );
  if (invite && counts.exists + counts.updated > 0)
    terminal.out('Existing accounts get no e-mail. `chatctl users create-reset-link` prints a link for one account.');
}
