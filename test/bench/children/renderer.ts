import { performance } from 'node:perf_hooks';
import MarkdownIt from 'markdown-it';
import type { RenderData } from '../../../lib/markdown/data.ts';
import { parseMessage, renderMessage } from '../../../lib/markdown/render.ts';
import { hostileMessages } from '../../markdown/hostile.ts';
import { answer } from './answering.ts';

/** Renders short, typical messages in the dialect and in plain Markdown. */

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

/** Microseconds per message by kind, the mean of many calls. */
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

/** Including the lookup of mentions and links, which precedes every rendering. */
const dialect = () =>
  timed((text) => {
    parseMessage(text);
    renderMessage(text, DATA);
  });

/** An organization with many names and a linkifier that searches far for few matches. */
const LARGE: RenderData = {
  users: Array.from({ length: 1_000 }, (_, at) => ({ id: at + 1, full_name: `N${at}`, is_active: true })),
  channels: [{ id: 1, name: 'a' }],
  linkifiers: [
    ...(DATA.linkifiers ?? []),
    { pattern: 'x(?P<a>.*[zw]|y)(?P<b>[^a]*[qj]|)', url_template: 'https://words.example.com/{a}' },
  ],
  options: { translateEmoticons: true },
};

/** Milliseconds of CPU for a message, the better of two runs: one run may include garbage collection. */
function cpu(text: string, tries = 2): number {
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries; n++) {
    const start = process.cpuUsage();
    parseMessage(text);
    renderMessage(text, LARGE);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/** Plain text of a length. */
function plain({ length }: { length: number }): number {
  const text = 'the quick brown fox jumps over a lazy dog and on to the lake '.repeat(length / 61);
  return cpu(text, 20);
}

/** Each hostile message of the length. */
const hostile = ({ length }: { length: number }) =>
  Object.fromEntries(hostileMessages(length).map(([name, text]) => [name, cpu(text)]));

answer({ markdownIt, dialect, plain, hostile });
