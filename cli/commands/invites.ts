import { existsSync } from 'node:fs';
import type { DryRun, Session } from '../../lib/index.ts';
import { addressesIn, emailKey, present, roleName, shellWord } from '../../lib/internal.ts';
import { warnOfLocalLink } from '../connection.ts';
import { Failure, UsageError } from '../failure.ts';
import { addResults, printFailures, readResults } from '../files.ts';
import { ifReadable } from '../lookups.ts';
import { type Call, commands } from '../operations/metadata.ts';
import { consequencesText, effectsOf } from '../output/dry-run.ts';
import { inParts } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import { moment, oneLine } from '../output/text.ts';

const offer = {
  parsers: { invite_as: 'role', invite_expires_in_minutes: 'validity', stream_ids: 'channels', group_ids: 'groups' },
  flags: {
    invite_as: '--role <role>',
    invite_expires_in_minutes: '--expires <time>',
    stream_ids: '--channels <names>',
    group_ids: '--groups <names>',
    welcome_message_custom_text: '--welcome <text>',
    include_realm_default_subscriptions: '--default-channels',
  },
  // New users join the default channels unless --no-default-channels is set.
  defaults: { stream_ids: [] as number[], include_realm_default_subscriptions: true },
} as const;

const key = { args: [{ parameter: 'key', label: 'LINK' }], parsers: { key: 'invitation key' } } as const;

export const invites = commands('invites', 'Invitations and invitation links', {
  list: {
    flags: { include_links: '--links' },
    // The links of invitations by e-mail too, unless --no-links is set.
    defaults: { include_links: true },
    columns: {
      invites: [
        'id',
        'email',
        ['invited_as', 'AS'],
        ['invited', 'SINCE'],
        ['expiry_date', 'EXPIRES'],
        ['email_state', 'SENT'],
        ['email_error', 'ERROR'],
        ['link_url', 'LINK'],
      ],
    },
    empty: 'There are no pending invitations.',
  },
  send: {
    ...offer,
    args: [{ parameter: 'invitee_emails', label: 'ADDRESS' }],
    parsers: { ...offer.parsers, invitee_emails: 'addresses' },
    flags: { ...offer.flags, notify_referrer_on_join: '--notify' },
    files: { invitee_emails: ['--csv <file>', 'CSV with a column email, or one address per line'] },
    options: [['--results <file>', 'CSV for the result of each address; addresses with a result there are skipped']],
    perform: {
      isForDryRuns: true,
      async run({ parameters: { invitee_emails, ...offer }, ...call }) {
        const addresses = addressesIn(invitee_emails);
        const file = addresses.find((address) => !address.includes('@') && existsSync(address));
        if (file !== undefined)
          throw new UsageError(`${file} is a file.`, `Use --csv ${shellWord(file)} to read its addresses.`);
        if (addresses.length === 0) throw new UsageError('There are no addresses to invite.');
        const resultsFile = call.options.results as string | undefined;
        const dryRuns = call.isDryRun ? [] : undefined;
        const wanted = { ...call, offer: offer as Offer, addresses, resultsFile, dryRuns };
        await report(await invitePeople(wanted), wanted);
      },
    },
    examples: [
      'invites send ben@example.com cleo@example.com --channels general --groups support --expires 7d',
      'invites send --csv people.csv --role guest --results invited.csv',
    ],
  },
  createMultiuse: {
    ...offer,
    aliases: ['link'],
    done({ answer, terminal }) {
      warnOfLocalLink(answer.invite_link, terminal);
      terminal.err('Anyone with this link can join:');
      return answer.invite_link;
    },
    examples: ['invites link --role guest --channels general --expires 2w'],
  },
  resend: {
    async done({ session, parameters: { invite_id }, answer, terminal }) {
      if (answer.link_url === undefined) {
        const { invites: all } = (await ifReadable(session.invites.list())) ?? { invites: [] };
        const isMailed = all.find(({ id }) => id === invite_id)?.email_state !== 'none';
        return isMailed ? 'The e-mail will be sent again.' : NOT_MAILED;
      }
      warnOfLocalLink(answer.link_url, terminal);
      return `No e-mail is sent: share this link yourself.\n${answer.link_url}`;
    },
  },
  revoke: {
    undo: 'invites send',
    async before({ session, parameters: { invite_id } }) {
      const { invites: all } = (await ifReadable(session.invites.list())) ?? { invites: [] };
      const email = all.find(({ id }) => id === invite_id)?.email?.toLowerCase();
      const same = all.filter((each) => email !== undefined && each.email?.toLowerCase() === email);
      const others = same.map(({ id }) => id).filter((id) => id !== invite_id);
      const who = email === undefined ? `ID ${invite_id}` : oneLine(email);
      return () =>
        others.length === 0
          ? `Revoked the invitation to ${who}.`
          : `Revoked one invitation to ${who}. Still pending: ID ${others.join(', ')}.`;
    },
  },
  revokeMultiuse: {
    undo: 'invites create-multiuse',
    parsers: { invite_id: 'invitation link' },
    aliases: ['revoke-link'],
    done: 'Revoked the link. It no longer works.',
    examples: ['invites revoke-link https://chat.example.com/join/q1Zc7P0aXw9RkT3mB8vYdL2s/'],
  },
  preview: {
    ...key,
    done({ answer }) {
      const { realm_name, invited_by, invited_as, email, expiry_date, channels, groups } = answer;
      return [
        `${oneLine(invited_by)} invites ${email === null ? 'anyone with the link' : oneLine(email)} to join ${oneLine(realm_name)} as ${roleName(invited_as)}.`,
        ...(channels.length > 0 ? [`Channels: ${oneLine(channels.join(', '))}`] : []),
        ...(groups.length > 0 ? [`Groups: ${oneLine(groups.join(', '))}`] : []),
        expiry_date === null ? 'It does not expire.' : `It expires at ${moment(expiry_date)}.`,
      ].join('\n');
    },
  },
  confirmAddress: {
    args: [...key.args, 'email'],
    parsers: key.parsers,
    done: 'Sent a link to {email}, unless the limit for this address is reached.',
  },
  accept: {
    ...key,
    done({ answer: { email, user_id, api_key } }) {
      const key =
        api_key === undefined
          ? 'The role needs a second factor: log in with a browser to set it up.'
          : `Its API key:\n${api_key}`;
      return `Created the account ${oneLine(email)} (ID ${user_id}). ${key}`;
    },
    examples: [
      'invites accept https://chat.example.com/join/q1Zc7P0aXw9RkT3mB8vYdL2s/ --full-name "Ben Ngo" --password-stdin < password.txt',
    ],
  },
  tryWelcome: {
    args: [{ parameter: 'welcome_message_custom_text', label: 'TEXT' }],
    done: 'The welcome bot sent you the message.',
  },
});

const INVITATIONS_PER_REQUEST = 200;

type Offer = Omit<Parameters<Session['invites']['send']>[0], 'invitee_emails'>;

type Outcome = 'invited' | 'exists' | 'deactivated' | 'failed';

interface Invited {
  email: string;
  outcome: Outcome;
  reason?: string;
  link_url?: string;
  isMailed?: boolean;
  isEarlier?: true;
}

interface InviteRequest extends Pick<Call, 'session' | 'terminal' | 'connection' | 'isJson'> {
  offer: Offer;
  addresses: readonly string[];
  resultsFile: string | undefined;
  /** Receives the dry runs. Undefined: sends the invitations. */
  dryRuns: DryRun[] | undefined;
}

async function invitePeople(wanted: InviteRequest): Promise<Invited[]> {
  const { session, addresses, resultsFile, dryRuns, terminal } = wanted;
  const done = await earlierResults(session, resultsFile);
  const results: Invited[] = [];
  const goOn =
    resultsFile === undefined
      ? 'Not finished. Use --results to avoid inviting the same users again.'
      : `Not finished. Run the same command again to continue from ${resultsFile}.`;
  let isOver: string | undefined;
  await inParts(addresses, { size: INVITATIONS_PER_REQUEST, what: 'addresses', goOn, terminal }, async (some) => {
    const asked = some.filter((email) => !done.has(emailKey(email)));
    const { people, isOver: reason }: Awaited<ReturnType<typeof inviteSome>> =
      isOver === undefined
        ? await inviteSome(wanted, asked)
        : { people: asked.map((email) => failed(email, isOver)), isOver };
    isOver = reason;
    const fresh = new Map(people.map((person) => [emailKey(person.email), person]));
    results.push(...some.flatMap((email) => done.get(emailKey(email)) ?? fresh.get(emailKey(email)) ?? []));
    if (!dryRuns) await addResults(resultsFile, RESULT_COLUMNS, people);
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
  const { session, offer, dryRuns } = wanted;
  const parameters = { ...offer, invitee_emails: addresses.join('\n') };
  try {
    if (dryRuns) dryRuns.push(await session.dryRun.invites.send(parameters));
    else await session.invites.send(parameters);
    return { people: await invitedOf(wanted, addresses) };
  } catch (error) {
    const { ChatError } = await import('../../lib/index.ts');
    if (!(error instanceof ChatError) || error.code !== 'INVITATION_FAILED') throw error;
    const { errors, sent_invitations } = error.data as unknown as Failed;
    const faults = new Map(errors.map((fault) => [emailKey(fault[0]), failedOf(fault)]));
    const others = addresses.filter((email) => !faults.has(emailKey(email)));
    if (others.length === addresses.length)
      return { people: addresses.map((email) => failed(email, error.message)), isOver: error.message };
    // If an address is invalid, the server sent no invitation at all.
    const isSent = sent_invitations && !dryRuns;
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
async function invitedOf({ session, dryRuns }: InviteRequest, addresses: readonly string[]): Promise<Invited[]> {
  const { invites = [] } =
    (dryRuns ? undefined : await ifReadable(session.invites.list({ include_links: true }))) ?? {};
  const pending = new Map(invites.map((invite) => [emailKey(invite.email ?? ''), invite]));
  return addresses.map((email) => {
    const { email_state, link_url } = pending.get(emailKey(email)) ?? {};
    return { email, outcome: 'invited', ...(email_state === 'none' && { link_url, isMailed: false }) };
  });
}

const RESULT_COLUMNS = ['email', 'outcome', 'reason', 'link_url'] as const;

/** Includes pending invitations: a run may end after a request but before it saves the results. */
async function earlierResults(session: Session, file: string | undefined): Promise<Map<string, Invited>> {
  const rows = await readResults(file, RESULT_COLUMNS);
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
const NOT_MAILED = 'No e-mail is sent: ask an administrator for the link in `chatctl invites list`.';

/** Prints the results. Throws if an address was not invited. */
async function report(people: readonly Invited[], request: InviteRequest): Promise<void> {
  const { session, dryRuns, terminal } = request;
  const count = (outcome: Outcome) => people.filter((person) => person.outcome === outcome).length;
  const effects = dryRuns && effectsOf(dryRuns);
  if (request.isJson) {
    const shown = people.map(({ isEarlier: _, isMailed: __, ...each }) => each);
    const [exists, deactivated, failed] = [count('exists'), count('deactivated'), count('failed')];
    showJson({ invited: count('invited'), exists, deactivated, failed, people: shown, ...effects }, terminal);
  } else {
    tell(people, request);
    if (effects) terminal.out(await consequencesText(session, { answer: {}, ...effects }, terminal));
  }
  const missing = people.filter(({ outcome, isEarlier }) => outcome !== 'invited' && !isEarlier).length;
  if (missing === 0) return;
  const verb = dryRuns ? 'would not be' : missing === 1 ? 'was not' : 'were not';
  throw new Failure(`${missing} of ${people.length} ${verb} invited.`);
}

function tell(people: readonly Invited[], { terminal, connection, dryRuns }: InviteRequest): void {
  const fresh = people.filter(({ isEarlier }) => !isEarlier);
  const others = fresh.filter(({ outcome }) => outcome !== 'invited');
  const failures = others.map(({ email, reason = '' }) => oneLine(`${email}: ${reason}`));
  printFailures(failures, terminal);
  const earlier = people.length - fresh.length;
  if (earlier > 0) terminal.out(`Skipped ${earlier} of ${people.length}: already done.`);
  const invited = fresh.filter(({ outcome }) => outcome === 'invited');
  const who = invited.length === 1 ? oneLine(present(invited[0]).email) : `${invited.length} people`;
  if (dryRuns) return terminal.out(`Dry run: nothing was changed. The command would invite ${who} and send:`);
  if (invited.length === 0) return;
  if (invited.every(({ isMailed = true }) => isMailed)) {
    terminal.out(`Invited ${who}.`);
    if (connection.kind === 'database') terminal.err('The server that uses this database sends the e-mails.');
    return;
  }
  const links = invited.filter(({ link_url }) => link_url !== undefined);
  if (links.length === 0) return terminal.out(`Invited ${who}. ${NOT_MAILED}`);
  terminal.out(`Invited ${who}. No e-mail is sent: share these links yourself.`);
  for (const { email, link_url = '' } of links) terminal.out(`${oneLine(email)}  ${link_url}`);
  warnOfLocalLink(links[0]?.link_url ?? '', terminal);
}
