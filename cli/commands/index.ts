// Written by `npm run documents` from the names of the files; a test compares.
export { botStorage, bots } from './bots.ts';
export { channelFolders, channels, defaultChannels, topics } from './channels.ts';
export { events, push, topLevelCommands } from './events.ts';
export { invites } from './invites.ts';
export { messages, reports } from './messages.ts';
export {
  allowedDomains,
  customEmoji,
  dataExports,
  linkifiers,
  organization,
  playgrounds,
  serverSettings,
  userSettingsDefaults,
} from './organization.ts';
export { presence, typing, userStatus } from './presence.ts';
export { profileFields } from './profile-fields.ts';
export { rooms } from './rooms.ts';
export { drafts, reminders, scheduledMessages } from './scheduled-messages.ts';
export { secondFactor } from './second-factor.ts';
export { alertWords, avatars, mutedUsers, navigationViews, savedSnippets, settings } from './settings.ts';
export { subscriptions, userTopics } from './subscriptions.ts';
export { uploads } from './uploads.ts';
export { userGroups } from './user-groups.ts';
export { passwords, tokens, users } from './users.ts';
export { webhooks } from './webhooks.ts';
