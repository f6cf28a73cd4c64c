/**
 * `tsx test/markdown/measure.ts`: what the dialect costs beside markdown-it alone, per message. No test:
 * figures of one machine, to look at after a change.
 */
import MarkdownIt from 'markdown-it';
import type { RenderData } from '../../lib/markdown/data.ts';
import { parseMessage } from '../../lib/markdown/references.ts';
import { renderMessage } from '../../lib/markdown/render.ts';

const DATA: RenderData = {
  users: [{ id: 10, full_name: 'Ada Byron', is_active: true }],
  channels: [{ id: 5, name: 'design' }],
  linkifiers: [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' }],
};

const MESSAGES: Readonly<Record<string, string>> = {
  plain: 'I have just pushed the fix, could you have a look when there is time? It should be small.',
  marked:
    'Thanks! The **second** one is better, but `max_length` should be *optional* here. See https://example.com/docs.',
  chat: '@**Ada Byron** good morning :wave: the build of #**design** is green again\n\nShall we release on Thursday?',
  list: 'Open points:\n* the name\n* the colour of the button\n* who tells the others',
};

const bare = new MarkdownIt();
for (const [name, text] of Object.entries(MESSAGES)) {
  const alone = best(() => bare.render(text));
  const ours = best(() => {
    parseMessage(text);
    renderMessage(text, DATA);
  });
  console.log(`${name}: ${ours.toFixed(1)} us, markdown-it ${alone.toFixed(1)} us, ratio ${(ours / alone).toFixed(2)}`);
}

/** Microseconds of one call: the best of several rounds, after warming up. */
function best(call: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 12; round += 1) {
    const start = process.hrtime.bigint();
    for (let index = 0; index < 2000; index += 1) call();
    least = Math.min(least, Number(process.hrtime.bigint() - start) / 2000 / 1000);
  }
  return least;
}
