import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/sanitize.ts';

const snippet = { parameter: 'saved_snippet_id', label: 'SNIPPET' } as const;
const parsers = { saved_snippet_id: 'snippet' } as const;
const flags = { content: '-m, --message <text>' } as const;

export const savedSnippets = commands('savedSnippets', 'Saved texts for messages', {
  list: { columns: { saved_snippets: ['id', 'title', ['content', 'TEXT']] }, empty: 'You have no saved snippets.' },
  create: {
    args: ['title'],
    stdin: { parameter: 'content' },
    flags,
    done: ({ answer, parameters }) =>
      `Saved "${oneLine(parameters.title.trim())}" as snippet ${answer.saved_snippet_id}.`,
    examples: [
      'saved-snippets create Greeting -m "Welcome to **our chat**!"',
      'saved-snippets create Rules < rules.md',
    ],
  },
  edit: {
    args: [snippet],
    parsers,
    flags,
    done: ({ parameters }) => `Changed the snippet with ID ${parameters.saved_snippet_id}.`,
    examples: ['saved-snippets edit Greeting --title Welcome', 'saved-snippets edit 2 -m "Hello!"'],
  },
  remove: {
    args: [snippet],
    parsers,
    confirm: 'Remove this snippet permanently?',
    done: ({ parameters }) => `Removed the snippet with ID ${parameters.saved_snippet_id}.`,
    examples: ['saved-snippets remove Greeting', 'saved-snippets remove 2'],
  },
});
