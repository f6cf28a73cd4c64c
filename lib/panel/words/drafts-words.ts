/** The texts of the page of drafts, scheduled messages, reminders and snippets, in English. */
import { withWords } from '../context.ts';
import { APP_WORDS } from './app-words.ts';

export const DRAFTS_WORDS = {
  draftsTitle: 'Drafts',
  noDrafts: 'No drafts. A text that you begin and do not send appears here.',
  draftsOnlyHere:
    'Your drafts are only in this browser. Keep them on the server to see them here and in other browsers.',
  keepDrafts: 'Keep drafts on the server',
  withoutPlace: 'Without a recipient',
  openDraft: 'Open',
  deleteDraft: 'Delete',
  draftDeleted: 'Draft deleted.',
  lastEdited: (time: string) => `edited ${time}`,

  scheduled: 'Scheduled messages',
  noScheduled: 'No scheduled messages. Choose “Schedule message” below a message that you write.',
  scheduledTime: (time: string) => `due on ${time}`,
  notSent: 'Not sent. Edit it to set a new time.',
  editText: 'Edit',
  cancelScheduled: 'Cancel',
  scheduledCanceled: 'You canceled the message.',

  reminders: 'Reminders',
  noReminders: 'No reminders. Choose “Remind me” in the menu of a message.',
  reminderTime: (time: string) => `due on ${time}`,
  reminderFailed: 'The server could not send the reminder.',
  deleteReminder: 'Delete',

  snippetsTitle: 'Saved snippets',
  noSnippetsYet: 'No snippets. Save a text that you write often.',
  createSnippet: 'New snippet',
  deleteSnippet: 'Delete',
  snippetDeleted: 'Snippet deleted.',
};

export const useDrafts = withWords({ ...APP_WORDS, ...DRAFTS_WORDS });
