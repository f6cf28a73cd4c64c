/** The texts of pages and dialogs about people, in English. */
import { withWords } from '../context.ts';
import { APP_WORDS } from './app-words.ts';
import { counted } from './conversation-words.ts';

export const PEOPLE_WORDS = {
  bot: 'bot',

  moreMatches: 'There may be more. Type more of the name.',
  invitePeople: 'Invite people',
  code: 'Code of your authenticator app, or a recovery code',
  invited: (name: string) => `${name} is subscribed now.`,

  channelPeople: 'Add people',
  channelPeopleFull: 'Add more people when the channel is there.',
  chooseOrClear: 'Choose a person from the list, or clear this field.',

  searchPeople: 'Search people',
  noPeople: 'No user matches.',
  profileOf: (name: string) => `Profile of ${name}`,
  sendDirect: 'Send a message',
  mention: 'Mention',
  editAccount: 'Edit account',
  groupsInCommon: 'Groups in common',
  add: 'Add',
  startConversation: 'Start conversation',
  recipients: 'Recipients',
  removeRecipient: (name: string) => `Remove ${name}`,
  tooManyRecipients: 'A conversation has at most 20 people.',
  setStatus: 'Set a status',
  statusText: 'Status',
  statusHint: 'Others see it in your profile.',
  statusEmoji: (name: string | undefined) => (name === undefined ? 'Choose an emoji' : `Emoji: ${name}`),
  statusDuration: 'How long',
  statusStays: 'Until I change it',
  statusEndHint: 'The status says until when. The chat removes it then, or when you next open it in this browser.',
  statusMinutes: (minutes: number) =>
    minutes < 60 ? counted(minutes, 'minute', 'minutes') : counted(minutes / 60, 'hour', 'hours'),
  statusToday: 'Today',
  statusUntil: (text: string, time: string) => (text ? `${text} (until ${time})` : `until ${time}`),
  statusPresets: {
    meeting: 'In a meeting',
    lunch: 'At lunch',
    commuting: 'Commuting',
    remote: 'At home',
    sick: 'Out sick',
    vacation: 'On vacation',
  },
  suggestedStatuses: 'Suggestions',
  statusSet: (text: string) => (text ? `Your status: ${text}` : 'You have a new status.'),
  statusCleared: 'You have no status now.',
  clearStatus: 'Clear status',
  noStatus: 'You have no status.',
  email: 'E-mail address',
  role: 'Role',
  roleNames: { 100: 'Owner', 200: 'Administrator', 300: 'Moderator', 400: 'Member', 600: 'Guest' } as Record<
    number,
    string
  >,
  localTime: 'Local time',
  muteUser: 'Mute user',
  unmuteUser: 'Unmute user',

  inviteAddresses: 'E-mail addresses, separated by commas, spaces or new lines',
  inviteExpires: 'Valid for',
  inviteExpiresDefault: 'Default time',
  days: (count: number) => counted(count, 'day', 'days'),
  never: 'Until revoked',
  defaultChannels: (names: string) => `Default channels: ${names}`,
  sendInvitations: 'Send invitations',
  createLink: 'Create a link for many',
  inviteLink: 'Invitation link',
  inviteLinkHint: 'Anyone with this link can join.',
  invitationsSent: 'Invitations sent.',
  notMailed: 'This server sends no e-mail. Send each person their link:',
  notMailedAsk: 'This server sends no e-mail. Ask an administrator to send the links to these people:',
  pendingInvitations: (count: number) => `Pending invitations (${count.toLocaleString('en')})`,
  invitedBy: (name: string) => `invited by ${name}`,
  expires: (time: string) => `expires ${time}`,
  noEmail: 'no e-mail sent',
  resendInvitation: 'Send again',
  revokeInvitation: 'Revoke',
  revokeQuestion: 'Revoke this invitation? Its link stops working.',
};

export const usePeopleWords = withWords({ ...APP_WORDS, ...PEOPLE_WORDS });
