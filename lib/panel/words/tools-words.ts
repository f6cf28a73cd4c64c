/** The texts of the buttons below a composer and of completion, in English. */
import { withWords } from '../context.ts';

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
  scheduledFor: (time: string) => `Scheduled for ${time}.`,
  undoScheduled: 'Undo',
  commands: { '/poll': 'Start a poll', '/todo': 'Start a to-do list' } as Readonly<Record<string, string>>,
};

export const useTools = withWords(TOOLS_WORDS);
