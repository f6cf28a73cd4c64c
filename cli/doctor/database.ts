import type { Finding } from '../../lib/index.ts';
import { clockDifference, counted, type Examination, errorOf, shellWord } from '../../lib/internal.ts';
import { checkDatabase, filesFor, isPostgres, openChatAt, planOf, withStorage } from '../database.ts';
import { keepingProgress } from '../output/progress.ts';
import type { Terminal } from '../output/terminal.ts';
import { adviceHere, type Problem, placeOptions, REPAIR, type Subject, sentence } from './report.ts';

const LATER = ['damage', 'late removals', 'paused addresses', 'given up'];

/** The state of the chat. undefined if this version cannot read the database. */
export async function examineDatabase(subject: Subject, terminal: Terminal): Promise<Examination | undefined> {
  const { report, database } = subject;
  const { location } = database;
  const { examine, testWrite } = await import('../../lib/internal.ts');
  const problems = await report.check('database', async () => {
    checkDatabase(database);
    await withStorage(location, testWrite);
    return [];
  });
  const schema = await schemaProblems(subject, { hasFinding: problems.length > 0 });
  if (!schema || schema.length > 0) {
    for (const name of LATER) report.skip(name, 'This version cannot read the database.');
    return undefined;
  }
  await examineDamage(subject, terminal);
  let found: Examination | undefined;
  await report.check('late removals', async () => {
    found = await withStorage(location, (storage) => examine(storage, Date.now()));
    return lateRemovals(subject, found);
  });
  if (!found) return undefined;
  const { pausedAddresses, givenUp, clockOffsetMs } = found;
  await report.check('paused addresses', () => pausedProblems(pausedAddresses, database.place));
  await report.check('given up', () => givenUp.map(givenUpProblem));
  if (clockOffsetMs !== undefined) await report.check('clock of the database', () => clockProblems(clockOffsetMs));
  return found;
}

/** undefined: the database is not readable, and a finding already says why. */
async function schemaProblems(
  { report, database, options }: Subject,
  { hasFinding }: { hasFinding: boolean },
): Promise<readonly Problem[] | undefined> {
  const { location, place } = database;
  if (hasFinding && !(await planOf(location).catch(() => undefined))) {
    report.skip('schema', 'The database is not readable.');
    return undefined;
  }
  return report.check('schema', async () => {
    const { from, to, steps } = await planOf(location);
    if (steps.length === 0) return [];
    const says = `${place} has schema ${from}, and this version works with ${to}.`;
    const backup = `chatctl backup before-upgrade.backup ${placeOptions(place, options.uploads)}`;
    const advice = `Run \`${backup}\`, then \`chatctl migrate --db ${shellWord(place)} --yes\`.`;
    return [{ says, advice }];
  });
}

async function examineDamage(subject: Subject, terminal: Terminal): Promise<void> {
  const { report, database, options } = subject;
  const { location, place } = database;
  const { check } = await import('../../lib/index.ts');
  const { isRepairable, repair } = await import('../../lib/internal.ts');
  const onStep = terminal.errIsTerminal ? keepingProgress(`Checking ${place}`, terminal) : undefined;
  const { files } = await filesFor(location, options.uploads);
  const look = async () => (await withStorage(location, (storage) => check(storage, { files, onStep }))).findings;
  await report.check('damage', async () => {
    const before = await look();
    const repairable = before.filter(isRepairable);
    const describe = (finding: Finding) =>
      damageOf(isRepairable(finding) ? { ...finding, advice: `Run \`${REPAIR}\`.` } : finding, subject);
    if (!options.fix || repairable.length === 0) return before.map(describe);
    const failures = new Map<string, string>();
    for (const finding of repairable)
      await withStorage(location, (storage) => repair(storage, finding)).catch((error: unknown) => {
        failures.set(finding.check, errorOf(error).message);
      });
    const after = await look();
    const rest = new Set(after.map((finding) => finding.check));
    for (const { check: name, says } of repairable)
      if (!rest.has(name)) report.fixed.push({ check: 'damage', says: `Repaired: ${says}` });
    return after.map((finding) => {
      const failure = failures.get(finding.check);
      if (failure === undefined) return describe(finding);
      const { says, advice } = damageOf(finding, subject);
      return { says: `${says} The repair failed: ${sentence(failure)}`, advice };
    });
  });
}

function damageOf({ says, examples, advice }: Finding, subject: Subject): Problem {
  return {
    says: `${says.replace(/\.$/, '')} (${examples[0]}).`,
    advice: adviceHere(advice, subject.database, subject.options.uploads),
  };
}

/** The worker of a server with the upload folder removes files that no message uses. */
async function lateRemovals(
  { report, database: { location, place }, options }: Subject,
  { lateRemovals: count }: Examination,
): Promise<Problem[]> {
  if (count === 0) return [];
  const { files } = await filesFor(location, options.uploads);
  const says = `${counted(count, 'upload is', 'uploads are')} unused, and not removed for more than a day.`;
  if (!files || !options.fix)
    return [
      {
        says,
        advice: `Run a server with --uploads (PARLANCE_UPLOADS), or \`${REPAIR} ${placeOptions(place, options.uploads)}\`.`,
      },
    ];
  const { transportOf, unwantedFiles } = await import('../../lib/internal.ts');
  const { chat } = await openChatAt(location, { migrate: false, files });
  try {
    const removed = await unwantedFiles.run(transportOf(chat).engine, () => false);
    const sentence = `Removed ${counted(removed, 'unused upload')}. A server removes their bytes from the disk.`;
    report.fixed.push({ check: 'late removals', says: sentence });
  } finally {
    await chat.close();
  }
  return [];
}

const MAX_NAMED = 5;

function pausedProblems(addresses: readonly string[], place: string): Problem[] {
  const [first] = addresses;
  if (first === undefined) return [];
  const named = `${addresses.slice(0, MAX_NAMED).join(', ')}${addresses.length > MAX_NAMED ? ', …' : ''}`;
  const are = counted(addresses.length, 'account gets', 'accounts get');
  return [
    {
      says: `${are} no e-mail notifications, because mail servers say that the address does not exist: ${named}.`,
      advice: `Let the users correct it in their settings, or run \`chatctl users deactivate ${shellWord(first)} --db ${shellWord(place)}\`.`,
    },
  ];
}

const GIVEN_UP_ADVICE: readonly (readonly [kind: RegExp, advice: string])[] = [
  [/mail|invitation|email/, 'See the finding for mail. If there is none, the recipient is the cause.'],
  [/^web-push/, 'Check that this server may connect to the push services of browsers.'],
  [/^push/, 'See the finding for the push relay. If there is none, the relay works again.'],
  [/webhook/, 'Correct the URL of the bot, or allow its network with --webhook-network.'],
  [/^remove file$/, 'See the finding for uploads.'],
];

function givenUpProblem({ kind, count, error }: Examination['givenUp'][number]): Problem {
  const because = error === null ? '' : ` The last error: ${sentence(error.slice(0, 300))}`;
  return {
    says: `In the last week, the server gave up ${counted(count, 'item')} of the kind "${kind}".${because}`,
    advice: GIVEN_UP_ADVICE.find(([pattern]) => pattern.test(kind))?.[1] ?? 'The log of the server has the cause.',
  };
}

export const SYNCHRONIZE = 'Synchronize the clocks of both machines, for example with `timedatectl set-ntp true`.';

function clockProblems(offsetMs: number): Problem[] {
  const difference = clockDifference(offsetMs);
  if (difference === undefined) return [];
  return [{ says: `The clock of this machine is ${difference}.`, advice: SYNCHRONIZE }];
}

/** Whether the database is a file on this machine. */
export const isFile = ({ database: { location } }: Pick<Subject, 'database'>) =>
  !isPostgres(location) && location !== ':memory:';
