/** All groups, and one of them: members, subgroups, permissions. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ParametersOf, Session } from '../../chat/session.ts';
import { plainLetters } from '../../rules/plain-letters.ts';
import { useAction, useDebounced, useMay } from '../app/hooks.ts';
import { useRouter } from '../app/router.tsx';
import { Section } from '../app/sections.tsx';
import { Button, ErrorText, Form } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { Icon } from '../icons.tsx';
import { UNUSED_NAME, useDecision } from '../refusal.ts';
import { useAdmin } from './admin-words.ts';
import { changeOf, useChange } from './change.tsx';
import { Input, type SectionProps, SelectField, TextSetting } from './kit.tsx';
import { BackLink, Line, List } from './lines.tsx';
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
  const { words, formats } = useAdmin();
  const found = useGroups();
  const [query, setQuery] = useState('');
  const [status, setStatus] = useState<'active' | 'deactivated'>('active');
  const mayCreate = useMay('userGroups.create', { name: UNUSED_NAME, description: '', members: [] });
  const text = plainLetters(useDebounced(query.trim()));
  const shown = useMemo(() => {
    const byName = new Intl.Collator(formats.lang, { numeric: true });
    return found.value
      ?.filter(
        ({ name, is_system_group, deactivated }) =>
          !is_system_group && deactivated === (status === 'deactivated') && plainLetters(name).includes(text),
      )
      .sort((a, b) => byName.compare(a.name, b.name));
  }, [found.value, status, text, formats]);
  return (
    <>
      {mayCreate && <NewGroup />}
      <Input label={words.filter} type="search" value={query} onInput={setQuery} maxLength={MAX_NAME} />
      <div class="admin-filters">
        <SelectField
          label={words.accountStatus}
          value={status}
          options={[
            ['active', words.active],
            ['deactivated', words.deactivatedOnes],
          ]}
          onChange={(value) => setStatus(value as 'active')}
        />
      </div>
      <ErrorText action={found} />
      {shown && (
        <p class="muted" role="status">
          {words.groupCount(shown.length)}
        </p>
      )}
      <List key={`${text} ${status}`} label={words.groups} items={shown} empty={words.noGroupsHere}>
        {(group) => (
          <Line
            key={group.id}
            lead={<Icon name="people" />}
            name={group.name}
            to={`groups/${group.id}`}
            details={[
              words.memberCount(group.members.length),
              group.direct_subgroup_ids.length > 0 && words.subgroupCount(group.direct_subgroup_ids.length),
              group.description,
            ]}
          />
        )}
      </List>
    </>
  );
}

function NewGroup(): JSX.Element {
  const { store, words } = useAdmin();
  const { go } = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const action = useAction();
  const create = () =>
    action.run(async () => {
      const { group_id } = await store.session.userGroups.create({
        name: name.trim(),
        description: description.trim(),
        members: [],
      });
      go({ view: 'administration', path: `groups/${group_id}` });
    });
  if (!isOpen)
    return (
      <div class="admin-actions">
        <Button onClick={() => setOpen(true)}>{words.newGroup}</Button>
      </div>
    );
  return (
    <Form class="admin-form" onSubmit={create}>
      <Input
        label={words.groupName}
        value={name}
        onInput={setName}
        maxLength={MAX_NAME}
        error={action.error}
        isRequired
      />
      <Input label={words.groupDescription} value={description} onInput={setDescription} maxLength={MAX_DESCRIPTION} />
      <div class="admin-actions">
        <Button kind="primary" isSubmit isDisabled={action.isRunning}>
          {words.create}
        </Button>
        <Button onClick={() => setOpen(false)}>{words.cancel}</Button>
      </div>
    </Form>
  );
}

function OneGroup({ id }: { id: number }): JSX.Element {
  const { words } = useAdmin();
  const found = useGroups();
  const group = found.value?.find((each) => each.id === id && !each.is_system_group);
  return (
    <>
      <BackLink to="groups" label={words.backTo(words.groupsLower)} />
      <ErrorText action={found} />
      {found.value && !group && <p class="muted">{words.gone}</p>}
      {group && <GroupPage group={group} groups={found.value ?? []} />}
    </>
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
      <h2 class="profile-name">
        <bdi>{name}</bdi>
      </h2>
      {deactivated && <p class="muted">{words.deactivatedTag}</p>}
      {refusal && <p class="muted">{refusal}</p>}
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
        <Members
          label={words.addMember}
          empty={words.noMembers}
          ids={group.members}
          mayAdd={mayAdd}
          mayRemove={mayRemove}
          add={({ user_id }) =>
            changeOf({
              operation: 'userGroups.updateMembers',
              parameters: { user_group_id: id, add: [user_id] },
              question: words.addMember,
            })
          }
          remove={({ user_id, full_name }) =>
            changeOf({
              operation: 'userGroups.updateMembers',
              parameters: { user_group_id: id, delete: [user_id] },
              question: words.removeMemberQuestion(full_name, name),
              submit: words.remove,
            })
          }
          removeLabel={words.remove}
        />
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

interface SubgroupsProps extends GroupPageProps {
  mayAdd: boolean;
  mayRemove: boolean;
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
              <Button
                onClick={() =>
                  change.propose(
                    changeOf({
                      operation: 'userGroups.updateSubgroups',
                      parameters: { user_group_id: id, delete: [each.id] },
                      question: words.removeMemberQuestion(nameOf(each), group.name),
                      submit: words.remove,
                    }),
                  )
                }
              >
                {words.remove}
                <span class="visually-hidden"> {nameOf(each)}</span>
              </Button>
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
  const change = useChange();
  const { id, name, deactivated } = group;
  const deactivation = changeOf({
    operation: 'userGroups.deactivate',
    parameters: { user_group_id: id },
    question: words.deactivateGroupQuestion(name),
    submit: words.deactivate,
    isAsked: true,
    isDangerous: true,
  });
  const reactivation = changeOf({
    operation: 'userGroups.edit',
    parameters: { user_group_id: id, deactivated: false },
    question: words.reactivateQuestion(name),
    submit: words.reactivate,
  });
  return (
    <div>
      <Button
        kind={deactivated ? undefined : 'danger'}
        isDisabled={change.isRunning}
        onClick={() => change.propose(deactivated ? reactivation : deactivation)}
      >
        {deactivated ? words.reactivateGroup : words.deactivateGroup}
      </Button>
      {!deactivated && <p class="field-hint">{words.deactivateGroupHint}</p>}
      <ErrorText action={change} />
    </div>
  );
}
