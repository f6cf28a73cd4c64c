import { Command } from 'commander';
import type { Session } from '../lib/index.ts';
import { chooseConnection } from './connection.ts';
import { UsageError } from './failure.ts';
import { addGlobalOptions, globalOptions, letChooseFields } from './global-options.ts';
import { addExamples } from './help.ts';
import { groupNames, lookupsIn, namesAndAddresses } from './lookups.ts';
import { openSession } from './open-session.ts';
import { showJson } from './output/result.ts';
import { details } from './output/table.ts';
import type { Terminal } from './output/terminal.ts';
import { withHolderNames } from './permission-names.ts';

/** Above this number, members are counted, not named. */
const MAX_NAMED_MEMBERS = 50;

type UserGroupView = Awaited<ReturnType<Session['userGroups']['list']>>['user_groups'][number];

/** `user-groups show`: a group with the names of its members, subgroups and permissions. */
export function showGroup(terminal: Terminal): Command {
  const summary = 'Show a user group, its members and its permissions';
  const command = new Command('show').summary(summary).description(`${summary}.`).usage('<GROUP> [options]');
  command.argument('[GROUP]', 'name or ID');
  addExamples(command, ['user-groups show support']);
  letChooseFields(addGlobalOptions(command), () => ['id', 'name']);
  return command.action(async () => {
    const [given] = command.processedArgs as [string | undefined];
    if (given === undefined) throw new UsageError('Missing: GROUP.', 'See `chatctl user-groups show --help`.');
    const options = globalOptions(command);
    const { session, close } = await openSession(chooseConnection(options));
    try {
      const id = await lookupsIn(session).id('group', given);
      const { user_groups } = await session.userGroups.list({ include_deactivated_groups: true });
      const found = user_groups.find((group) => group.id === id);
      if (!found)
        throw new UsageError(`There is no user group with ID ${id}.`, '`chatctl user-groups list` shows them.');
      if (options.json) showJson(found, terminal);
      else terminal.out(details(await withNames(session, found), terminal));
    } finally {
      await close();
    }
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
