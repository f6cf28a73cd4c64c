/** What is open above a list, about one message: its menu, a dialog or the emoji picker. */

import type { VNode } from 'preact';
import type { Message } from '../../client/store/types.ts';
import { EmojiPopover } from '../composer/emoji-picker.tsx';
import { useOverlay } from '../words/overlay-words.ts';
import { MessageDialog } from './dialogs.tsx';
import { type DialogName, useFailures } from './list-context.ts';
import { type MenuProps, MessageMenu } from './message-menu.tsx';

export interface Opened {
  readonly kind: 'menu' | 'picker' | DialogName;
  readonly message: Message;
  readonly beside?: HTMLElement;
}

export interface MessageOverlayProps {
  opened: Opened;
  messages: readonly Message[];
  onClose(): void;
}

/** The message as it is now; a dialog stays open if the message leaves the list. */
export function MessageOverlay({ opened, messages, onClose }: MessageOverlayProps): VNode | null {
  const { kind, beside } = opened;
  const message = messages.find(({ id }) => id === opened.message.id) ?? opened.message;
  if (kind === 'menu') return beside ? <MessageMenu message={message} beside={beside} onClose={onClose} /> : null;
  if (kind === 'picker') return beside ? <ReactionPicker message={message} beside={beside} onClose={onClose} /> : null;
  return <MessageDialog name={kind} message={message} onClose={onClose} />;
}

function ReactionPicker({ message, beside, onClose }: MenuProps): VNode {
  const { store, words } = useOverlay();
  const failed = useFailures();
  return (
    <EmojiPopover
      beside={beside}
      label={words.addReaction}
      onClose={onClose}
      onPick={(emoji) => {
        onClose();
        store.messages.react(message.id, emoji, true).catch(failed);
      }}
    />
  );
}
