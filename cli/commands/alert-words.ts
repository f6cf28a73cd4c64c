import { commands } from '../operations/metadata.ts';

const words = { parameter: 'alert_words', label: 'WORD' } as const;

const listed = (all: readonly string[]) =>
  all.length === 0
    ? 'You have no alert words.'
    : `Your alert words: ${all.map((word) => JSON.stringify(word)).join(', ')}.`;

export const alertWords = commands('alertWords', 'Words that notify you in any message', {
  list: {
    done: ({ answer }) =>
      answer.alert_words.length === 0 ? 'You have no alert words.' : answer.alert_words.join('\n'),
  },
  add: {
    args: [words],
    done: ({ answer }) => listed(answer.alert_words),
    examples: ['alert-words add deploy "on call"'],
  },
  remove: {
    undo: 'alert-words add',
    args: [words],
    done: ({ answer }) => listed(answer.alert_words),
    examples: ['alert-words remove deploy'],
  },
});
