/** Saved snippets: the list beside a composer, and the dialog that changes one. */

import type { TargetedInputEvent, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorText } from '../buttons.tsx';
import { ActionForm, Dialog, Popover } from '../dialog.tsx';
import { Icon } from '../icons.tsx';
import { useFetched } from '../refusal.ts';
import { addStyles } from '../style-sheets.ts';
import { useLater } from '../words/later-words.ts';
import styles from './snippets.css';
import { keepFocus } from './text.ts';

addStyles(styles);

/** Characters of a title, as the server limits it. */
const MAX_TITLE_LENGTH = 60;
/** Characters of a snippet in the list, of which one line fits. */
const MAX_SHOWN_LENGTH = 200;
/** With more snippets, there is a search field. */
const MAX_WITHOUT_SEARCH = 8;

export interface SnippetPopoverProps {
  beside: HTMLElement;
  /** What is in the composer: it can become a snippet. */
  written: string;
  onPick(content: string): void;
  onClose(): void;
}

export function SnippetPopover({ beside, written, onPick, onClose }: SnippetPopoverProps): VNode {
  const { store, words } = useLater();
  const [query, setQuery] = useState('');
  const [isSaving, setSaving] = useState(false);
  const { value, error } = useFetched(async () => (await store.session.savedSnippets.list()).saved_snippets, [store]);
  const wanted = query.trim().toLowerCase();
  const found = value?.filter(({ title, content }) => `${title}\n${content}`.toLowerCase().includes(wanted));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (value) list.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [value]);
  if (isSaving) return <SnippetDialog content={written} onClose={onClose} />;
  return (
    <Popover beside={beside} label={words.savedSnippets} role="dialog" onClose={() => isSaving || onClose()}>
      <div ref={list} class="snippets">
        {value && value.length > MAX_WITHOUT_SEARCH && (
          <input
            type="search"
            aria-label={words.searchSnippets}
            placeholder={words.searchSnippets}
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
        )}
        <ErrorText action={{ error }} />
        {found?.length === 0 && <p class="muted">{wanted ? words.noSnippetMatches : words.noSnippets}</p>}
        <ul>
          {found?.map(({ id, title, content }) => (
            <li key={id}>
              <button type="button" class="menu-item" onPointerDown={keepFocus} onClick={() => onPick(content)}>
                <span class="snippet-title" dir="auto">
                  {title}
                </span>
                <span class="muted" dir="auto">
                  {content.slice(0, MAX_SHOWN_LENGTH)}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {/\S/.test(written) && (
          <button type="button" class="menu-item" onClick={() => setSaving(true)}>
            <Icon name="plus" />
            {words.saveAsSnippet}
          </button>
        )}
      </div>
    </Popover>
  );
}

export interface SnippetDialogProps {
  /** The snippet to change. Otherwise, the dialog makes one. */
  id?: number;
  title?: string;
  content?: string;
  onClose(): void;
}

export function SnippetDialog({ id, title: before = '', content: text = '', onClose }: SnippetDialogProps): VNode {
  const { store, words } = useLater();
  const { savedSnippets } = store.session;
  const [title, setTitle] = useState(before);
  const [content, setContent] = useState(text);
  const save = () =>
    id === undefined
      ? savedSnippets.create({ title, content })
      : savedSnippets.edit({ saved_snippet_id: id, title, content });
  return (
    <Dialog title={id === undefined ? words.newSnippet : words.editSnippet} onClose={onClose}>
      <ActionForm submit={words.saveSnippet} run={save} onClose={onClose}>
        <label>
          {words.snippetTitle}
          <input
            required
            autofocus
            value={title}
            maxLength={MAX_TITLE_LENGTH}
            onInput={({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => setTitle(currentTarget.value)}
          />
        </label>
        <label>
          {words.snippetText}
          <textarea
            rows={5}
            dir="auto"
            required
            value={content}
            onInput={({ currentTarget }: TargetedInputEvent<HTMLTextAreaElement>) => setContent(currentTarget.value)}
          />
        </label>
      </ActionForm>
    </Dialog>
  );
}
