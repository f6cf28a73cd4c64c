import type { VNode } from 'preact';
import { ActionForm, Dialog } from '../dialog.tsx';
import { useOverlay } from '../words/overlay-words.ts';

export interface MentionQuestionProps {
  /** Subscribers of the channel. */
  count: number;
  send(): void;
  onClose(): void;
}

/** Before a message that notifies a large channel. */
export function MentionQuestion({ count, send, onClose }: MentionQuestionProps): VNode {
  const { words } = useOverlay();
  return (
    <Dialog title={words.notifyAll} onClose={onClose}>
      <ActionForm submit={words.notifyAllSend} run={async () => send()} onClose={onClose}>
        <p>{words.notifyAllQuestion(count)}</p>
      </ActionForm>
    </Dialog>
  );
}
