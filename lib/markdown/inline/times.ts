import { escapeText } from '../html.ts';
import { readTime } from '../time-reading.ts';
import type { InlineStep } from './step.ts';

/** `<time:…>`: clients show the moment in the reader's zone. */
export const times: InlineStep = {
  applies: (text) => text.includes('<time:'),
  apply: (text, { pieces, state }) =>
    text.replace(/<time:([^>\n]{0,200})>/g, (whole, written: string) => {
      if (!state.admits()) return whole;
      const time = readTime(written);
      const shown = escapeText(written);
      return pieces.mark(
        time === undefined
          ? `<span class="timestamp-error">Invalid time format: ${shown}</span>`
          : `<time datetime="${time}">${shown}</time>`,
      );
    }),
};
