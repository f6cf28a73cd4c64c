import type { VNode } from 'preact';
import type { Outgoing } from '../../client/store/types.ts';
import { useCell, usePanel } from '../context.ts';
import { Avatar } from './avatar.tsx';

/** An own message until the server confirms it. */
export function OutgoingRow({ outgoing }: { outgoing: Outgoing }): VNode {
  const { store, words, formats } = usePanel();
  const me = useCell(store.me);
  const { localId, state, content, error, sentAt } = outgoing;
  const isStuck = state === 'failed' || state === 'unsure';
  const text = {
    sending: words.sending,
    slow: words.sendingSlow,
    unsure: words.sendingUnsure,
    failed: error ? words.sendingFailed(error.message) : words.sendingUnsure,
  }[state];
  const name = me?.full_name ?? words.you;
  /** The text goes back to the composer, in front of what is there. */
  const edit = () => {
    const discarded = store.discard(localId);
    if (!discarded) return;
    const draft = store.draft(discarded.place);
    draft.set([discarded.content, draft.get()].filter(Boolean).join('\n\n'));
  };
  return (
    <article
      class={`row message first outgoing ${state}`}
      part="message outgoing"
      aria-label={words.messageBy(name, formats.time(sentAt))}
    >
      <Avatar userId={me?.user_id ?? 0} name={name} url={me?.avatar_url} />
      <div class="message-main">
        <div class="heading">
          <span class="sender">{name}</span>
          {!isStuck && <span class="time">{text}</span>}
        </div>
        <div class="body plain" dir="auto">
          {content}
        </div>
        {isStuck && (
          <div class="stuck">
            <p class="error-text">{text}</p>
            <button type="button" class="button" onClick={() => store.retry(localId)}>
              {words.retry}
            </button>
            <button type="button" class="button" onClick={edit}>
              {words.editAndResend}
            </button>
            <button type="button" class="button" onClick={() => store.discard(localId)}>
              {words.discard}
            </button>
          </div>
        )}
      </div>
    </article>
  );
}
