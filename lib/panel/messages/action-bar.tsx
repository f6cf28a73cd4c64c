/** The buttons of a row. */

import type { VNode } from 'preact';
import type { ChatStore, Message } from '../../client/store/types.ts';
import { IconButton } from '../buttons.tsx';
import { useCell, usePanel } from '../context.ts';
import { useListActions } from './list-context.ts';
import { type Circumstances, mayEdit } from './permissions.ts';

export function ActionBar({ message }: { message: Message }): VNode | null {
  const panel = usePanel();
  const { words, isReadonly, hidden } = panel;
  const list = useListActions();
  const circumstances = useCircumstances(message);
  if (hidden.has('actions')) return null;
  return (
    <div class="action-bar" part="actions" role="toolbar" aria-label={words.actions}>
      {!isReadonly && (
        <IconButton
          icon="smile"
          label={words.addReaction}
          onClick={({ currentTarget }) => list.openPicker(message, currentTarget)}
        />
      )}
      {!isReadonly && mayEdit(message, circumstances) && (
        <IconButton icon="edit" label={words.editMessage} onClick={() => list.edit(message.id)} />
      )}
      <IconButton
        icon="more"
        label={words.moreActions}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => list.openMenu(message, currentTarget)}
      />
    </div>
  );
}

export function useCircumstances(message: Message): Circumstances {
  const { store } = usePanel();
  for (const cell of [store.channels, store.me, store.organization]) useCell<unknown>(cell);
  return circumstancesOf(message, store);
}

export const circumstancesOf = ({ place }: Message, store: ChatStore): Circumstances => ({
  me: store.me.get(),
  organization: store.organization.get(),
  channel: 'channelId' in place ? store.channels.get().get(place.channelId) : undefined,
  now: store.now(),
});
