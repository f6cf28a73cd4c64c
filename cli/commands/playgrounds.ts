import { commands } from '../operations/metadata.ts';

export const playgrounds = commands('playgrounds', 'Places where code blocks can be run', {
  list: {
    columns: { realm_playgrounds: ['id', 'name', 'pygments_language', 'url_template'] },
    empty: 'There are no playgrounds.',
  },
  create: {
    args: ['name'],
    examples: [
      "playgrounds create 'Rust playground' --pygments-language Rust --url-template 'https://play.example.com/?code={code}'",
    ],
  },
  remove: {
    args: [{ parameter: 'playground_id', label: 'PLAYGROUND' }],
    parsers: { playground_id: 'playground' },
    done: ({ parameters }) => `Removed the playground with ID ${parameters.playground_id}.`,
    examples: ["playgrounds remove 'Rust playground'", 'playgrounds remove 2'],
  },
});
