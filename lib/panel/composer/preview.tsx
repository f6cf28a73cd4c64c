import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useDebounced } from '../app/hooks.ts';
import { ErrorText } from '../buttons.tsx';
import { MessageContent } from '../content/content.tsx';
import { useFetched } from '../refusal.ts';
import { useLater } from '../words/later-words.ts';
import type { EditedText } from './text.ts';

/** What the message will look like. The server renders it, a moment after the last change. */
export function Preview({ text }: { text: EditedText }): VNode {
  const { store, words } = useLater();
  const [value, setValue] = useState(text.get());
  useEffect(() => {
    setValue(text.get());
    return text.listen(setValue);
  }, [text]);
  const content = useDebounced(value);
  const { value: shown, error } = useFetched(
    async () => (/\S/.test(content) ? (await store.session.messages.render({ content })).rendered : ''),
    [content],
  );
  return (
    <section class="preview" part="preview" aria-label={words.previewOf} {...scrolled}>
      {error !== undefined ? (
        <ErrorText action={{ error }} />
      ) : shown ? (
        <MessageContent html={shown} />
      ) : (
        <p class="muted">{words.previewEmpty}</p>
      )}
    </section>
  );
}

/** The keyboard scrolls a long one. */
const scrolled = { tabIndex: 0 };
