import * as v from 'valibot';
import { BadRequest, ChatError } from '../../../base/errors.ts';
import { groupBy } from '../../../base/lists.ts';
import { present } from '../../../base/present.ts';
import { choice, describe, falseByDefault, list, optional, text } from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import type { Role } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emailKey, fold } from '../../../rules/fold.ts';
import { defaultRole, organizationSetting } from '../../../rules/organization-settings.ts';
import { isBot, ROLES } from '../../../rules/roles.ts';
import { checkConfirmed, confirmationCode } from '../../../viewer/confirmation.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { subscribe } from '../../channels/subscribing.ts';
import { addressTaken, checkDomain, checkedPerson, createAccounts, type NewPerson } from '../account-creation.ts';
import { planAdoption } from '../adoption.ts';
import { nameChecker } from '../names.ts';
import { FIRST_LINK_DAYS, sendFirstLinkEmail } from '../password-reset/reset-link.ts';
import { newProfileData, profileDataParam } from '../profile-data.ts';

/** All accounts are created in one transaction, and other writers wait for it. */
const MAX_PEOPLE = 2_000;
const MAX_CHANNELS_EACH = 100;
const MAX_NAME = 1_000;

const row = v.strictObject(
  {
    email: text(MAX_NAME),
    full_name: text(MAX_NAME),
    role: v.optional(choice(ROLES)),
    channels: v.optional(list(text(MAX_NAME), MAX_CHANNELS_EACH)),
    profile_data: v.optional(profileDataParam),
  },
  'must be an object with email and full_name, and optionally role, channels and profile_data',
);

const outcome = v.object({
  user_id: describe(v.nullable(v.number()), 'null if there is no account.'),
  outcome: describe(v.picklist(['created', 'exists', 'deactivated', 'failed']), 'deactivated: exists, but inactive.'),
  reason: optional(v.string(), 'Why the row failed.'),
});

export const createManyUsers = defineOperation({
  name: 'users.createMany',
  http: 'POST /users/many',
  summary: 'Create accounts for many people at once',
  description:
    'Administrators only. Each row is created, exists already or fails with its own reason. A failed row does not stop the others. Existing accounts are not changed. Rows for accounts with an unverified address fail, since these may belong to another user: see `users.ensure`. Sets no passwords: with `invite`, each new account gets a link to set one.',
  example: { people: [{ email: 'ben@example.com', full_name: 'Ben', channels: ['general'] }] },
  access: 'administrator',
  scope: 'login',
  effect: 'write',
  params: {
    code: confirmationCode,
    people: describe(
      list(row, MAX_PEOPLE),
      `At most ${MAX_PEOPLE} rows: e-mail address, name, role, channels to join besides the default channels, by name, and values of custom profile fields. The default role is 400, or 600 if the audience of the organization are customers.`,
    ),
    invite: falseByDefault(
      `Send each new account an e-mail with a link to set a password. The link works for ${FIRST_LINK_DAYS} days.`,
    ),
  },
  mayNeedCode: true,
  result: v.object({ people: describe(v.array(outcome), 'One result per row, in the order of the request.') }),
  async run(context, { people, invite }) {
    if (invite) checkMailsLinks(context);
    const outcomes = await createPeople(context, people);
    for (const { user_id, outcome } of invite ? outcomes : [])
      if (outcome === 'created' && user_id !== null) context.enqueue(sendFirstLinkEmail({ user_id }));
    return { people: outcomes };
  },
});

function checkMailsLinks({ services, organization }: AccountContext): void {
  if (!services.options.mail)
    throw new BadRequest('This server sends no e-mail. Set up e-mail (SMTP) to invite, or create accounts without it.');
  if (!organizationSetting(organization, 'password_login'))
    throw new BadRequest('Password login is disabled in this organization, so there is no password to set.');
}

type PersonRow = v.InferOutput<typeof row>;
type Outcome = v.InferOutput<typeof outcome>;

/** An account to create, with its index in the request. */
interface Planned {
  at: number;
  person: NewPerson;
  channels: Channel[];
}

/** Creates the missing accounts. The number of SQL statements grows with the channels and the profiles that name people. */
async function createPeople(context: AccountContext, given: readonly PersonRow[]): Promise<Outcome[]> {
  const { tx } = context;
  const there = new Map(
    (await tx.users.byEmails(given.map(({ email }) => email))).map((user) => [emailKey(user.delivery_email), user]),
  );
  const channels = await openChannels(context, given);
  const checkName = await nameChecker(
    context,
    given.map((person) => person.full_name),
  );
  const planned = new Map<string, Planned>();
  const planRow = async (row: PersonRow, at: number): Promise<Outcome | string> => {
    const key = emailKey(row.email);
    const user = there.get(key);
    // A repeated address is one account: later rows report `exists`.
    if (planned.has(key)) return key;
    try {
      if (user && !isBot(user)) {
        planAdoption(user, 'verified');
        return { user_id: user.id, outcome: user.is_active ? 'exists' : 'deactivated' };
      }
      if (user) throw addressTaken(user);
      const person = checkedPerson(context.actor, { ...row, role: row.role ?? defaultRole(context.organization) });
      checkDomain(context.organization, person.email);
      const places = (row.channels ?? []).map((name) => channelNamed(channels, name));
      const profile_data = row.profile_data && (await newProfileData(context, row.profile_data));
      checkName(person.full_name);
      planned.set(key, { at, person: { ...person, profile_data }, channels: places });
      return key;
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      return { user_id: null, outcome: 'failed', reason: error.message };
    }
  };
  const outcomes: (Outcome | string)[] = [];
  for (const [at, row] of given.entries()) outcomes.push(await planRow(row, at));
  const roles = [...planned.values()].map(({ person }) => person.role);
  if (roles.length > 0) await checkConfirmed(context, Math.min(...roles) as Role);
  const created = await createPlanned(context, planned);
  return outcomes.map((outcome, at) => {
    if (typeof outcome !== 'string') return outcome;
    const isFirst = planned.get(outcome)?.at === at;
    return { user_id: present(created.get(outcome)).id, outcome: isFirst ? 'created' : 'exists' };
  });
}

/** Creates the accounts. @returns them by folded address */
async function createPlanned(context: AccountContext, planned: ReadonlyMap<string, Planned>) {
  const people = [...planned.values()].map(({ person }) => person);
  const users = await createAccounts(context, people);
  const created = new Map(users.map((user) => [emailKey(user.delivery_email), user]));
  // Subscribes once per distinct set of channels, not once per account.
  const idsOf = ({ channels }: Planned) => channels.map(({ id }) => id).sort((a, b) => a - b);
  for (const alike of groupBy(planned, ([, account]) => idsOf(account).join()).values()) {
    const joining = alike.map(([key]) => present(created.get(key)));
    await subscribe(context, [...new Set(alike[0]?.[1].channels)], joining);
  }
  return created;
}

/** The named channels that the caller can read, and so subscribe others to; by folded name. */
async function openChannels(context: AccountContext, given: readonly PersonRow[]): Promise<Map<string, Channel>> {
  const names = [...new Set(given.flatMap(({ channels = [] }) => channels).map((name) => name.trim()))];
  if (names.length === 0) return new Map();
  const found = (await context.tx.channels.byNames(names)).filter((channel) => !channel.is_archived);
  const { known } = await context.viewer.knownChannels(found);
  return new Map(known.filter(({ readable }) => readable).map(({ channel }) => [fold(channel.name), channel]));
}

function channelNamed(channels: ReadonlyMap<string, Channel>, name: string): Channel {
  const channel = channels.get(fold(name));
  if (!channel)
    throw new BadRequest(`There is no channel named "${name.trim()}", or you cannot subscribe others to it.`);
  return channel;
}
