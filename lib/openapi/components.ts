// Written by `npm run documents` from the schemas and the commands; a test compares.
import type * as v from 'valibot';
import { groupSetting, groupSettingUpdate } from '../base/schemas.ts';
import { channelObject, subscriptionObject } from '../domains/channels/channel-view.ts';
import { channelFolderObject } from '../domains/channels/folders/folder.ts';
import { principalList } from '../domains/channels/subscribing.ts';
import { draftObject } from '../domains/messages/drafts/draft.ts';
import {
  messageObject,
  sharedMessageObject,
  submessageObject,
  topicLinkObject,
} from '../domains/messages/message-view.ts';
import { narrowTerm } from '../domains/messages/message-window.ts';
import { navigationViewObject } from '../domains/messages/navigation-views/view.ts';
import {
  slackReply,
  slackRequest,
  zulipReply,
  zulipRequest,
} from '../domains/messages/outgoing-webhooks/webhook-calls.ts';
import { reminderObject } from '../domains/messages/reminders/reminder.ts';
import { snippetObject } from '../domains/messages/saved-snippets/snippet.ts';
import { scheduledMessageObject } from '../domains/messages/scheduled-messages/scheduled-message.ts';
import { domainObject } from '../domains/organization/allowed-domains/domain-list.ts';
import { customEmojiObject } from '../domains/organization/custom-emoji/custom-emoji.ts';
import { linkifierObject } from '../domains/organization/linkifiers/linkifier.ts';
import { playgroundObject } from '../domains/organization/playgrounds/playground.ts';
import { attachmentObject } from '../domains/uploads/attachments.ts';
import { groupObject } from '../domains/user-groups/group.ts';
import { botObject } from '../domains/users/bots/bot.ts';
import { profileFieldObject } from '../domains/users/profile-fields/field.ts';
import { statusObject, userObject } from '../views/user-view.ts';

/** Schemas that operations share, by their names in the OpenAPI description. */
export const SHARED: Readonly<Record<string, v.GenericSchema>> = {
  AllowedDomain: domainObject,
  Attachment: attachmentObject,
  Bot: botObject,
  Channel: channelObject,
  ChannelFolder: channelFolderObject,
  CustomEmoji: customEmojiObject,
  Draft: draftObject,
  GroupSetting: groupSetting,
  GroupSettingUpdate: groupSettingUpdate,
  Linkifier: linkifierObject,
  Message: messageObject,
  NarrowTerm: narrowTerm,
  NavigationView: navigationViewObject,
  Playground: playgroundObject,
  Principals: principalList,
  ProfileField: profileFieldObject,
  Reminder: reminderObject,
  SavedSnippet: snippetObject,
  ScheduledMessage: scheduledMessageObject,
  SlackWebhookReply: slackReply,
  SlackWebhookRequest: slackRequest,
  Submessage: submessageObject,
  Subscription: subscriptionObject,
  TopicLink: topicLinkObject,
  User: userObject,
  UserGroup: groupObject,
  UserStatus: statusObject,
  WebhookMessage: sharedMessageObject,
  ZulipWebhookReply: zulipReply,
  ZulipWebhookRequest: zulipRequest,
};

/** The subject of each group of operations. */
export const GROUP_TITLES: Readonly<Record<string, string>> = {
  general: 'Sign in and register for events',
  alertWords: 'Words that notify you in any message',
  allowedDomains: 'E-mail domains that may join',
  avatars: 'Your profile picture',
  botStorage: 'Key-value storage for bots, per account',
  bots: 'Bots and their API keys',
  channelFolders: 'Folders that group channels',
  channels: 'Channels and their settings',
  customEmoji: 'Custom emoji of the organization',
  defaultChannels: 'Channels for new users',
  drafts: 'Drafts of messages',
  events: 'Real-time events and event queues',
  exports: 'Exports of the organization',
  invites: 'Invitations and invitation links',
  linkifiers: 'Text patterns that become links',
  messages: 'Messages, reactions and history',
  mutedUsers: 'Users that you mute',
  navigationViews: 'Views in your sidebar',
  organization: 'Organization settings and permissions',
  passwords: 'Reset a forgotten password',
  playgrounds: 'Websites that run code blocks',
  presence: 'Which users are online',
  profileFields: 'Custom profile fields',
  push: 'Devices and browsers with push notifications',
  reminders: 'Reminders about messages',
  reports: 'Reports of messages, for moderators',
  rooms: 'Private conversations of customers with staff',
  savedSnippets: 'Saved texts for messages',
  scheduledMessages: 'Messages that are sent later',
  secondFactor: 'A second factor for your password',
  serverSettings: 'Server settings (no login needed)',
  settings: 'Your own settings',
  subscriptions: 'Channel subscriptions',
  tokens: 'Logins for a limited time',
  topics: 'Topics of channels',
  typing: 'Typing notifications',
  uploads: 'Uploaded files',
  userGroups: 'User groups',
  userSettingsDefaults: 'Default settings of new accounts',
  userStatus: 'Status texts and emoji of users',
  userTopics: 'Muted, unmuted and followed topics',
  users: 'User accounts',
  webhooks: 'Messages from other programs',
};
