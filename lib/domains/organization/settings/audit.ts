import * as v from 'valibot';
import { counted } from '../../../base/counted.ts';
import { describe } from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { AUDIENCES, organizationPermission, organizationSetting } from '../../../rules/organization-settings.ts';
import type { OrganizationPermission } from '../../../rules/permission-settings.ts';
import { groupsIn } from '../../../rules/permissions.ts';
import { isBot, isGuest, systemGroupId } from '../../../rules/roles.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { areGuestsRestricted } from '../../../viewer/viewer.ts';

const MAX_NAMED = 10;

const CALLERS = ['anonymous', 'guest', 'member'] as const;

const finding = v.object({
  caller: describe(v.picklist(CALLERS), '`anonymous`: a caller without an account.'),
  text: describe(v.string(), 'What the caller can see or do.'),
  is_unusual: describe(v.boolean(), 'Whether this is unusual for the audience of the organization.'),
});

type Finding = v.InferOutput<typeof finding>;

export const auditOrganization = defineOperation({
  name: 'organization.audit',
  http: 'GET /realm/audit',
  summary: 'Say what guests, members and callers without an account can see and do',
  description:
    'Marks what is unusual for the audience of the organization, for example customers who can read the messages of other customers.',
  access: 'administrator',
  result: v.object({
    audience: describe(v.picklist(AUDIENCES), 'From `createOrganization`.'),
    findings: describe(v.array(finding), 'First of callers without an account, then of guests and members.'),
  }),
  extent: () => 'large',
  async run(context) {
    const audience = organizationSetting(context.organization, 'audience');
    const channels = (await context.tx.channels.all()).filter((channel) => !channel.is_archived);
    const ofGuest = await ofGuests(context, channels);
    const findings = [...ofAnonymous(context, channels), ...ofGuest, ...ofMembers(context, channels)];
    return {
      audience,
      findings: findings.map(({ caller, text, is_unusual }) => ({
        caller,
        text,
        is_unusual: is_unusual && audience === 'customers',
      })),
    };
  },
});

const SUBJECTS = { anonymous: 'Callers without an account', guest: 'Guests', member: 'Members' };

const said = (caller: Finding['caller'], predicate: string, is_unusual = false): Finding => ({
  caller,
  text: `${SUBJECTS[caller]} ${predicate}`,
  is_unusual,
});

function ofAnonymous({ organization, services }: AccountContext, channels: readonly Channel[]): Finding[] {
  const isOn = services.options.webPublicChannels && organizationSetting(organization, 'enable_spectator_access');
  const open = isOn ? channels.filter((channel) => channel.is_web_public) : [];
  if (open.length === 0) return [said('anonymous', 'read no messages.')];
  return [said('anonymous', `read all messages of ${named(open)}.`, true)];
}

async function ofGuests(context: AccountContext, channels: readonly Channel[]): Promise<Finding[]> {
  const { tx, organization } = context;
  const people = (await context.accounts()).all().filter((user) => user.is_active && !isBot(user));
  const guests = people.filter(isGuest).map(({ id }) => id);
  const shown = people.filter(({ email_visibility }) => email_visibility === 1).length;
  const restricted = areGuestsRestricted(organization);
  const subscribers = await tx.subscriptions.subscriberIds(
    channels.map(({ id }) => id),
    guests,
  );
  const shared = channels.filter(({ id }) => (subscribers.get(id)?.length ?? 0) > 1);
  const defaults = channels.filter((channel) => channel.is_default);
  const mayWrite = includes(context, 'direct_message_permission_group', 'role:everyone');
  return [
    restricted
      ? said('guest', 'see only bots and the users they share a channel or direct conversation with.')
      : said('guest', 'see the names of all users.', true),
    shown === 0
      ? said('guest', 'see no e-mail addresses.')
      : said('guest', `see the e-mail addresses of ${counted(shown, 'account')}, if they see the accounts.`, true),
    mayWrite
      ? said('guest', 'write direct messages to each other.', true)
      : said('guest', 'write direct messages only to members.'),
    shared.length === 0
      ? said('guest', 'share no channel with another guest.')
      : said('guest', `read the messages of other guests in ${named(shared)}. Topics have no permissions.`, true),
    defaults.length === 0
      ? said('guest', 'join no channel with a new account.')
      : said('guest', `join ${named(defaults)} with a new account.`, true),
    organizationSetting(organization, 'send_channel_events_messages')
      ? said('guest', 'read notices about changes of their channels.', true)
      : said('guest', 'read no notices about changes of their channels.'),
    said('guest', 'invite no users, and create no channels.'),
  ];
}

function ofMembers(context: AccountContext, channels: readonly Channel[]): Finding[] {
  const open = channels.filter((channel) => !channel.invite_only);
  const may = (key: OrganizationPermission) => includes(context, key, 'role:members');
  const actions = [
    ...(may('can_create_public_channel_group') ? ['create public channels'] : []),
    ...(may('can_create_private_channel_group') ? ['create private channels'] : []),
    ...(may('can_invite_users_group') ? ['invite users'] : []),
    ...(may('can_add_subscribers_group') ? ['subscribe others to channels that they can read'] : []),
  ];
  return [
    said('member', 'see the names of all users.'),
    open.length === 0
      ? said('member', 'have no public channel to read.')
      : said('member', `read all messages of ${named(open)}.`),
    said('member', actions.length === 0 ? 'create and invite nothing.' : `can ${actions.join(', ')}.`),
  ];
}

/** Whether everybody in the system group has the permission. */
function includes(context: AccountContext, key: OrganizationPermission, name: 'role:everyone' | 'role:members') {
  const groups = groupsIn(organizationPermission(context.organization, key));
  return [name, 'role:everyone' as const].some((group) => groups.includes(systemGroupId(group)));
}

function named(channels: readonly { name: string }[]): string {
  const names = channels.slice(0, MAX_NAMED).map(({ name }) => `"${name}"`);
  const others = channels.length - names.length;
  return others > 0 ? `${names.join(', ')} and ${counted(others, 'other channel')}` : names.join(', ');
}
