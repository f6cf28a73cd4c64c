/** Texts in the content of messages. */
export const contentWords = {
  spoiler: 'Spoiler',
  copyCode: 'Copy code',
  copy: 'Copy',
  copied: 'Copied',
  code: 'Code',
  table: 'Table',
  loadImage: (host: string) => `Load image from ${host}`,
  loadVideo: (host: string) => `Load video from ${host}`,
  loadAudio: (host: string) => `Load audio from ${host}`,
  mediaFailed: 'Could not be loaded:',
  fileFailed: (reason: string) => `The file could not be opened: ${reason}`,
};
