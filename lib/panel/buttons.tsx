/** Buttons, forms, and the text of an error. */
import type { ButtonHTMLAttributes, ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icons.tsx';

interface ButtonProps {
  children: ComponentChildren;
  kind?: 'primary' | 'danger' | undefined;
  onClick?: () => void;
  isSubmit?: boolean;
  isDisabled?: boolean;
}

export function Button({ children, kind, onClick, isSubmit, isDisabled }: ButtonProps): JSX.Element {
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      class={kind ? `button ${kind}` : 'button'}
      disabled={isDisabled}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  /** For screen readers and as a tooltip. */
  label: string;
}

export function IconButton({ icon, label, ...attributes }: IconButtonProps): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} {...attributes}>
      <Icon name={icon} />
    </button>
  );
}

interface FormProps {
  class?: string;
  children: ComponentChildren;
  onSubmit(): void;
}

/** A form that is not sent: the browser checks its fields, then `onSubmit` acts. */
export function Form({ class: name = 'form', children, onSubmit }: FormProps): JSX.Element {
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form class={name} onSubmit={submit}>
      {children}
    </form>
  );
}

/** Says why the last attempt failed. */
export function ErrorText({ action }: { action: { readonly error: string | undefined } }): JSX.Element | null {
  return action.error ? (
    <p class="error-text" role="alert">
      {action.error}
    </p>
  ) : null;
}
