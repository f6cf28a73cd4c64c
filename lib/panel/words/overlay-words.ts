/** The texts of what opens above a conversation, in English. */
import { withWords } from '../context.ts';
import { counted } from './conversation-words.ts';
import { DEFERRED_WORDS } from './deferred-words.ts';

export const OVERLAY_WORDS = {
  deleteMessage: 'Delete message',
  deleteQuestion: 'Delete this message for everyone?',
  deleteConfirm: 'Delete',
  quote: 'Quote message',
  viewProfile: 'View profile of sender',
  copyText: 'Copy text',
  star: 'Star message',
  unstar: 'Remove star',
  markUnread: 'Mark as unread from here',
  moveMessages: 'Move messages',
  topic: 'Topic',
  moveWhich: 'Which messages',
  moveOne: 'Only this message',
  moveLater: 'This and later messages',
  moveAll: 'The whole topic',
  move: 'Move',
  viewHistory: 'View edit history',
  historyTitle: 'Edit history',
  historyOriginal: 'Original',
  historyEdit: (name: string) => `Edited by ${name}`,
  historyMove: (name: string) => `Moved by ${name}`,
  historyTopicWas: (before: string, after: string) => `Topic: “${before}” → “${after}”`,
  reportMessage: 'Report message',
  report: 'Report',
  reportReason: 'Reason',
  reportReasons: {
    spam: 'Spam',
    harassment: 'Harassment',
    inappropriate: 'Inappropriate content',
    norms: 'Against our norms',
    other: 'Other',
  },
  reportDetails: 'Details',
  block: (name: string) => `Block ${name}`,
  unblock: (name: string) => `Unblock ${name}`,
  viewReaders: 'View read receipts',
  readersTitle: 'Read by',
  readersNone: 'No one has read this message yet.',

  emoji: 'Emoji',
  searchEmoji: 'Search emoji',
  noEmoji: 'No emoji has this name.',
  emojiFailed: (reason: string) => `The emoji could not be loaded: ${reason}`,

  editLabel: 'Edit message',
  saveEdit: 'Save',
  cancelEdit: 'Cancel',
  editLoading: 'Loading…',
  editFailed: (reason: string) => `The message was not changed: ${reason}`,
  editLoadFailed: (reason: string) => `The message could not be loaded: ${reason}`,
  editTryAgain: 'Try again',
  editChanged: 'This message has changed. Its text is now:',
  editSaveMine: 'Save my text',
  editUseTheirs: 'Use this text',

  notifyAll: 'Notify everybody?',
  notifyAllQuestion: (count: number) =>
    `This message notifies all ${counted(count, 'subscriber', 'subscribers')} of the channel.`,
  notifyAllSend: 'Send and notify',

  writeMessage: 'Write a message',
  newTopic: 'New topic',
  openTopic: 'Open',
  uploads: 'Files',
  uploadProgress: (name: string) => `Uploading ${name}`,
  uploadCancel: (name: string) => `Cancel the upload of ${name}`,
  uploadRetry: (name: string) => `Retry the upload of ${name}`,
  uploadRemove: (name: string) => `Remove ${name}`,
  pasteTooLong: (length: number, limit: number) =>
    `The text has ${counted(length, 'character', 'characters')}. A message can have ${limit.toLocaleString('en')}.`,
  attachAsFile: 'Attach it as a file',
  dismiss: 'Dismiss',
  pastedFileName: 'pasted-text.txt',
  signedOut: 'You are signed out.',
  signedOutExpired: 'Your login has expired.',
  signedOutDeactivated: 'Your account is deactivated. Ask an administrator to reactivate it.',
  signIn: 'Sign in',
  accountChanged: (name: string, former: string) =>
    `You are now signed in as ${name}. This browser keeps unsent text of ${former} until that account signs in again.`,
};

export const useOverlay = withWords({ ...DEFERRED_WORDS, ...OVERLAY_WORDS });

export type OverlayPanel = ReturnType<typeof useOverlay>;
