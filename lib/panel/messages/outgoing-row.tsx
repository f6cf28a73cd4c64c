import type { VNode } from 'preact';
import type { Outgoing } from '../../client/store/types.ts';
import { Button } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { reasonOf } from '../reasons.ts';
import { useDeferred } from '../words/deferred-words.ts';
import { Avatar } from './avatar.tsx';

/** An own message until the server confirms it. */
export function OutgoingRow({ outgoing }: { outgoing: Outgoing }): VNode {
  const { store, words, formats } = useDeferred();
  const me = useCell(store.me);
  const { localId, state, content, error, sentAt } = outgoing;
  const isStuck = state === 'failed' || state === 'unsure';
  const text = {
    sending: words.sending,
    slow: words.sendingSlow,
    unsure: words.sendingUnsure,
    failed: error ? words.sendingFailed(reasonOf(error, words)) : words.sendingUnsure,
  }[state];
  const name = me?.full_name ?? words.you;
  /** The text goes back to the composer, in front of what is there. */
  const edit = () => {
    const discarded = store.outbox.discard(localId);
    if (!discarded) return;
    const draft = store.drafts.of(discarded.place);
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
            <Button onClick={() => store.outbox.retry(localId)}>{words.retry}</Button>
            <Button onClick={edit}>{words.editAndResend}</Button>
            <Button onClick={() => store.outbox.discard(localId)}>{words.discard}</Button>
          </div>
        )}
      </div>
    </article>
  );
}
