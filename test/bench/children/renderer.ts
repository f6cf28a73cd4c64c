import { performance } from 'node:perf_hooks';
import MarkdownIt from 'markdown-it';
import type { RenderData } from '../../../lib/markdown/data.ts';
import { parseMessage } from '../../../lib/markdown/references.ts';
import { renderMessage } from '../../../lib/markdown/render.ts';
import { answer } from './answering.ts';

/** Renders short messages, as people write them, in the dialect and in plain Markdown. */

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
const TIMES = 500;

const bare = new MarkdownIt();

/** Microseconds each message takes by its kind, the mean of many calls. */
function timed(render: (text: string) => unknown): Record<string, number> {
  const means: Record<string, number> = {};
  for (const [kind, text] of Object.entries(MESSAGES)) {
    const start = performance.now();
    for (let n = 0; n < TIMES; n++) render(text);
    means[kind] = ((performance.now() - start) * 1000) / TIMES;
  }
  return means;
}

const markdownIt = () => timed((text) => bare.render(text));

/** With the search for what a message refers to, which comes before every rendering. */
const dialect = () =>
  timed((text) => {
    parseMessage(text);
    renderMessage(text, DATA);
  });

answer({ markdownIt, dialect });
