/** The texts of what opens from a composer: sending later, snippets, preview. And those of reminders. In English. */
import { withWords } from '../context.ts';

export const LATER_WORDS = {
  scheduleMessage: 'Schedule message',
  schedule: 'Schedule',
  scheduleWhen: 'When',
  scheduleAt: 'Date and time',
  presets: {
    hour: 'In one hour',
    evening: 'This evening',
    tomorrow: 'Tomorrow morning',
    monday: 'Monday morning',
  },
  scheduledFor: (time: string) => `Scheduled for ${time}.`,
  undoScheduled: 'Undo',
  editScheduled: 'Edit scheduled message',
  messageText: 'Message',

  remindMe: 'Remind me',
  setReminder: 'Set reminder',
  reminderNote: 'Note (optional)',
  reminderSet: (time: string) => `You will be reminded on ${time}.`,

  savedSnippets: 'Saved snippets',
  searchSnippets: 'Search snippets',
  noSnippets: 'You have no saved snippets. Save a text that you write often.',
  noSnippetMatches: 'No snippet matches.',
  saveAsSnippet: 'Save this text as a snippet',
  newSnippet: 'New snippet',
  editSnippet: 'Edit snippet',
  snippetTitle: 'Title',
  snippetText: 'Text',
  saveSnippet: 'Save',

  previewOf: 'Preview of the message',
  previewEmpty: 'Write something to see it here.',

  emojiGroups: {
    recent: 'Recently used',
    custom: 'Of this organization',
    smileys: 'Smileys',
    people: 'People and gestures',
    animals: 'Animals and nature',
    food: 'Food and drink',
    travel: 'Travel and places',
    activities: 'Activities',
    objects: 'Objects',
    symbols: 'Symbols',
    flags: 'Flags',
  },
  skinTone: 'Skin tone',
  skinTones: ['Default', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'] as readonly string[],
};

export const useLater = withWords(LATER_WORDS);
