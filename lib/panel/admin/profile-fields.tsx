/** Custom fields of profiles: what people can say about themselves. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ParametersOf, Session } from '../../chat/session.ts';
import { useAction } from '../app/hooks.ts';
import { Button, ErrorText, Form } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { type Change, changeOf, useChange } from './change.tsx';
import { CreateForm, OpenForm, RemoveButton } from './forms.tsx';
import { Input, SelectField, SwitchSetting, TextSetting, useEntered } from './kit.tsx';
import { EditableLine, idsWithUp, List } from './lines.tsx';
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
  const moveUp = (id: number) =>
    moving.run(() => store.session.profileFields.reorder({ order: idsWithUp(found.value, id) }));
  return (
    <>
      <OpenForm label={words.newField}>{(close) => <NewField onClose={close} />}</OpenForm>
      <ErrorText action={{ error: found.error ?? moving.error }} />
      <List label={words.profileFields} items={found.value} empty={words.noProfileFields}>
        {(field) => (
          <EditableLine
            key={field.id}
            label={field.name}
            name={field.name}
            details={[words.fieldTypes[field.type], field.hint]}
            tags={[field.required && words.requiredTag, !field.editable_by_user && words.administratorsTag]}
            onUp={field === found.value?.[0] ? undefined : () => moveUp(field.id)}
            settings={() => <FieldSettings field={field} />}
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

interface Draft {
  type: number;
  name: string;
  hint: string;
  options: string;
  site: string;
  pattern: string;
}

const isOnKnownSite = ({ type, site }: Draft) => type === ACCOUNT && site !== CUSTOM_SITE;

function parametersOf(draft: Draft): ParametersOf<'profileFields.create'>[0] {
  const { type, name, hint, options, site, pattern } = draft;
  const isKnown = isOnKnownSite(draft);
  const account = { subtype: site, ...(!isKnown && { url_pattern: pattern.trim() }) };
  const data = type === OPTIONS ? dataOfOptions(options) : type === ACCOUNT ? account : undefined;
  return {
    field_type: type as 1,
    ...(!isKnown && { name: name.trim(), hint: hint.trim() }),
    ...(data && { field_data: data as FieldData }),
  };
}

function NewField({ onClose }: { onClose(): void }): JSX.Element {
  const { store, words } = useAdmin();
  const [draft, setDraft] = useState<Draft>({
    ...{ type: 1, name: '', hint: '', options: '', site: CUSTOM_SITE, pattern: '' },
  });
  const set = (name: keyof Draft) => (value: string | number) => setDraft({ ...draft, [name]: value });
  const isKnown = isOnKnownSite(draft);
  return (
    <CreateForm
      create={() => store.session.profileFields.create(parametersOf(draft))}
      onCreated={onClose}
      onCancel={onClose}
    >
      <SelectField
        label={words.fieldType}
        value={draft.type}
        options={TYPES.map((each): [number, string] => [each, words.fieldTypes[each] ?? ''])}
        onChange={set('type')}
      />
      {draft.type === ACCOUNT && <SiteField site={draft.site} onChange={set('site')} />}
      {!isKnown && (
        <>
          <Input label={words.fieldName} value={draft.name} onInput={set('name')} maxLength={MAX_NAME} isRequired />
          <Input label={words.fieldHint} value={draft.hint} onInput={set('hint')} maxLength={MAX_HINT} />
        </>
      )}
      {draft.type === ACCOUNT && !isKnown && (
        <Input
          label={words.fieldPattern}
          hint={words.fieldPatternHint}
          value={draft.pattern}
          onInput={set('pattern')}
          maxLength={1000}
          isRequired
        />
      )}
      {draft.type === OPTIONS && (
        <Input
          isMultiline
          label={words.fieldOptions}
          hint={words.fieldOptionsHint}
          value={draft.options}
          onInput={set('options')}
        />
      )}
    </CreateForm>
  );
}

function SiteField({ site, onChange }: { site: string; onChange(site: string): void }): JSX.Element {
  const { store, words } = useAdmin();
  const sites = useCell(store.organization)?.realm_default_external_accounts ?? {};
  const known = Object.entries(sites).map(([key, { text }]) => [key, text] as const);
  return (
    <SelectField
      label={words.fieldSite}
      value={site}
      options={[...known, [CUSTOM_SITE, words.fieldOtherSite]]}
      onChange={(value) => onChange(String(value))}
    />
  );
}

function FieldSettings({ field }: { field: Field }): JSX.Element {
  const { words } = useAdmin();
  const { id, name, type, required, editable_by_user, display_in_profile_summary = false } = field;
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
      {!isKnownSite && <FieldTexts field={field} edit={edit} />}
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
        <RemoveButton
          change={changeOf({
            operation: 'profileFields.remove',
            parameters: { field_id: id },
            question: words.removeFieldQuestion(name),
            isDangerous: true,
          })}
        />
      </div>
    </div>
  );
}

interface FieldTextsProps {
  field: Field;
  edit(change: FieldChange): Change;
}

function FieldTexts({ field: { name, hint }, edit }: FieldTextsProps): JSX.Element {
  const { words } = useAdmin();
  return (
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
      <Input
        isMultiline
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
