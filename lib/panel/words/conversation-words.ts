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
  announceCount: (count: number) => counted(count, 'new message', 'new messages'),
  edited: 'edited',
  moved: 'moved',
  mayBeStale: 'May be out of date',
  isStarred: 'Starred',
  presenceActive: 'active',
  presenceIdle: 'idle',
  presenceOffline: 'offline',

  reactions: 'Reactions',
  reactionBy: (names: string, emoji: string) => `${names} reacted with ${emoji}`,
  youInNames: 'You',
  others: (count: number) => counted(count, 'other', 'others'),
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
  writeTo: (place: string) => `Message ${place}`,
  suggestions: 'Suggestions',

  saved: 'Saved',

  deactivated: (name: string) => `${name} (deactivated)`,
};

/** Texts, and functions that make texts with names and counts. */
export type TextsOf<T> = { readonly [K in keyof T]: T[K] extends string ? string : T[K] };

export type ConversationWords = TextsOf<typeof CONVERSATION_WORDS>;
