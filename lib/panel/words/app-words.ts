/** The texts of the app around conversations, in English. */
import { withWords } from '../context.ts';
import { counted } from './conversation-words.ts';

export const APP_WORDS = {
  save: 'Save',

  undo: 'Undo',

  inbox: 'Inbox',
  recent: 'Recent conversations',
  drafts: 'Drafts and scheduled',
  navigation: 'Conversations',
  openNavigation: 'All conversations',
  views: 'Views',
  direct: 'Direct messages',
  channels: 'Channels',
  addChannels: 'Add channels',
  people: 'People',
  peopleAndFiles: 'People and files',
  administration: 'Administration',
  settings: 'Settings',
  moreOf: (name: string) => `Actions for ${name}`,
  showMore: (count: number) => `Show more (${count.toLocaleString('en')})`,
  filterChannels: 'Filter channels',
  browseChannels: 'Browse channels',
  newMessage: 'New message',
  newDirect: 'New direct message',
  unreadCount: (count: number) => counted(count, 'unread message', 'unread messages'),
  withMention: 'you are mentioned',
  titleWithUnread: (count: number, title: string) => `(${count}) ${title}`,
  unknownAddress: 'This link is not valid.',
  topicsOf: (channel: string) => `Topics in #${channel}`,

  markRead: 'Mark as read',
  markedRead: 'Marked as read',

  muteTopic: 'Mute topic',
  unmuteTopic: 'Unmute topic',
  followTopic: 'Follow topic',
  unfollowTopic: 'Unfollow topic',
  resolveTopic: 'Mark as resolved',
  unresolveTopic: 'Mark as unresolved',
  muteChannel: 'Mute channel',
  unmuteChannel: 'Unmute channel',
  pinChannel: 'Pin channel',
  unpinChannel: 'Unpin channel',
  muted: 'muted',
  topicIsMuted: 'You have muted this topic.',
  channelIsMuted: 'You have muted this channel.',
  private: 'private',

  search: 'Search',
  goTo: 'Go to',

  subscribe: 'Subscribe',
  unsubscribe: 'Unsubscribe',
  searchChannels: 'Search channels',
  noChannels: 'No channel matches.',
  listAllChannels: 'List all channels',
  subscriberCount: (count: number) => counted(count, 'subscriber', 'subscribers'),
  createChannel: 'Create channel',
  channelName: 'Name',
  channelDescription: 'Description',
  channelPrivate: 'Private: only subscribers see it',
  channelAnnounce: 'Announce the new channel',
  create: 'Create',
  channelSettings: 'Channel settings',
  channelMembers: 'Subscribers',
  archiveChannel: 'Archive channel',
  archiveQuestion: (name: string) => `Archive #${name} for everyone? Its messages stay readable.`,

  profile: 'Profile',
  ownMenu: (name: string) => `${name}: status, profile and settings`,
  unblockUser: 'Unblock',

  shortcuts: 'Keyboard shortcuts',
};

export const useApp = withWords(APP_WORDS);
