import { commands } from '../operations/metadata.ts';

export const playgrounds = commands('playgrounds', 'Places where code blocks can be run', {
  list: { columns: { realm_playgrounds: ['id', 'name', 'pygments_language', 'url_template'] } },
  create: {
    args: ['name'],
    examples: [
      "playgrounds create 'Rust playground' --pygments-language Rust --url-template 'https://play.example.com/?code={code}'",
    ],
  },
  remove: { args: ['playground_id'] },
});
