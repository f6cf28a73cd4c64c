import type { Session } from '../../lib/index.ts';
import { accountNames, groupName, groupNames, ifReadable, lookupsIn, userName, withHolderNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { showJson } from '../output/result.ts';
import { counted, details, tableOf } from '../output/text.ts';
import { connectedCommand, withSession } from './local-command.ts';

const group = 'user_group_id';

/** `user-groups show`: a group with the names of its members, subgroups and permissions. */
const showGroup = connectedCommand('show', {
  summary: 'Show a user group, its members and its permissions',
  args: [['<GROUP>', 'name or ID']],
  examples: ['user-groups show support'],
  fields: ['id', 'name'],
  run: ({ args: [given = ''], options, terminal }) =>
    withSession(options, async (session) => {
      const found = (await lookupsIn(session).row('group', given)) as UserGroupView;
      if (options.json) showJson(found, terminal);
      else terminal.out(details(await withNames(session, found), terminal));
    }),
});

type Members = Partial<Record<'add' | 'delete', readonly number[]>> & { [group]: number };

/** Leaves out users who are members already, or not members. The API refuses the whole list because of them. */
function leaveOut(change: 'add' | 'delete') {
  return async ({ session, parameters }: { session: Session; parameters: Members }) => {
    const answer = await ifReadable(
      session.userGroups.members({ user_group_id: parameters[group], direct_member_only: true }),
    );
    if (!answer) return undefined;
    const present = new Set(answer.members);
    const left = (parameters[change] ?? []).filter((id) => present.has(id) === (change === 'delete'));
    parameters[change] = left;
    return left.length === 0 ? 'Nothing was changed.' : undefined;
  };
}

export const userGroups = commands(
  'userGroups',
  'User groups',
  {
    list: {
      // Counts only, because a group may have thousands of members.
      done: ({ answer: { user_groups }, terminal }) =>
        tableOf(user_groups, terminal, {
          ID: 'id',
          NAME: ({ name }) => name,
          USERS: ({ members }) => members.length,
          SUBGROUPS: ({ direct_subgroup_ids: ids }) => ids.length,
          ACTIVE: ({ deactivated }) => !deactivated,
          DESCRIPTION: ({ description }) => description,
        }),
    },
    create: {
      args: ['name'],
      parsers: { members: 'users', subgroups: 'groups' },
      flags: { members: '--users <users>' },
      defaults: { description: '', members: [] },
      examples: ['user-groups create support --description "Help desk" --users ada@example.com,ben@example.com'],
      done: ({ answer: { group_id }, parameters: { name, members } }) =>
        `Created the group ${name} (ID ${group_id})${members.length > 0 ? ` with ${counted(members.length, 'user')}` : ''}.`,
    },
    edit: {
      done: 'Changed the group {group user_group_id}: {changes}.',
      examples: [
        'user-groups edit support --name helpdesk',
        'user-groups edit support --can-manage-group moderators,ada@example.com',
      ],
      variants: {
        reactivate: {
          summary: 'Reactivate a user group',
          defaults: { deactivated: false },
          args: [group],
          done: 'Reactivated the group {group user_group_id}.',
        },
      },
    },
    deactivate: {
      confirm: 'Deactivate the group {group user_group_id}?',
      repeat: /already deactivated/,
      done: 'Deactivated the group {group user_group_id}. `chatctl user-groups reactivate` reactivates it.',
    },
    updateMembers: {
      parsers: { add: 'users', delete: 'users', add_subgroups: 'groups', delete_subgroups: 'groups' },
      done: ({ session, parameters: { add, delete: removed, ...given } }) =>
        changeSentence(session, given[group], {
          added: [...some(add, 'user'), ...some(given.add_subgroups, 'group')],
          removed: [...some(removed, 'user'), ...some(given.delete_subgroups, 'group')],
        }),
      variants: {
        'members add': {
          summary: 'Add users to a user group',
          args: [group, 'add'],
          alreadyDone: leaveOut('add'),
          examples: [
            'user-groups members add support alice@example.com bob@example.com',
            'user-groups members add support - < users.txt    # one e-mail address per line',
          ],
        },
        'members remove': {
          summary: 'Remove users from a user group',
          args: [group, 'delete'],
          alreadyDone: leaveOut('delete'),
          examples: ['user-groups members remove support alice@example.com'],
        },
      },
    },
    updateSubgroups: {
      parsers: { add: 'groups', delete: 'groups' },
      done: ({ session, parameters: { add, delete: removed, ...given } }) =>
        changeSentence(session, given[group], { added: some(add, 'group'), removed: some(removed, 'group') }),
      variants: {
        'subgroups add': {
          summary: 'Add groups to a user group',
          args: [group, 'add'],
          examples: ['user-groups subgroups add support moderators'],
        },
        'subgroups remove': {
          summary: 'Remove groups from a user group',
          args: [group, 'delete'],
          examples: ['user-groups subgroups remove support moderators'],
        },
      },
    },
    members: {
      done: async ({ session, answer: { members } }) => members.map(await accountNames(session, members)).join('\n'),
      empty: 'The group {group user_group_id} has no members.',
      variants: { 'members list': { summary: 'List the members of a user group' } },
    },
    subgroups: {
      done: async ({ session, answer: { subgroups } }) =>
        subgroups.map(await groupNames(session, subgroups)).join('\n'),
      empty: 'The group {group user_group_id} has no subgroups.',
      variants: { 'subgroups list': { summary: 'List the subgroups of a user group' } },
    },
    isMember: {
      async done({ session, parameters, answer: { is_user_group_member: isMember } }) {
        const name = await userName(session, parameters.user_id);
        return `${name} is ${isMember ? '' : 'not '}a member of the group ${await groupName(session, parameters[group])}.`;
      },
    },
  },
  showGroup,
);

const some = (ids: readonly number[] = [], word: string) =>
  ids.length === 0 ? [] : [counted(new Set(ids).size, word)];

async function changeSentence(session: Session, id: number, { added, removed }: Record<'added' | 'removed', string[]>) {
  const name = await groupName(session, id);
  const sentences = [
    ...(added.length > 0 ? [`Added ${added.join(' and ')} to the group ${name}.`] : []),
    ...(removed.length > 0 ? [`Removed ${removed.join(' and ')} from the group ${name}.`] : []),
  ];
  return sentences.join('\n');
}

const MAX_NAMED_MEMBERS = 50;

type UserGroupView = Awaited<ReturnType<Session['userGroups']['list']>>['user_groups'][number];

async function withNames(session: Session, group: UserGroupView): Promise<Record<string, unknown>> {
  const { id, name, members, direct_subgroup_ids, creator_id, description, date_created, deactivated, ...rest } = group;
  const permissions = Object.fromEntries(Object.entries(rest).filter(([key]) => key.startsWith('can_')));
  const isCounted = members.length > MAX_NAMED_MEMBERS;
  const people = [...(isCounted ? [] : members), ...(creator_id === null ? [] : [creator_id])];
  const [personName, groupName] = await Promise.all([accountNames(session, people), groupNames(session)]);
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
