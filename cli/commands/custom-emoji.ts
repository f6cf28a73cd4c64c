import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/sanitize.ts';

const name = { parameter: 'emoji_name', label: 'NAME' } as const;

const spelled = (emoji_name: string) => oneLine(emoji_name.trim().toLowerCase());

export const customEmoji = commands('customEmoji', 'Custom emoji of the organization', {
  list: {
    columns: { emoji: ['id', 'name', 'deactivated', ['source_url', 'PICTURE']] },
    empty: 'There are no custom emoji.',
  },
  upload: {
    args: [name, 'file'],
    done: ({ parameters }) => `Added the emoji :${spelled(parameters.emoji_name)}:.`,
    examples: ['custom-emoji upload gruel ./gruel.png'],
  },
  deactivate: {
    args: [name],
    confirm: 'Deactivate this emoji permanently?',
    done: ({ parameters }) => `Deactivated the emoji :${spelled(parameters.emoji_name)}:.`,
    examples: ['custom-emoji deactivate gruel', 'custom-emoji deactivate gruel --yes'],
  },
});
