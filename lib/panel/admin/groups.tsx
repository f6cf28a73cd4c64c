/** All groups, and one of them: members, subgroups, permissions. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ParametersOf, Session } from '../../chat/session.ts';
import { useMay } from '../app/hooks.ts';
import { useRouter } from '../app/router.tsx';
import { Section } from '../app/sections.tsx';
import { ErrorText } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { Icon } from '../icons.tsx';
import { UNUSED_NAME, useDecision } from '../refusal.ts';
import { useAdmin } from './admin-words.ts';
import { changeOf, useChange } from './change.tsx';
import { ChangeButton, CreateForm, OpenForm, RemoveButton } from './forms.tsx';
import { Input, type SectionProps, SelectField, TextSetting } from './kit.tsx';
import { FilteredList, ItemHeading, Line, List, OpenItem } from './lines.tsx';
import { Members } from './members.tsx';
import { Permissions, useGroups, useIsIn } from './permissions.tsx';

type Group = Awaited<ReturnType<Session['userGroups']['list']>>['user_groups'][number];
type GroupChange = Omit<NonNullable<ParametersOf<'userGroups.edit'>[0]>, 'user_group_id'>;

const MAX_NAME = 100;
const MAX_DESCRIPTION = 1024;

export function GroupsSection({ id }: SectionProps): JSX.Element {
  return id === undefined ? <GroupList /> : <OneGroup id={id} />;
}

function GroupList(): JSX.Element {
  const { words } = useAdmin();
  const { value, error } = useGroups();
  const mayCreate = useMay('userGroups.create', { name: UNUSED_NAME, description: '', members: [] });
  const named = useMemo(() => value?.filter(({ is_system_group }) => !is_system_group), [value]);
  return (
    <>
      {mayCreate && <OpenForm label={words.newGroup}>{(close) => <NewGroup onClose={close} />}</OpenForm>}
      <FilteredList
        label={words.groups}
        filter={words.filter}
        found={{ value: named, error }}
        nameOf={({ name }) => name}
        isActive={({ deactivated }) => !deactivated}
        others={words.deactivatedOnes}
        countText={words.groupCount}
        empty={words.noGroupsHere}
      >
        {({ id, name, members, direct_subgroup_ids, description }) => (
          <Line
            key={id}
            lead={<Icon name="people" />}
            name={name}
            to={`groups/${id}`}
            details={[
              words.memberCount(members.length),
              direct_subgroup_ids.length > 0 && words.subgroupCount(direct_subgroup_ids.length),
              description,
            ]}
          />
        )}
      </FilteredList>
    </>
  );
}

function NewGroup({ onClose }: { onClose(): void }): JSX.Element {
  const { store, words } = useAdmin();
  const { go } = useRouter();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const create = async () => {
    const group = { name: name.trim(), description: description.trim(), members: [] };
    const { group_id } = await store.session.userGroups.create(group);
    go({ view: 'administration', path: `groups/${group_id}` });
  };
  return (
    <CreateForm create={create} onCancel={onClose}>
      {(error) => (
        <>
          <Input label={words.groupName} value={name} onInput={setName} maxLength={MAX_NAME} error={error} isRequired />
          <Input
            label={words.groupDescription}
            value={description}
            onInput={setDescription}
            maxLength={MAX_DESCRIPTION}
          />
        </>
      )}
    </CreateForm>
  );
}

function OneGroup({ id }: { id: number }): JSX.Element {
  const { words } = useAdmin();
  const found = useGroups();
  return (
    <OpenItem
      list="groups"
      label={words.groupsLower}
      found={found}
      item={found.value?.find((each) => each.id === id && !each.is_system_group)}
    >
      {(group) => <GroupPage group={group} groups={found.value ?? []} />}
    </OpenItem>
  );
}

interface GroupPageProps {
  group: Group;
  groups: readonly Group[];
}

function GroupPage({ group, groups }: GroupPageProps): JSX.Element {
  const { store, words } = useAdmin();
  const { id, name, description, deactivated } = group;
  const role = useCell(store.me)?.role;
  const decision = useDecision('userGroups.edit', { user_group_id: id, description }, [role, group.can_manage_group]);
  const refusal = decision?.allowed === false && words.mayNotManage;
  const isInAdding = useIsIn(group.can_add_members_group);
  const isInRemoving = useIsIn(group.can_remove_members_group);
  const mayAdd = !deactivated && (!refusal || isInAdding);
  const mayRemove = !deactivated && (!refusal || isInRemoving);
  const edit = (parameters: GroupChange, question = words.settingQuestion) =>
    changeOf({ operation: 'userGroups.edit', parameters: { user_group_id: id, ...parameters }, question });
  return (
    <>
      <ItemHeading name={name}>
        {deactivated && <p class="muted">{words.deactivatedTag}</p>}
        {refusal && <p class="muted">{refusal}</p>}
      </ItemHeading>
      <Section title={words.general}>
        <TextSetting
          label={words.groupName}
          value={name}
          maxLength={MAX_NAME}
          isRequired
          refusal={refusal && ' '}
          change={(value) => edit({ name: value })}
        />
        <TextSetting
          label={words.groupDescription}
          value={description}
          maxLength={MAX_DESCRIPTION}
          refusal={refusal && ' '}
          change={(value) => edit({ description: value })}
        />
      </Section>
      <Section title={words.members}>
        <GroupMembers group={group} mayAdd={mayAdd} mayRemove={mayRemove} />
      </Section>
      <Section title={words.subgroups}>
        <Subgroups group={group} groups={groups} mayAdd={mayAdd} mayRemove={mayRemove} />
      </Section>
      <Section title={words.permissions}>
        <Permissions
          kind="group"
          texts={words.groupPermissionTexts}
          values={group as unknown as Parameters<typeof Permissions>[0]['values']}
          groups={groups}
          refusalOf={() => refusal && ' '}
          change={(permission, update) => edit({ [permission]: update }, words.permissionQuestion)}
        />
      </Section>
      {!refusal && (
        <Section title={words.deactivateGroup}>
          <Activation group={group} />
        </Section>
      )}
    </>
  );
}

interface MembersProps {
  group: Group;
  mayAdd: boolean;
  mayRemove: boolean;
}

function GroupMembers({ group, mayAdd, mayRemove }: MembersProps): JSX.Element {
  const { words } = useAdmin();
  const update = (parameters: { add: number[] } | { delete: number[] }, question: string, submit?: string) =>
    changeOf({
      operation: 'userGroups.updateMembers',
      parameters: { user_group_id: group.id, ...parameters },
      question,
      ...(submit !== undefined && { submit }),
    });
  return (
    <Members
      label={words.addMember}
      empty={words.noMembers}
      ids={group.members}
      mayAdd={mayAdd}
      mayRemove={mayRemove}
      add={({ user_id }) => update({ add: [user_id] }, words.addMember)}
      remove={({ user_id, full_name }) =>
        update({ delete: [user_id] }, words.removeMemberQuestion(full_name, group.name), words.remove)
      }
      removeLabel={words.remove}
    />
  );
}

interface SubgroupsProps extends MembersProps {
  groups: readonly Group[];
}

function Subgroups({ group, groups, mayAdd, mayRemove }: SubgroupsProps): JSX.Element {
  const { words } = useAdmin();
  const change = useChange();
  const { id, direct_subgroup_ids } = group;
  const nameOf = (each: Group) => (each.is_system_group ? (words.holders[each.name] ?? each.name) : each.name);
  const inside = groups.filter((each) => direct_subgroup_ids.includes(each.id));
  const others = groups.filter(
    (each) => each.id !== id && !each.deactivated && !direct_subgroup_ids.includes(each.id) && !isEmptyRole(each),
  );
  return (
    <>
      <p class="muted">{words.subgroupsHint}</p>
      <ErrorText action={change} />
      <List label={words.subgroups} items={inside} empty={words.noSubgroups}>
        {(each) => (
          <Line key={each.id} lead={<Icon name="people" />} name={nameOf(each)}>
            {mayRemove && (
              <RemoveButton
                name={nameOf(each)}
                change={changeOf({
                  operation: 'userGroups.updateSubgroups',
                  parameters: { user_group_id: id, delete: [each.id] },
                  question: words.removeMemberQuestion(nameOf(each), group.name),
                  isAsked: false,
                })}
              />
            )}
          </Line>
        )}
      </List>
      {mayAdd && others.length > 0 && (
        <SelectField
          label={words.addSubgroup}
          value={-1}
          options={[[-1, words.chooseGroup] as const, ...others.map((each) => [each.id, nameOf(each)] as const)]}
          onChange={(added) =>
            added >= 0 &&
            change.propose(
              changeOf({
                operation: 'userGroups.updateSubgroups',
                parameters: { user_group_id: id, add: [added] },
                question: words.addSubgroup,
              }),
            )
          }
        />
      )}
    </>
  );
}

const isEmptyRole = ({ name }: Group) => name === 'role:nobody' || name === 'role:internet';

function Activation({ group }: { group: Group }): JSX.Element {
  const { words } = useAdmin();
  const { id, name, deactivated } = group;
  const deactivation = changeOf({
    operation: 'userGroups.deactivate',
    parameters: { user_group_id: id },
    question: words.deactivateGroupQuestion(name),
    submit: words.deactivate,
    isDangerous: true,
  });
  const reactivation = changeOf({
    operation: 'userGroups.edit',
    parameters: { user_group_id: id, deactivated: false },
    question: words.reactivateQuestion(name),
    submit: words.reactivate,
    isAsked: false,
  });
  return (
    <div>
      <ChangeButton
        label={deactivated ? words.reactivateGroup : words.deactivateGroup}
        change={deactivated ? reactivation : deactivation}
        hint={!deactivated && words.deactivateGroupHint}
      />
    </div>
  );
}
