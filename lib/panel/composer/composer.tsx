import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { placeKey } from '../../client/store/places.ts';
import type { Place } from '../../client/store/types.ts';
import { useCell } from '../context.ts';
import { useRefusal } from '../messages/writing-permission.ts';
import { MentionQuestion, Refused } from '../parts.ts';
import { addStyles } from '../style-sheets.ts';
import { useDeferred } from '../words/deferred-words.ts';
import styles from './composer.css';
import { Editor } from './editor.tsx';

addStyles(styles);

/** With more subscribers, the composer asks before it notifies all of them. */
const LARGE_CHANNEL = 15;
const NOTIFIES_ALL = /@\*\*(?:all|everyone|channel|stream)\*\*/;

export interface ComposerProps {
  readonly place: Place;
  /** Name of the field: where the message goes. */
  readonly label: string;
  /** Shown while it is empty. Default: its name. */
  readonly placeholder?: string;
  /** Whether it gets the focus when it appears. */
  readonly isFocused?: boolean;
}

/**
 * The field for new messages. It shows the draft of the place. To give back a message that the server refused, set the
 * draft.
 */
export function Composer(props: ComposerProps): VNode | null {
  const { store } = useDeferred();
  // Drafts come with the account. A text that is typed before them would replace them.
  return useCell(store.me) ? <Writing {...props} /> : null;
}

function Writing({ place, label, placeholder = label, isFocused }: ComposerProps): VNode {
  const { store, words, dispatch } = useDeferred();
  const field = useRef<HTMLTextAreaElement>(null);
  const key = placeKey(place);
  const { to, draft } = useMemo(() => ({ to: place, draft: store.drafts.of(place) }), [store, key]);
  useEffect(() => () => store.activity.stopTyping(to), [store, to]);
  // After the heading of the view, which takes the focus too.
  useEffect(() => {
    const area = field.current;
    if (!isFocused || !area) return;
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  }, [key, isFocused]);
  const [question, setQuestion] = useState<{ content: string; count: number }>();
  const refusal = useRefusal(place);
  if (refusal !== undefined) return <Refused reason={refusal} unsent={{ draft, label }} />;
  const send = (content: string, isConfirmed = false) => {
    const subscribers = 'topic' in to ? store.channels.get().get(to.channelId)?.subscriber_count : undefined;
    if (!isConfirmed && subscribers && subscribers > LARGE_CHANNEL && NOTIFIES_ALL.test(content))
      return setQuestion({ content, count: subscribers });
    const { localId } = store.outbox.send(to, content);
    draft.set('');
    store.activity.stopTyping(to);
    dispatch('parlance-sent', { localId });
  };
  return (
    <div class="composer" part="composer">
      <slot name="composer-start" />
      <Editor
        key={key}
        field={field}
        text={draft}
        place={to}
        label={label}
        placeholder={placeholder}
        submit={{ label: words.send, hasIcon: true }}
        onSubmit={send}
        onType={(text) => (/\S/.test(text) ? store.activity.notifyTyping(to) : store.activity.stopTyping(to))}
      />
      <slot name="composer-end" />
      {question && (
        <MentionQuestion
          count={question.count}
          send={() => send(question.content, true)}
          onClose={() => {
            setQuestion(undefined);
            field.current?.focus();
          }}
        />
      )}
    </div>
  );
}
