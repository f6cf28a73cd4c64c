import type { DryRun, Session } from '../lib/index.ts';
import { emailKey } from '../lib/internal.ts';
import { warnOfLocalLink } from './connection.ts';
import { EXIT, Failure } from './failure.ts';
import { ifReadable } from './lookups.ts';
import { consequencesText } from './output/dry-run.ts';
import { inParts } from './output/progress.ts';
import { showJson } from './output/result.ts';
import type { Terminal } from './output/terminal.ts';
import { oneLine } from './output/text.ts';
import { addResults, printFailures, readResults } from './results-file.ts';

const AT_ONCE = 200;

export type Offer = Omit<Parameters<Session['invites']['send']>[0], 'invitee_emails'>;

type Outcome = 'invited' | 'exists' | 'deactivated' | 'failed';

export interface Invited {
  email: string;
  outcome: Outcome;
  reason?: string;
  link_url?: string;
  isMailed?: boolean;
  isEarlier?: true;
}

interface InviteRequest {
  session: Session;
  offer: Offer;
  addresses: readonly string[];
  resultsFile: string | undefined;
  /** Receives the dry runs. Undefined: sends the invitations. */
  tried: DryRun[] | undefined;
  terminal: Terminal;
}

export async function invitePeople(wanted: InviteRequest): Promise<Invited[]> {
  const { session, addresses, resultsFile, tried, terminal } = wanted;
  const done = await earlierResults(session, resultsFile);
  const results: Invited[] = [];
  const goOn =
    resultsFile === undefined
      ? 'Not finished. Use --results to avoid inviting the same users again.'
      : `Not finished. Run the same command again to continue from ${resultsFile}.`;
  let isOver: string | undefined;
  await inParts(addresses, { size: AT_ONCE, what: 'addresses', goOn, terminal }, async (some) => {
    const asked = some.filter((email) => !done.has(emailKey(email)));
    if (isOver !== undefined) {
      results.push(...asked.map((email) => failed(email, isOver)));
      return;
    }
    const { people, isOver: reason } = await inviteSome(wanted, asked);
    isOver = reason;
    const fresh = new Map(people.map((one) => [emailKey(one.email), one]));
    results.push(...some.flatMap((email) => done.get(emailKey(email)) ?? fresh.get(emailKey(email)) ?? []));
    if (!tried) await addResults(resultsFile, COLUMNS, people);
  });
  return results;
}

/** The API sends each error as: address, reason, whether the account is deactivated. */
type Failed = { errors: [address: string, reason: string, isDeactivated: boolean][]; sent_invitations: boolean };

/** `isOver`: why no more users can be invited now. */
async function inviteSome(
  wanted: InviteRequest,
  addresses: readonly string[],
): Promise<{ people: Invited[]; isOver?: string }> {
  if (addresses.length === 0) return { people: [] };
  const { session, offer, tried } = wanted;
  const parameters = { ...offer, invitee_emails: addresses.join('\n') };
  try {
    if (tried) tried.push(await session.dryRun.invites.send(parameters));
    else await session.invites.send(parameters);
    return { people: await invitedOf(wanted, addresses) };
  } catch (error) {
    const { ChatError } = await import('../lib/index.ts');
    if (!(error instanceof ChatError) || error.code !== 'INVITATION_FAILED') throw error;
    const { errors, sent_invitations } = error.data as unknown as Failed;
    const faults = new Map(errors.map((fault) => [emailKey(fault[0]), failedOf(fault)]));
    const others = addresses.filter((email) => !faults.has(emailKey(email)));
    if (others.length === addresses.length)
      return { people: addresses.map((email) => failed(email, error.message)), isOver: error.message };
    // If an address is invalid, the server sent no invitation at all.
    const isSent = sent_invitations && !tried;
    const rest = isSent ? { people: await invitedOf(wanted, others) } : await inviteSome(wanted, others);
    return { ...rest, people: [...rest.people, ...faults.values()] };
  }
}

const failed = (email: string, reason?: string): Invited => ({ email, outcome: 'failed', reason });

function failedOf([email, reason, isDeactivated]: Failed['errors'][number]): Invited {
  const outcome = isDeactivated ? 'deactivated' : /\baccount\b/i.test(reason) ? 'exists' : 'failed';
  return { email, outcome, reason };
}

/** Only the list has the links, for callers who may see them. */
async function invitedOf({ session, tried }: InviteRequest, addresses: readonly string[]): Promise<Invited[]> {
  const { invites = [] } = (tried ? undefined : await ifReadable(session.invites.list({ include_links: true }))) ?? {};
  const pending = new Map(invites.map((invite) => [emailKey(invite.email ?? ''), invite]));
  return addresses.map((email) => {
    const { email_state, link_url } = pending.get(emailKey(email)) ?? {};
    return { email, outcome: 'invited', ...(email_state === 'none' && { link_url, isMailed: false }) };
  });
}

const COLUMNS = ['email', 'outcome', 'reason', 'link_url'] as const;

/** Includes pending invitations: a run may end after a request but before it saves the results. */
async function earlierResults(session: Session, file: string | undefined): Promise<Map<string, Invited>> {
  const rows = await readResults(file, COLUMNS);
  if (!rows) return new Map();
  const [{ invites }, me] = await Promise.all([session.invites.list(), session.users.me()]);
  const pending = invites.flatMap(({ email, invited_by_user_id }): Invited[] =>
    email !== undefined && invited_by_user_id === me.user_id ? [{ email, outcome: 'invited' }] : [],
  );
  const done = rows.filter(({ outcome }) => outcome !== 'failed') as Pick<Invited, 'email' | 'outcome' | 'reason'>[];
  return new Map(
    [...pending, ...done].map(({ email, outcome, reason }) => [
      emailKey(email),
      { email, outcome, reason: reason || undefined, isEarlier: true },
    ]),
  );
}

/** For inviters who cannot see the link. */
export const NOT_MAILED = 'No e-mail is sent: ask an administrator for the link in `chatctl invites list`.';

/** Prints the results. Throws if an address was not invited. */
export async function report(
  people: readonly Invited[],
  { session, tried, terminal }: InviteRequest,
  options: { isJson: boolean; isDatabase: boolean },
) {
  const count = (outcome: Outcome) => people.filter((one) => one.outcome === outcome).length;
  const effects = tried && {
    events: tried.flatMap(({ events }) => events),
    events_left_out: tried.reduce((sum, { events_left_out = 0 }) => sum + events_left_out, 0),
    side_effects: tried.flatMap(({ side_effects }) => side_effects),
  };
  if (options.isJson) {
    const shown = people.map(({ isEarlier: _, isMailed: __, ...each }) => each);
    const [exists, deactivated, failed] = [count('exists'), count('deactivated'), count('failed')];
    showJson({ invited: count('invited'), exists, deactivated, failed, people: shown, ...effects }, terminal);
  } else {
    tell(people, terminal, { isDatabase: options.isDatabase, isTried: tried !== undefined });
    if (effects) terminal.out(await consequencesText(session, { answer: {}, ...effects }, terminal));
  }
  const missing = people.filter(({ outcome, isEarlier }) => outcome !== 'invited' && !isEarlier).length;
  if (missing === 0) return;
  const verb = tried ? 'would not be' : missing === 1 ? 'was not' : 'were not';
  throw new Failure(`${missing} of ${people.length} ${verb} invited.`, EXIT.refused);
}

function tell(
  people: readonly Invited[],
  terminal: Terminal,
  { isDatabase, isTried }: { isDatabase: boolean; isTried: boolean },
): void {
  const fresh = people.filter(({ isEarlier }) => !isEarlier);
  const others = fresh.filter(({ outcome }) => outcome !== 'invited');
  const failures = others.map(({ email, reason = '' }) => oneLine(`${email}: ${reason}`));
  printFailures(failures, terminal);
  const earlier = people.length - fresh.length;
  if (earlier > 0) terminal.out(`Skipped ${earlier} of ${people.length}: already done.`);
  const invited = fresh.filter(({ outcome }) => outcome === 'invited');
  const who = invited.length === 1 ? oneLine((invited[0] as Invited).email) : `${invited.length} people`;
  if (isTried) return terminal.out(`Dry run: nothing was changed. The command would invite ${who} and send:`);
  if (invited.length === 0) return;
  if (invited.every(({ isMailed = true }) => isMailed)) {
    terminal.out(`Invited ${who}.`);
    if (isDatabase) terminal.err('The server that uses this database sends the e-mails.');
    return;
  }
  const links = invited.filter(({ link_url }) => link_url !== undefined);
  if (links.length === 0) {
    terminal.out(`Invited ${who}. ${NOT_MAILED}`);
    return;
  }
  terminal.out(`Invited ${who}. No e-mail is sent: share these links yourself.`);
  for (const { email, link_url = '' } of links) terminal.out(`${oneLine(email)}  ${link_url}`);
  warnOfLocalLink(links[0]?.link_url ?? '', terminal);
}
