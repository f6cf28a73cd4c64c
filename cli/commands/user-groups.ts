import type { Command } from 'commander';
import type { Session } from '../../lib/index.ts';
import { UsageError } from '../failure.ts';
import { letChooseFields } from '../global-options.ts';
import { groupNames, lookupsIn, namesAndAddresses, userNames } from '../lookups.ts';
import { type Call, commands } from '../operations/metadata.ts';
import { showJson } from '../output/result.ts';
import { oneLine } from '../output/sanitize.ts';
import { cell, details, table } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { withHolderNames } from '../permission-names.ts';
import { sessionCommand, withSession } from './session-command.ts';

const group = 'user_group_id';

type GroupCall = Call<{ [group]: number }>;

export const userGroups = commands(
  'userGroups',
  'User groups',
  {
    list: {
      // Counts only, because a group may have thousands of members.
      done: ({ answer: { user_groups }, terminal }) =>
        table(
          ['ID', 'NAME', 'USERS', 'SUBGROUPS', 'ACTIVE', 'DESCRIPTION'],
          user_groups.map((one) => [
            String(one.id),
            oneLine(one.name),
            String(one.members.length),
            String(one.direct_subgroup_ids.length),
            cell('deactivated', !one.deactivated),
            oneLine(one.description),
          ]),
          terminal,
        ),
      examples: ['user-groups list', 'user-groups list --include-deactivated-groups'],
    },
    create: {
      args: ['name'],
      parsers: { members: 'users', subgroups: 'groups' },
      defaults: { description: '', members: [] },
      done: ({ answer: { group_id }, parameters: { name, members } }) =>
        `Created the group ${name} (ID ${group_id})${members.length > 0 ? ` with ${people(members)}` : ''}.`,
      examples: [
        'user-groups create support --description "Help desk" --members alice@example.com,bob@example.com',
        'user-groups create support --can-join-group members --can-manage-group moderators,alice@example.com',
      ],
    },
    edit: {
      args: [group],
      async before({ session, parameters }) {
        const name = await nameOf(session, parameters[group]);
        return async () => {
          const now = await nameOf(session, parameters[group]);
          return name === now ? `Changed the group ${name}.` : `Changed the group ${name}. Its new name is ${now}.`;
        };
      },
      examples: [
        'user-groups edit support --name helpdesk',
        'user-groups edit support --can-manage-group moderators,alice@example.com',
      ],
      variants: {
        reactivate: {
          summary: 'Reactivate a user group',
          args: [group],
          defaults: { deactivated: false },
          only: [group],
          async done({ session, parameters }) {
            return `Reactivated the group ${await nameOf(session, parameters[group])}.`;
          },
          examples: ['user-groups reactivate support'],
        },
      },
    },
    deactivate: {
      undo: 'user-groups reactivate',
      args: [group],
      async before({ session, parameters }) {
        const name = await nameOf(session, parameters[group]);
        return () => `Deactivated the group ${name}. \`chatctl user-groups reactivate\` reactivates it.`;
      },
      examples: ['user-groups deactivate support'],
    },
    updateMembers: {
      args: [group],
      parsers: { add: 'users', delete: 'users', add_subgroups: 'groups', delete_subgroups: 'groups' },
      done: ({ session, parameters: { add, delete: removed, ...given } }) =>
        changeSentence(session, given[group], {
          added: [...counted(add, people), ...counted(given.add_subgroups, groupsOf)],
          removed: [...counted(removed, people), ...counted(given.delete_subgroups, groupsOf)],
        }),
      variants: {
        'members add': {
          summary: 'Add users to a user group',
          args: [group, { parameter: 'add', label: 'USER' }],
          required: ['add'],
          without: ['delete', 'add_subgroups', 'delete_subgroups'],
          parsers: { add: 'users' },
          done: ({ session, parameters: { add, ...given } }) =>
            changeSentence(session, given[group], { added: counted(add, people) }),
          examples: [
            'user-groups members add support alice@example.com bob@example.com',
            'user-groups members add support - < users.txt    # one e-mail address per line',
          ],
        },
        'members remove': {
          summary: 'Remove users from a user group',
          args: [group, { parameter: 'delete', label: 'USER' }],
          required: ['delete'],
          without: ['add', 'add_subgroups', 'delete_subgroups'],
          parsers: { delete: 'users' },
          done: ({ session, parameters: { delete: removed, ...given } }) =>
            changeSentence(session, given[group], { removed: counted(removed, people) }),
          examples: ['user-groups members remove support alice@example.com'],
        },
      },
    },
    updateSubgroups: {
      args: [group],
      parsers: { add: 'groups', delete: 'groups' },
      done: ({ session, parameters: { add, delete: removed, ...given } }) =>
        changeSentence(session, given[group], {
          added: counted(add, groupsOf),
          removed: counted(removed, groupsOf),
        }),
      variants: {
        'subgroups add': {
          summary: 'Add groups to a user group',
          args: [group, { parameter: 'add', label: 'GROUP' }],
          required: ['add'],
          without: ['delete'],
          parsers: { add: 'groups' },
          done: ({ session, parameters: { add, ...given } }) =>
            changeSentence(session, given[group], { added: counted(add, groupsOf) }),
          examples: ['user-groups subgroups add support moderators'],
        },
        'subgroups remove': {
          summary: 'Remove groups from a user group',
          args: [group, { parameter: 'delete', label: 'GROUP' }],
          required: ['delete'],
          without: ['add'],
          parsers: { delete: 'groups' },
          done: ({ session, parameters: { delete: removed, ...given } }) =>
            changeSentence(session, given[group], { removed: counted(removed, groupsOf) }),
          examples: ['user-groups subgroups remove support moderators'],
        },
      },
    },
    members: {
      args: [group],
      done: ({ session, answer: { members } }) => memberLines(session, members),
      empty: noMembers,
      examples: ['user-groups members support', 'user-groups members support --direct-member-only'],
      variants: {
        'members list': {
          summary: 'List the members of a user group',
          args: [group],
          done: ({ session, answer: { members } }) => memberLines(session, members),
          empty: noMembers,
          examples: ['user-groups members list support'],
        },
      },
    },
    subgroups: {
      args: [group],
      done: ({ session, answer: { subgroups } }) => subgroupLines(session, subgroups),
      empty: noSubgroups,
      variants: {
        'subgroups list': {
          summary: 'List the subgroups of a user group',
          args: [group],
          done: ({ session, answer: { subgroups } }) => subgroupLines(session, subgroups),
          empty: noSubgroups,
          examples: ['user-groups subgroups list support'],
        },
      },
    },
    isMember: {
      args: [group, 'user_id'],
      async done({ session, parameters, answer: { is_user_group_member: isMember } }) {
        const id = parameters.user_id;
        const name = (await userNames(session, [id]))(id);
        return `${name} is ${isMember ? '' : 'not '}a member of the group ${await nameOf(session, parameters[group])}.`;
      },
      examples: ['user-groups is-member support alice@example.com'],
    },
  },
  showGroup,
);

async function nameOf(session: Session, id: number): Promise<string> {
  return (await groupNames(session))(id);
}

const counting = (one: string, more: string) => (list: readonly unknown[]) =>
  `${list.length} ${list.length === 1 ? one : more}`;
const people = counting('user', 'users');
const groupsOf = counting('group', 'groups');

const counted = (ids: readonly number[] | undefined, words: (ids: readonly number[]) => string): string[] =>
  ids === undefined || ids.length === 0 ? [] : [words([...new Set(ids)])];

async function changeSentence(
  session: Session,
  id: number,
  { added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] },
): Promise<string> {
  const name = await nameOf(session, id);
  const sentences = [
    ...(added.length > 0 ? [`Added ${added.join(' and ')} to the group ${name}.`] : []),
    ...(removed.length > 0 ? [`Removed ${removed.join(' and ')} from the group ${name}.`] : []),
  ];
  return sentences.join('\n');
}

async function noMembers({ session, parameters }: GroupCall): Promise<string> {
  return `The group ${await nameOf(session, parameters[group])} has no members.`;
}

async function noSubgroups({ session, parameters }: GroupCall): Promise<string> {
  return `The group ${await nameOf(session, parameters[group])} has no subgroups.`;
}

async function memberLines(session: Session, ids: readonly number[]): Promise<string> {
  const name = await namesAndAddresses(session, ids);
  return ids.map(name).join('\n');
}

async function subgroupLines(session: Session, ids: readonly number[]): Promise<string> {
  const name = await groupNames(session);
  return ids.map(name).join('\n');
}

/** Above this number, members are counted, not named. */
const MAX_NAMED_MEMBERS = 50;

type UserGroupView = Awaited<ReturnType<Session['userGroups']['list']>>['user_groups'][number];

/** `user-groups show`: a group with the names of its members, subgroups and permissions. */
export function showGroup(terminal: Terminal): Command {
  const summary = 'Show a user group, its members and its permissions';
  const command = sessionCommand('show', { summary, examples: ['user-groups show support'] });
  command.usage('<GROUP> [options]').argument('[GROUP]', 'name or ID');
  letChooseFields(command, () => ['id', 'name']);
  return command.action(async () => {
    const [given] = command.processedArgs as [string | undefined];
    if (given === undefined) throw new UsageError('Missing: GROUP.', 'See `chatctl user-groups show --help`.');
    await withSession(command, async (session, options) => {
      const id = await lookupsIn(session).id('group', given);
      const { user_groups } = await session.userGroups.list({ include_deactivated_groups: true });
      const found = user_groups.find((group) => group.id === id);
      if (!found)
        throw new UsageError(`There is no user group with ID ${id}.`, '`chatctl user-groups list` shows them.');
      if (options.json) showJson(found, terminal);
      else terminal.out(details(await withNames(session, found), terminal));
    });
  });
}

async function withNames(session: Session, group: UserGroupView): Promise<Record<string, unknown>> {
  const { id, name, members, direct_subgroup_ids, creator_id, description, date_created, deactivated, ...rest } = group;
  const permissions = Object.fromEntries(Object.entries(rest).filter(([key]) => key.startsWith('can_')));
  const isCounted = members.length > MAX_NAMED_MEMBERS;
  const people = [...(isCounted ? [] : members), ...(creator_id === null ? [] : [creator_id])];
  const [personName, groupName] = await Promise.all([namesAndAddresses(session, people), groupNames(session)]);
  return {
    id,
    name,
    description,
    creator: creator_id === null ? null : personName(creator_id),
    date_created,
    deactivated,
    members: isCounted ? `${members.length} people` : members.map(personName),
    subgroups: direct_subgroup_ids.map(groupName),
    ...(await withHolderNames(session, permissions)),
  };
}
