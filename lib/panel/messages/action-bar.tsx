/** The buttons of a row. */

import type { VNode } from 'preact';
import type { Message } from '../../client/store/types.ts';
import { IconButton } from '../buttons.tsx';
import { useCell, usePanel } from '../context.ts';
import { useDeferred } from '../words/deferred-words.ts';
import { useListActions } from './list-context.ts';
import { type Circumstances, circumstancesOf, mayEdit } from './permissions.ts';

export function ActionBar({ message }: { message: Message }): VNode | null {
  const panel = useDeferred();
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
