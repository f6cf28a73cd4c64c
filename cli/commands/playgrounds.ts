import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/sanitize.ts';

export const playgrounds = commands('playgrounds', 'Websites that run code blocks', {
  list: {
    columns: { realm_playgrounds: ['id', 'name', 'pygments_language', 'url_template'] },
    empty: 'There are no playgrounds.',
  },
  create: {
    args: ['name'],
    done: ({ parameters: { name }, answer: { id } }) => `Created the playground "${oneLine(name)}" (ID ${id}).`,
    examples: [
      "playgrounds create 'Rust playground' --pygments-language Rust --url-template 'https://play.example.com/?code={code}'",
    ],
  },
  remove: {
    undo: 'playgrounds create',
    args: [{ parameter: 'playground_id', label: 'PLAYGROUND' }],
    parsers: { playground_id: 'playground' },
    done: ({ parameters }) => `Removed the playground with ID ${parameters.playground_id}.`,
    examples: ["playgrounds remove 'Rust playground'", 'playgrounds remove 2'],
  },
});
