/** Custom fields of profiles: what people can say about themselves. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ParametersOf, Session } from '../../chat/session.ts';
import { useAction } from '../app/hooks.ts';
import { Button, ErrorText, Form, IconButton } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { changeOf, useChange } from './change.tsx';
import { Input, Lines, SelectField, SwitchSetting, TextSetting, useEntered } from './kit.tsx';
import { Line, List } from './lines.tsx';
import { useLive } from './live.tsx';

type Field = Awaited<ReturnType<Session['profileFields']['list']>>['custom_fields'][number];
type FieldChange = Omit<NonNullable<ParametersOf<'profileFields.edit'>[0]>, 'field_id'>;
type FieldData = NonNullable<FieldChange['field_data']>;

const TYPES = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const [OPTIONS, ACCOUNT] = [3, 7];
const MAX_NAME = 40;
const MAX_HINT = 80;
const CUSTOM_SITE = 'custom';

export function ProfileFieldsSection(): JSX.Element {
  const { store, words } = useAdmin();
  const found = useLive(
    async () => (await store.session.profileFields.list()).custom_fields,
    ['custom_profile_fields'],
  );
  const moving = useAction();
  const moveUp = (index: number) =>
    moving.run(async () => {
      const order = (found.value ?? []).map(({ id }) => id);
      const [moved] = order.splice(index, 1);
      if (moved !== undefined) order.splice(index - 1, 0, moved);
      await store.session.profileFields.reorder({ order });
    });
  return (
    <>
      <NewField />
      <ErrorText action={{ error: found.error ?? moving.error }} />
      <List label={words.profileFields} items={found.value} empty={words.noProfileFields}>
        {(field) => (
          <FieldLine
            key={field.id}
            field={field}
            isFirst={field === found.value?.[0]}
            onUp={() => moveUp(found.value?.indexOf(field) ?? 0)}
          />
        )}
      </List>
    </>
  );
}

/** One option a line. Options that were there keep their key, and with it the values in profiles. */
function dataOfOptions(lines: string, before: FieldData = {}): FieldData {
  const known = Object.entries(before as Record<string, { text: string }>);
  const texts = lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  let next = Math.max(-1, ...known.map(([key]) => Number(key) || 0)) + 1;
  const entries = texts.map((text, index) => {
    const key = known.find(([, option]) => option.text === text)?.[0] ?? String(next++);
    return [key, { text, order: String(index + 1) }] as const;
  });
  return Object.fromEntries(entries) as FieldData;
}

function optionsOf(data: FieldData): string {
  return Object.values(data as Record<string, { text: string; order: string }>)
    .sort((a, b) => Number(a.order) - Number(b.order))
    .map(({ text }) => text)
    .join('\n');
}

const dataOf = ({ field_data }: Field): FieldData => (field_data === '' ? {} : JSON.parse(field_data)) as FieldData;

function NewField(): JSX.Element {
  const { store, words, announce } = useAdmin();
  const sites = useCell(store.organization)?.realm_default_external_accounts ?? {};
  const [isOpen, setOpen] = useState(false);
  const [type, setType] = useState<number>(1);
  const [name, setName] = useState('');
  const [hint, setHint] = useState('');
  const [options, setOptions] = useState('');
  const [site, setSite] = useState(CUSTOM_SITE);
  const [pattern, setPattern] = useState('');
  const action = useAction();
  const isKnownSite = type === ACCOUNT && site !== CUSTOM_SITE;
  const create = async () => {
    const data =
      type === OPTIONS
        ? dataOfOptions(options)
        : type === ACCOUNT
          ? { subtype: site, ...(!isKnownSite && { url_pattern: pattern.trim() }) }
          : undefined;
    const isCreated = await action.run(() =>
      store.session.profileFields.create({
        field_type: type as 1,
        ...(!isKnownSite && { name: name.trim(), hint: hint.trim() }),
        ...(data && { field_data: data as FieldData }),
      }),
    );
    if (!isCreated) return;
    announce(words.saved);
    for (const clear of [setName, setHint, setOptions, setPattern]) clear('');
    setOpen(false);
  };
  if (!isOpen)
    return (
      <div class="admin-actions">
        <Button onClick={() => setOpen(true)}>{words.newField}</Button>
      </div>
    );
  return (
    <Form class="admin-form" onSubmit={create}>
      <SelectField
        label={words.fieldType}
        value={type}
        options={TYPES.map((each): [number, string] => [each, words.fieldTypes[each] ?? ''])}
        onChange={(value) => setType(Number(value))}
      />
      {type === ACCOUNT && (
        <SelectField
          label={words.fieldSite}
          value={site}
          options={[
            ...Object.entries(sites).map(([key, { text }]) => [key, text] as const),
            [CUSTOM_SITE, words.fieldOtherSite] as const,
          ]}
          onChange={(value) => setSite(String(value))}
        />
      )}
      {!isKnownSite && (
        <>
          <Input label={words.fieldName} value={name} onInput={setName} maxLength={MAX_NAME} isRequired />
          <Input label={words.fieldHint} value={hint} onInput={setHint} maxLength={MAX_HINT} />
        </>
      )}
      {type === ACCOUNT && !isKnownSite && (
        <Input
          label={words.fieldPattern}
          hint={words.fieldPatternHint}
          value={pattern}
          onInput={setPattern}
          maxLength={1000}
          isRequired
        />
      )}
      {type === OPTIONS && (
        <Lines label={words.fieldOptions} hint={words.fieldOptionsHint} value={options} onInput={setOptions} />
      )}
      <ErrorText action={action} />
      <div class="admin-actions">
        <Button kind="primary" isSubmit isDisabled={action.isRunning}>
          {words.create}
        </Button>
        <Button onClick={() => setOpen(false)}>{words.cancel}</Button>
      </div>
    </Form>
  );
}

function FieldLine({ field, isFirst, onUp }: { field: Field; isFirst: boolean; onUp(): void }): JSX.Element {
  const { words } = useAdmin();
  const [isOpen, setOpen] = useState(false);
  const { name, hint, type, required, editable_by_user } = field;
  return (
    <Line
      name={name}
      details={[words.fieldTypes[type], hint]}
      tags={[required && words.requiredTag, !editable_by_user && words.administratorsTag]}
    >
      {!isFirst && <IconButton icon="down" class="icon-button turned" label={words.up(name)} onClick={onUp} />}
      <Button onClick={() => setOpen(!isOpen)}>
        {words.edit}
        <span class="visually-hidden"> {name}</span>
      </Button>
      {isOpen && <FieldSettings field={field} />}
    </Line>
  );
}

function FieldSettings({ field }: { field: Field }): JSX.Element {
  const { words } = useAdmin();
  const removing = useChange();
  const { id, name, hint, type, required, editable_by_user, display_in_profile_summary = false } = field;
  const data = dataOf(field);
  const isKnownSite = type === ACCOUNT && (data as { subtype?: string }).subtype !== CUSTOM_SITE;
  const edit = (parameters: FieldChange) =>
    changeOf({
      operation: 'profileFields.edit',
      parameters: { field_id: id, ...parameters },
      question: words.settingQuestion,
    });
  return (
    <div class="admin-form whole-row">
      {!isKnownSite && (
        <>
          <TextSetting
            label={words.fieldName}
            value={name}
            maxLength={MAX_NAME}
            isRequired
            change={(value) => edit({ name: value })}
          />
          <TextSetting
            label={words.fieldHint}
            value={hint}
            maxLength={MAX_HINT}
            change={(value) => edit({ hint: value })}
          />
        </>
      )}
      {type === OPTIONS && <OptionsSetting field={field} />}
      <SwitchSetting
        label={words.fieldInSummary}
        hint={words.fieldInSummaryHint}
        value={display_in_profile_summary}
        change={(isOn) => edit({ display_in_profile_summary: isOn })}
      />
      <SwitchSetting
        label={words.fieldRequired}
        hint={words.fieldRequiredHint}
        value={required}
        change={(isOn) => edit({ required: isOn })}
      />
      <SwitchSetting
        label={words.fieldEditable}
        value={editable_by_user}
        change={(isOn) => edit({ editable_by_user: isOn })}
      />
      <div>
        <Button
          kind="danger"
          onClick={() =>
            removing.propose(
              changeOf({
                operation: 'profileFields.remove',
                parameters: { field_id: id },
                question: words.removeFieldQuestion(name),
                submit: words.remove,
                isAsked: true,
                isDangerous: true,
              }),
            )
          }
        >
          {words.remove}
        </Button>
        <ErrorText action={removing} />
      </div>
    </div>
  );
}

function OptionsSetting({ field }: { field: Field }): JSX.Element {
  const { words } = useAdmin();
  const before = optionsOf(dataOf(field));
  const { shown: lines, enter, saved } = useEntered(before);
  const saving = useChange();
  const save = async () => {
    const field_data = dataOfOptions(lines, dataOf(field));
    const isShorter = Object.keys(dataOf(field)).some((key) => !Object.hasOwn(field_data, key));
    const change = changeOf({
      operation: 'profileFields.edit',
      parameters: { field_id: field.id, field_data },
      question: words.removeOptionQuestion,
      isAsked: isShorter,
    });
    if (await saving.propose(change)) saved();
  };
  return (
    <Form class="text-setting" onSubmit={save}>
      <Lines
        label={words.fieldOptions}
        hint={words.fieldOptionsHint}
        value={lines}
        onInput={enter}
        error={saving.error}
      />
      {lines !== before && (
        <div class="text-setting-actions">
          <Button kind="primary" isSubmit isDisabled={saving.isRunning}>
            {words.save}
          </Button>
        </div>
      )}
    </Form>
  );
}
