import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Draft } from '../../client/store/types.ts';
import { useCell, usePanel } from '../context.ts';

export interface RefusedProps {
  reason: string;
  /** What the user has begun to write, to copy it. */
  unsent?: UnsentProps;
}

/** In place of the field where the server accepts no messages. */
export function Refused({ reason, unsent }: RefusedProps): VNode {
  const { announce } = usePanel();
  useEffect(() => announce(reason), [reason]);
  return (
    <div class="composer" part="composer">
      <div class="composer-box">
        <p class="composer-notice">{reason}</p>
        {unsent && <Unsent {...unsent} />}
      </div>
    </div>
  );
}

export interface UnsentProps {
  draft: Draft;
  label: string;
}

function Unsent({ draft, label }: UnsentProps): VNode | null {
  const text = useCell(draft);
  return text ? <textarea class="composer-field" dir="auto" readOnly aria-label={label} value={text} /> : null;
}
