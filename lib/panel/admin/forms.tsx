/** Forms that create something, and buttons that change something. */
import type { ComponentChildren, JSX } from 'preact';
import { useAction, useOpen } from '../app/hooks.ts';
import { Button, ErrorText, Form } from '../buttons.tsx';
import { useAdmin } from './admin-words.ts';
import { type Call, type Change, useChange } from './change.tsx';

interface CreateFormProps {
  submit?: string;
  /** The call, and what follows from it. */
  create(): Promise<unknown>;
  /** For example, to empty the fields. */
  onCreated?(): void;
  onCancel?(): void;
  isDisabled?: boolean;
  class?: string;
  /** Fields. Gets why the last attempt failed, to show it beside a field. */
  children: ComponentChildren | ((error: string | undefined) => ComponentChildren);
}

export function CreateForm(props: CreateFormProps): JSX.Element {
  const { submit, create, onCreated, onCancel, isDisabled = false, children } = props;
  const { words, announce } = useAdmin();
  const action = useAction();
  const save = async () => {
    if (!(await action.run(create))) return;
    announce(words.saved);
    onCreated?.();
  };
  const isBeside = typeof children === 'function';
  return (
    <Form class={`admin-form ${props.class ?? ''}`} onSubmit={save}>
      {isBeside ? children(action.error) : children}
      {!isBeside && <ErrorText action={action} />}
      <div class="admin-actions">
        <Button kind="primary" isSubmit isDisabled={action.isRunning || isDisabled}>
          {submit ?? words.create}
        </Button>
        {onCancel && <Button onClick={onCancel}>{words.cancel}</Button>}
      </div>
    </Form>
  );
}

/** A button that opens a form. The form starts with empty fields each time. */
export function OpenForm({ label, children }: { label: string; children(close: () => void): ComponentChildren }) {
  const { isOpen, open, close } = useOpen();
  if (isOpen) return <>{children(close)}</>;
  return (
    <div class="admin-actions">
      <Button onClick={open}>{label}</Button>
    </div>
  );
}

interface ChangeButtonProps {
  label: string;
  /** What it changes, for screen readers. */
  name?: string | undefined;
  change: Change;
  hint?: string | false | undefined;
  onDone?(): void;
}

/** Proposes a change, and asks before it. */
export function ChangeButton({ label, name, change, hint, onDone }: ChangeButtonProps): JSX.Element {
  const changing = useChange();
  const propose = async () => {
    if (await changing.propose({ submit: label, isAsked: true, ...change })) onDone?.();
  };
  return (
    <>
      <Button kind={change.isDangerous ? 'danger' : undefined} isDisabled={changing.isRunning} onClick={propose}>
        <Named label={label} name={name} />
      </Button>
      {hint && <p class="field-hint">{hint}</p>}
      <ErrorText action={changing} />
    </>
  );
}

/** Removes an item of a list. */
export function RemoveButton(props: Pick<ChangeButtonProps, 'name' | 'change'>): JSX.Element {
  const { words } = useAdmin();
  return <ChangeButton label={words.remove} {...props} />;
}

interface ActivationProps {
  name: string;
  isActive: boolean;
  deactivation: Call;
  reactivation: Call;
  hint?: string;
}

/** Deactivates an account, or reactivates it. */
export function Activation({ name, isActive, deactivation, reactivation, hint }: ActivationProps): JSX.Element {
  const { words } = useAdmin();
  const change = isActive
    ? { ...deactivation, question: words.deactivateQuestion(name), isDangerous: true }
    : { ...reactivation, question: words.reactivateQuestion(name) };
  return (
    <div>
      <ChangeButton
        label={isActive ? words.deactivate : words.reactivate}
        change={change}
        hint={isActive ? hint : undefined}
      />
    </div>
  );
}

/** A label, with a name for screen readers. */
export function Named({ label, name }: { label: string; name: string | undefined }): JSX.Element {
  return (
    <>
      {label}
      {name !== undefined && <span class="visually-hidden"> {name}</span>}
    </>
  );
}
