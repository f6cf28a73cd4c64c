/** Keys of the app, and the list of them. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePanel } from '../context.ts';
import { Dialog } from '../dialog.tsx';

interface Actions {
  search(): void;
  compose(): void;
  help(): void;
}

/** Keys work while no field has the focus, and without Ctrl, Alt or Meta: those belong to the browser. */
export function useShortcuts(root: { readonly current: HTMLElement | null }, actions: Actions): void {
  useEffect(() => {
    const { host } = (root.current?.getRootNode() ?? {}) as Partial<ShadowRoot>;
    const target = host ?? root.current;
    if (!target) return;
    const pressed = (event: Event) => {
      const { key, ctrlKey, altKey, metaKey, isComposing } = event as KeyboardEvent;
      if (event.defaultPrevented || ctrlKey || altKey || metaKey || isComposing) return;
      const from = event.composedPath()[0];
      if (key === 'Escape') return leaveField(from);
      if (isEditable(from) || root.current?.querySelector('dialog[open]')) return;
      const action = { '/': actions.search, c: actions.compose, '?': actions.help }[key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}

const isEditable = (target: unknown) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

function leaveField(target: unknown): void {
  if (isEditable(target) && !(target as HTMLElement).closest('dialog')) (target as HTMLElement).blur();
}

export function ShortcutHelp({ onClose }: { onClose(): void }): JSX.Element {
  const { words } = usePanel();
  const keys = [
    ['/', words.search],
    ['c', words.shortcutCompose],
    ['Esc', words.shortcutEscape],
    ['?', words.shortcutHelp],
  ] as const;
  return (
    <Dialog title={words.shortcuts} onClose={onClose}>
      <dl class="facts">
        {keys.map(([key, meaning]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
