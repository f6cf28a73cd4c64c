/** The fields of administration: settings that save themselves, and fields of forms. */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../buttons.tsx';
import { useAdmin } from './admin-words.ts';
import { type Change, useChange } from './change.tsx';

export interface SectionProps {
  /** What is open in the section. Undefined: its list. */
  id: number | undefined;
}

interface SettingProps<T> {
  label: string;
  /** What the setting means. */
  hint?: string | undefined;
  value: T;
  /** Why the user cannot change it. */
  refusal?: string | false | undefined;
  change(value: T): Change;
}

interface ControlAttributes {
  id: string;
  disabled: boolean;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface LabelledProps {
  label: string;
  hint?: string | undefined;
  /** Why the last attempt failed: beside the field. */
  error?: string | undefined;
  refusal?: string | false | undefined;
  /** The label comes after the control. */
  isCheck?: boolean;
  /** The control is beside the label if there is room. */
  isRow?: boolean;
  children(attributes: ControlAttributes): ComponentChildren;
}

/** A control with its label, what it means, and why the last attempt failed. */
export function Labelled({
  label,
  hint,
  error,
  refusal,
  isCheck = false,
  isRow,
  children,
}: LabelledProps): JSX.Element {
  const id = useId();
  const hints = [hint, refusal].filter(Boolean).join(' ');
  const described = [hints && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const control = children({
    id,
    disabled: Boolean(refusal),
    'aria-describedby': described || undefined,
    'aria-invalid': Boolean(error),
  });
  const text = (
    <label class={isCheck ? undefined : 'field-label'} for={id}>
      {label}
    </label>
  );
  return (
    <div class={isCheck ? 'check' : isRow ? 'field field-row' : 'field'}>
      {isCheck ? control : text}
      {isCheck ? text : control}
      {hints && (
        <p class="field-hint" id={`${id}-hint`}>
          {hints}
        </p>
      )}
      {error && (
        <p class="error-text" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** What the user has entered, until it is saved and the new value is there. A change of others does not discard it. */
export function useEntered<T>(value: T) {
  const [entered, setEntered] = useState<{ value: T; version: number; isSaved: boolean }>();
  // Not the value of before: the saved value may change back to it.
  const seen = useRef({ value, version: 0 });
  if (seen.current.value !== value) seen.current = { value, version: seen.current.version + 1 };
  const { version } = seen.current;
  const isOver = entered === undefined || (entered.isSaved && version > entered.version);
  return {
    shown: isOver ? value : entered.value,
    enter: (next: T) => setEntered({ value: next, version, isSaved: false }),
    saved: () => setEntered((current) => current && { ...current, isSaved: true }),
    discard: () => setEntered(undefined),
  };
}

/** What a control shows: the choice at once, and the saved value when it changes or saving failed. */
function useChosen<T>({ value, change }: Pick<SettingProps<T>, 'value' | 'change'>) {
  const { shown, enter, saved, discard } = useEntered(value);
  const saving = useChange();
  const choose = async (next: T) => {
    enter(next);
    if (await saving.propose(change(next))) saved();
    else discard();
  };
  return { chosen: shown, choose, error: saving.error };
}

function Checkbox({ onInput, ...attributes }: ControlAttributes & { checked: boolean; onInput(isOn: boolean): void }) {
  return <input {...attributes} type="checkbox" onChange={(event) => onInput(event.currentTarget.checked)} />;
}

export function SwitchSetting(props: SettingProps<boolean>): JSX.Element {
  const { label, hint, refusal } = props;
  const { chosen, choose, error } = useChosen(props);
  return (
    <Labelled label={label} hint={hint} error={error} refusal={refusal} isCheck>
      {(attributes) => <Checkbox {...attributes} checked={chosen} onInput={choose} />}
    </Labelled>
  );
}

export type Options<T> = readonly (readonly [value: T, label: string])[];

export function ChoiceSetting<T extends string | number>(
  props: SettingProps<T> & { options: Options<T> },
): JSX.Element {
  const { label, hint, refusal, options } = props;
  const { chosen, choose, error } = useChosen(props);
  return (
    <Labelled label={label} hint={hint} error={error} refusal={refusal} isRow>
      {(attributes) => <Select attributes={attributes} value={chosen} options={options} onChange={choose} />}
    </Labelled>
  );
}

interface SelectProps<T> {
  attributes: ControlAttributes;
  value: T;
  options: Options<T>;
  onChange(value: T): void;
}

export function Select<T extends string | number>({ attributes, value, options, onChange }: SelectProps<T>) {
  return (
    <select
      {...attributes}
      class="input"
      value={value}
      onChange={(event) => {
        const chosen = options.find(([choice]) => String(choice) === event.currentTarget.value);
        if (chosen) onChange(chosen[0]);
      }}
    >
      {options.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface TextProps {
  type?: 'text' | 'search' | 'url' | 'number';
  maxLength?: number;
  min?: number;
  max?: number;
  isRequired?: boolean;
  isMultiline?: boolean;
}

interface TextControlProps extends TextProps {
  attributes: ControlAttributes;
  value: string;
  onInput(value: string): void;
}

function TextControl(props: TextControlProps): JSX.Element {
  const { attributes, type = 'text', isRequired, isMultiline, maxLength, min, max, value, onInput } = props;
  const common = {
    ...{ ...attributes, class: 'input', value, maxLength, required: isRequired ?? false },
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  };
  if (isMultiline) return <textarea {...common} rows={4} />;
  return <input {...common} type={type as 'text'} autocomplete="off" min={min} max={max} />;
}

type TextSettingProps = SettingProps<string> & TextProps;

/** A text with a button to save it, which appears with the first change. */
export function TextSetting(props: TextSettingProps): JSX.Element {
  const { label, hint, refusal, value, change } = props;
  const { words } = useAdmin();
  const { shown: text, enter: setText, saved, discard } = useEntered(value);
  const saving = useChange();
  const isChanged = text.trim() !== value;
  const save = async (event: Event) => {
    event.preventDefault();
    if (isChanged && (await saving.propose(change(text.trim())))) saved();
  };
  return (
    <form class="text-setting" onSubmit={save}>
      <Labelled label={label} hint={hint} error={saving.error} refusal={refusal}>
        {(attributes) => <TextControl {...props} attributes={attributes} value={text} onInput={setText} />}
      </Labelled>
      {isChanged && (
        <div class="text-setting-actions">
          <Button kind="primary" isSubmit isDisabled={saving.isRunning}>
            {words.save}
            <span class="visually-hidden"> {label}</span>
          </Button>
          <Button
            onClick={() => {
              discard();
              saving.clear();
            }}
          >
            {words.cancel}
          </Button>
        </div>
      )}
    </form>
  );
}

interface InputProps extends TextProps {
  label: string;
  value: string;
  onInput(value: string): void;
  hint?: string;
  error?: string | undefined;
}

/** A field of a form. */
export function Input({ label, hint, error, ...control }: InputProps): JSX.Element {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(attributes) => <TextControl {...control} attributes={attributes} />}
    </Labelled>
  );
}

interface SelectFieldProps<T> {
  label: string;
  value: T;
  options: Options<T>;
  onChange(value: T): void;
  hint?: string | undefined;
}

export function SelectField<T extends string | number>({ label, hint, ...select }: SelectFieldProps<T>) {
  return (
    <Labelled label={label} hint={hint}>
      {(attributes) => <Select attributes={attributes} {...select} />}
    </Labelled>
  );
}

export function CheckField(props: { label: string; value: boolean; onChange(value: boolean): void; hint?: string }) {
  return (
    <Labelled label={props.label} hint={props.hint} isCheck>
      {(attributes) => <Checkbox {...attributes} checked={props.value} onInput={props.onChange} />}
    </Labelled>
  );
}
