import type { Session } from '../lib/index.ts';
import { warnOfLocalLink } from './connection.ts';
import { EXIT, Failure } from './failure.ts';
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
  isEarlier?: true;
}

interface InviteRequest {
  session: Session;
  offer: Offer;
  addresses: readonly string[];
  resultsFile: string | undefined;
  terminal: Terminal;
}

export async function invitePeople(wanted: InviteRequest): Promise<Invited[]> {
  const { session, offer, addresses, resultsFile, terminal } = wanted;
  const done = await earlierResults(session, resultsFile);
  const results: Invited[] = [];
  const goOn =
    resultsFile === undefined
      ? 'Not finished. Use --results to avoid inviting the same users again.'
      : `Not finished. Run the same command again to continue from ${resultsFile}.`;
  let isOver: string | undefined;
  await inParts(addresses, { size: AT_ONCE, what: 'addresses', goOn, terminal }, async (some) => {
    const asked = some.filter((email) => !done.has(keyOf(email)));
    if (isOver !== undefined) {
      results.push(...asked.map((email) => failed(email, isOver)));
      return;
    }
    const { people, isOver: reason } = await inviteSome(session, offer, asked);
    isOver = reason;
    const fresh = new Map(people.map((one) => [keyOf(one.email), one]));
    results.push(...some.flatMap((email) => done.get(keyOf(email)) ?? fresh.get(keyOf(email)) ?? []));
    await addResults(resultsFile, COLUMNS, people);
  });
  return results;
}

/** The API sends each error as: address, reason, whether the account is deactivated. */
interface Failed {
  errors: [address: string, reason: string, isDeactivated: boolean][];
  sent_invitations: boolean;
}

/** `isOver`: why no more users can be invited now. */
async function inviteSome(
  session: Session,
  offer: Offer,
  addresses: readonly string[],
): Promise<{ people: Invited[]; isOver?: string }> {
  if (addresses.length === 0) return { people: [] };
  try {
    const { invitations = [] } = await session.invites.send({ ...offer, invitee_emails: addresses.join('\n') });
    const links = new Map(invitations.map(({ email, link_url }) => [keyOf(email), link_url]));
    return { people: addresses.map((email) => invited(email, links.get(keyOf(email)))) };
  } catch (error) {
    const { ChatError } = await import('../lib/index.ts');
    if (!(error instanceof ChatError) || error.code !== 'INVITATION_FAILED') throw error;
    const { errors, sent_invitations } = error.data as unknown as Failed;
    if (errors.length === 0) {
      return { people: addresses.map((email) => failed(email, error.message)), isOver: error.message };
    }
    const faults = new Map(errors.map((fault) => [keyOf(fault[0]), failedOf(fault)]));
    const others = addresses.filter((email) => !faults.has(keyOf(email)));
    // If an address is invalid, the server sent no invitation at all.
    const rest = sent_invitations
      ? { people: await linksOf(session, others) }
      : await inviteSome(session, offer, others);
    return { ...rest, people: [...rest.people, ...faults.values()] };
  }
}

const failed = (email: string, reason?: string): Invited => ({ email, outcome: 'failed', reason });

const invited = (email: string, link_url: string | undefined): Invited => ({ email, outcome: 'invited', link_url });

function failedOf([email, reason, isDeactivated]: Failed['errors'][number]): Invited {
  const outcome = isDeactivated ? 'deactivated' : /\baccount\b/i.test(reason) ? 'exists' : 'failed';
  return { email, outcome, reason };
}

/** The error has no links. If the server sends no e-mail, look them up. */
async function linksOf(session: Session, addresses: readonly string[]): Promise<Invited[]> {
  const { invites } = await session.invites.list();
  const links = new Map(
    invites.map(({ email, link_url, email_state }) => [keyOf(email ?? ''), email_state ? undefined : link_url]),
  );
  return addresses.map((email) => invited(email, links.get(keyOf(email))));
}

export function addressesOf(text: string): string[] {
  const found = new Map<string, string>();
  for (const part of text.split(/[,\r\n]/)) {
    const address = part.trim();
    if (address !== '' && !found.has(keyOf(address))) found.set(keyOf(address), address);
  }
  return [...found.values()];
}

const keyOf = (email: string) => (/<([^<>]*)>\s*$/.exec(email)?.[1] ?? email).trim().toLowerCase();

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
      keyOf(email),
      { email, outcome, reason: reason || undefined, isEarlier: true },
    ]),
  );
}

/** Prints the results. Throws if an address was not invited. */
export function report(
  people: readonly Invited[],
  terminal: Terminal,
  options: { isJson: boolean; isDatabase: boolean },
) {
  const count = (outcome: Outcome) => people.filter((one) => one.outcome === outcome).length;
  if (options.isJson) {
    const shown = people.map(({ isEarlier: _, ...each }) => each);
    const [exists, deactivated, failed] = [count('exists'), count('deactivated'), count('failed')];
    showJson({ invited: count('invited'), exists, deactivated, failed, people: shown }, terminal);
  } else tell(people, terminal, options.isDatabase);
  const missing = people.filter(({ outcome, isEarlier }) => outcome !== 'invited' && !isEarlier).length;
  if (missing === 0) return;
  throw new Failure(`${missing} of ${people.length} ${missing === 1 ? 'was' : 'were'} not invited.`, EXIT.refused);
}

function tell(people: readonly Invited[], terminal: Terminal, isDatabase: boolean): void {
  const fresh = people.filter(({ isEarlier }) => !isEarlier);
  const others = fresh.filter(({ outcome }) => outcome !== 'invited');
  const failures = others.map(({ email, reason = '' }) => oneLine(`${email}: ${reason}`));
  printFailures(failures, terminal);
  const earlier = people.length - fresh.length;
  if (earlier > 0) terminal.out(`Skipped ${earlier} of ${people.length}: already done.`);
  const invited = fresh.filter(({ outcome }) => outcome === 'invited');
  if (invited.length === 0) return;
  const who = invited.length === 1 ? oneLine((invited[0] as Invited).email) : `${invited.length} people`;
  const links = invited.filter(({ link_url }) => link_url !== undefined);
  if (links.length === 0) {
    terminal.out(`Invited ${who}.`);
    if (isDatabase) terminal.err('The server that uses this database sends the e-mails.');
    return;
  }
  terminal.out(`Invited ${who}. No e-mail is sent: share these links yourself.`);
  for (const { email, link_url = '' } of links) terminal.out(`${oneLine(email)}  ${link_url}`);
  warnOfLocalLink(links[0]?.link_url ?? '', terminal);
}
