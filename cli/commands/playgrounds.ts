import { commands } from '../operations/metadata.ts';

export const playgrounds = commands('playgrounds', 'Places where code blocks can be run', {
  create: {
    args: ['name'],
    examples: [
      "playgrounds create 'Rust playground' --pygments-language Rust --url-template 'https://play.example.com/?code={code}'",
    ],
  },
  remove: { args: ['playground_id'] },
});
