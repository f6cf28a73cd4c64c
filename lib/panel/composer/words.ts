import { counted } from '../plural.ts';

/** Texts of the composer. */
export const composerWords = {
  writeMessage: 'Write a message',
  send: 'Send',
  sendWith: (send: string, key: string) => `${send} (${key})`,
  attachFiles: 'Attach files',
  insertEmoji: 'Insert emoji',
  suggestions: 'Suggestions',
  suggestionCount: (count: number) => counted(count, 'suggestion', 'suggestions'),
  charactersLeft: (count: number) => `${counted(count, 'character', 'characters')} left`,
  charactersTooMany: (count: number) => `${counted(count, 'character', 'characters')} too many`,
  pasteTooLong: (length: number, limit: number) =>
    `The text has ${counted(length, 'character', 'characters')}. A message can have ${limit.toLocaleString('en')}.`,
  attachAsFile: 'Attach it as a file',
  dismiss: 'Dismiss',
  pastedFileName: 'pasted-text.txt',

  uploads: 'Files',
  uploadProgress: (name: string) => `Uploading ${name}`,
  uploadDone: (name: string) => `${name} is attached.`,
  uploadFailed: (name: string, reason: string) => `${name} could not be uploaded: ${reason}`,
  uploadTooLarge: (name: string, mib: number) => `${name} is larger than the limit of ${mib} MiB.`,
  uploadCancel: (name: string) => `Cancel the upload of ${name}`,
  uploadRetry: (name: string) => `Retry the upload of ${name}`,
  uploadRemove: (name: string) => `Remove ${name}`,
  uploadsTooMany: (count: number) => `At most ${count} files at once. Add the others again.`,
  waitForUploads: 'Wait until all files are uploaded, or remove them',

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
};
