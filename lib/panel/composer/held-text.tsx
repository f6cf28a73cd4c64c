import type { VNode } from 'preact';
import { Button } from '../buttons.tsx';
import { useOverlay } from '../words/overlay-words.ts';

export interface HeldTextProps {
  text: string;
  limit: number;
  attach(files: readonly File[]): void;
  onClose(): void;
}

/** Offers to attach a text that is too long for the field. */
export function HeldText({ text, limit, attach, onClose }: HeldTextProps): VNode {
  const { words } = useOverlay();
  return (
    <div class="composer-notice" role="alert">
      <p>{words.pasteTooLong(text.length, limit)}</p>
      <Button
        onClick={() => {
          onClose();
          attach([new File([text], words.pastedFileName, { type: 'text/plain' })]);
        }}
      >
        {words.attachAsFile}
      </Button>
      <Button onClick={onClose}>{words.dismiss}</Button>
    </div>
  );
}
