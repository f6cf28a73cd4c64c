import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from './context.ts';
import { Icon } from './icons.tsx';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** Called after it closed, also by Escape. */
  onClose(): void;
}

/** A modal dialog. Give it `key` so that each opening is a new one. */
export function Dialog({ title, children, onClose }: DialogProps): VNode {
  const { words } = usePanel();
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const onPress = ({ target }: Event) => target === element.current && onClose();
  return (
    <dialog
      ref={element}
      part="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={onPress}
    >
      <div class="dialog-content">
        <header>
          <h2 id={titleId}>{title}</h2>
          <button type="button" class="icon-button" aria-label={words.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

interface ActionFormProps {
  /** The text of the button. */
  submit: string;
  isDangerous?: boolean;
  children?: ComponentChildren;
  /** If it fails, the form shows why and stays. */
  run(): Promise<unknown>;
  onClose(): void;
}

/** A form with one action and a way out. */
export function ActionForm({ submit, isDangerous = false, children, run, onClose }: ActionFormProps): VNode {
  const { words } = usePanel();
  const [state, setState] = useState<{ isRunning: boolean; error?: Error }>({ isRunning: false });
  const onSubmit = (event: Event) => {
    event.preventDefault();
    setState({ isRunning: true });
    run().then(onClose, (error: Error) => setState({ isRunning: false, error }));
  };
  return (
    <form class="dialog-form" onSubmit={onSubmit}>
      {children}
      {state.error && (
        <p class="error-text" role="alert">
          {words.actionFailed(state.error.message)}
        </p>
      )}
      <footer>
        <button type="button" class="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button type="submit" class={isDangerous ? 'button danger' : 'button primary'} disabled={state.isRunning}>
          {submit}
        </button>
      </footer>
    </form>
  );
}
