import { commands } from '../operations/metadata.ts';

const name = { parameter: 'emoji_name', label: 'NAME' } as const;

export const customEmoji = commands('customEmoji', "The organization's own emoji", {
  list: { columns: { emoji: ['id', 'name', 'deactivated', ['source_url', 'PICTURE']] } },
  upload: { args: [name, 'file'], examples: ['custom-emoji upload gruel ./gruel.png'] },
  deactivate: { args: [name] },
});
