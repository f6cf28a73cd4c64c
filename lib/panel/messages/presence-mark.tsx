import type { VNode } from 'preact';
import type { Presence } from '../../client/store/types.ts';
import { useCellOf, usePanel } from '../context.ts';

/** A dot, with a text for screen readers. */
export function PresenceMark({ presence }: { presence: Exclude<Presence, 'unknown'> }): VNode {
  const { words } = usePanel();
  const text = { active: words.presenceActive, idle: words.presenceIdle, offline: words.presenceOffline }[presence];
  return (
    <span class={`presence presence-${presence}`} title={text}>
      <span class="visually-hidden">{text}</span>
    </span>
  );
}

/** At the picture of a sender who is there. */
export function SenderPresence({ userId }: { userId: number }): VNode | null {
  const { store } = usePanel();
  const presence = useCellOf(() => store.activity.presence(userId), [store, userId]);
  return presence === 'active' || presence === 'idle' ? <PresenceMark presence={presence} /> : null;
}
