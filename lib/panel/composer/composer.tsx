import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { placeKey } from '../../client/store/places.ts';
import type { Place } from '../../client/store/types.ts';
import { usePanel } from '../context.ts';
import { Editor } from './editor.tsx';
import { uploadsOf } from './uploads.ts';

interface ComposerProps {
  readonly place: Place;
  /** Name of the field: where the message goes. */
  readonly label?: string;
  readonly placeholder?: string;
}

/**
 * The field for new messages. It shows the draft of the place. To give back a message that the server refused, set the
 * draft.
 */
export function Composer({ place, label, placeholder }: ComposerProps): VNode {
  const panel = usePanel();
  const { store, words, dispatch } = panel;
  const field = useRef<HTMLTextAreaElement>(null);
  const key = placeKey(place);
  const { to, draft, uploads } = useMemo(() => {
    const text = store.draft(place);
    return { to: place, draft: text, uploads: uploadsOf(place, text, panel) };
  }, [store, key]);
  useEffect(() => () => store.stopTyping(to), [store, to]);
  const send = (content: string) => {
    const { localId } = store.send(to, content);
    draft.set('');
    store.stopTyping(to);
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
        uploads={uploads}
        label={label ?? words.writeMessage}
        placeholder={placeholder ?? words.writeMessage}
        submit={{ label: words.send, hasIcon: true }}
        onSubmit={send}
        onType={(text) => (/\S/.test(text) ? store.notifyTyping(to) : store.stopTyping(to))}
      />
      <slot name="composer-end" />
    </div>
  );
}
