/** The texts of the buttons below a composer and of completion, in English. */
import { withWords } from '../context.ts';
import { counted } from './conversation-words.ts';
import { DEFERRED_WORDS } from './deferred-words.ts';

export const TOOLS_WORDS = {
  formatting: 'Formatting',
  showFormatting: 'Show formatting',
  formats: {
    bold: 'Bold',
    italic: 'Italic',
    code: 'Code',
    link: 'Link',
    quote: 'Quote',
    list: 'List',
  },
  withKey: (name: string, key: string) => `${name} (${key})`,
  preview: 'Preview',
  snippets: 'Snippets',
  sendLater: 'Schedule message',
  attachFiles: 'Attach files',
  insertEmoji: 'Insert emoji',
  suggestionCount: (count: number) => counted(count, 'suggestion', 'suggestions'),
  uploadDone: (name: string) => `${name} is attached.`,
  uploadFailed: (name: string, reason: string) => `${name} could not be uploaded: ${reason}`,
  uploadTooLarge: (name: string, mib: number) => `${name} is larger than the limit of ${mib} MiB.`,
  uploadsTooMany: (count: number) => `At most ${count} files at once. Add the others again.`,
  commands: { '/poll': 'Start a poll', '/todo': 'Start a to-do list' } as Readonly<Record<string, string>>,
};

export const useTools = withWords({ ...DEFERRED_WORDS, ...TOOLS_WORDS });
