import type { VNode } from 'preact';
import { usePanel } from './context.ts';

/** Rows in outline, until the rows are there. Of messages, or of lists with a picture (`people`) or an icon (`lines`). */
export function Outline({ of }: { of: 'messages' | 'people' | 'lines' }): VNode {
  const { words } = usePanel();
  return (
    <div class={`outline outline-${of}`}>
      <span class="visually-hidden">{words.loading}</span>
    </div>
  );
}
