/** The texts of a conversation in English. A page replaces some or all texts with the property `words`. */

const english = new Intl.PluralRules('en');

/** `1 message`, `5 messages`: the form for this count, with the number before it. */
export function counted(count: number, one: string, other: string): string {
  return `${count.toLocaleString('en')} ${english.select(count) === 'one' ? one : other}`;
}

export const CONVERSATION_WORDS = {
  // Conversation: status, messages and their actions.
  loading: 'Loading…',
  cancel: 'Cancel',
  close: 'Close',
  retry: 'Retry',
  back: 'Back',

  status: 'Connection',
  statusBehind: 'Connected again. Fetching what you missed…',
  statusBack: 'Connected again.',
  statusOffline: 'No connection.',
  statusRetryIn: (seconds: number) => `Next attempt in ${counted(seconds, 'second', 'seconds')}.`,
  retryNow: 'Retry now',
  draftsNotStored: 'Your browser stores no drafts. Copy unsent text before you close the page.',

  badSite: (site: string) => `The chat has no valid address: ${site}`,
  noConversation: 'Choose a conversation.',
  channelNotFound: (channel: string) => `There is no channel “${channel}”, or you may not see it.`,
  roomNotFound: 'This conversation does not exist, or you cannot see it.',
  personNotFound: (person: string) => `There is no user “${person}”, or you may not see them.`,
  partFailed: 'This part of the chat could not be loaded. If it fails again, reload the page.',
  startFailed: (reason: string) => `The chat could not start: ${reason}`,

  messageTo: (place: string) => `Message to ${place}`,
  messagesIn: (place: string) => `Messages in ${place}`,
  empty: 'No messages yet. Write the first one.',
  emptyView: 'No messages here.',
  historyLimited: 'Older messages are not available.',
  beginning: 'This is the beginning of the conversation.',
  unreachable: 'There is no connection to the chat. Try again when you are online.',
  goneOrHidden: 'This place does not exist any more, or you may not see it. Choose another conversation.',
  loadFailed: 'Could not load messages.',
  newMessages: 'New messages',
  jumpToNewest: 'Jump to newest',
  jumpToNewestOf: (count: number) => `${counted(count, 'new message', 'new messages')} below`,
  unsubscribed: 'You are not subscribed to this channel. New messages may be missing.',
  archived: 'This channel is archived.',
  noTopic: 'general chat',
  you: 'You',
  unknownUser: 'Unknown user',
  notesToYourself: 'Notes to yourself',
  allMessages: 'All messages',
  mentions: 'Mentions',
  starred: 'Starred messages',
  searchResults: 'Search results',
  messageBy: (sender: string, time: string) => `${sender}, ${time}`,
  newMessageBy: (sender: string, text: string) => `${sender}: ${text}`,
  announceCount: (count: number) => counted(count, 'new message', 'new messages'),
  edited: 'edited',
  moved: 'moved',
  mayBeStale: 'May be out of date',
  isStarred: 'Starred',
  presenceActive: 'active',
  presenceIdle: 'idle',
  presenceOffline: 'offline',

  typingOne: (name: string) => `${name} is typing…`,
  typingMany: (names: string) => `${names} are typing…`,
  typingSeveral: 'Several people are typing…',

  sending: 'Sending…',
  sendingSlow: 'Still sending…',
  sendingUnsure: 'The connection broke. This message may not have arrived.',
  sendingFailed: (reason: string) => `Not sent: ${reason}`,
  editAndResend: 'Edit',
  discard: 'Discard',

  actions: 'Message actions',
  moreActions: 'More actions',
  addReaction: 'Add reaction',
  reactions: 'Reactions',
  reactionBy: (names: string, emoji: string) => `${names} reacted with ${emoji}`,
  youInNames: 'You',
  others: (count: number) => counted(count, 'other', 'others'),
  editMessage: 'Edit message',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  copyFailed: 'The browser did not allow copying. Copy this link:',
  channel: 'Channel',
  showHidden: 'Show hidden message',
  actionFailed: (reason: string) => `That did not work: ${reason}`,

  // Content of messages.
  spoiler: 'Spoiler',
  copyCode: 'Copy code',
  copy: 'Copy',
  copied: 'Copied',
  table: 'Table',
  loadImage: (host: string) => `Load image from ${host}`,
  loadVideo: (host: string) => `Load video from ${host}`,
  loadAudio: (host: string) => `Load audio from ${host}`,
  mediaFailed: 'Could not be loaded:',
  fileFailed: (reason: string) => `The file could not be opened: ${reason}`,

  // Composer.
  refusedChannel: 'You have no access to this channel.',
  refusedByDeactivation: (name: string) => `${name} is deactivated and cannot receive messages.`,
  writeTo: (place: string) => `Message ${place}`,
  send: 'Send',
  sendWith: (send: string, key: string) => `${send} (${key})`,
  enterSwitch: 'Enter sends',
  attachFiles: 'Attach files',
  insertEmoji: 'Insert emoji',
  suggestions: 'Suggestions',
  suggestionCount: (count: number) => counted(count, 'suggestion', 'suggestions'),
  charactersLeft: (count: number) => `${counted(count, 'character', 'characters')} left`,
  charactersTooMany: (count: number) => `${counted(count, 'character', 'characters')} too many`,

  uploadDone: (name: string) => `${name} is attached.`,
  uploadFailed: (name: string, reason: string) => `${name} could not be uploaded: ${reason}`,
  uploadTooLarge: (name: string, mib: number) => `${name} is larger than the limit of ${mib} MiB.`,
  uploadsTooMany: (count: number) => `At most ${count} files at once. Add the others again.`,
  waitForUploads: 'Wait until all files are uploaded, or remove them',

  saved: 'Saved',

  deactivated: (name: string) => `${name} (deactivated)`,
};

/** Texts, and functions that make texts with names and counts. */
export type TextsOf<T> = { readonly [K in keyof T]: T[K] extends string ? string : T[K] };

export type ConversationWords = TextsOf<typeof CONVERSATION_WORDS>;
