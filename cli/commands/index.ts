// Written by `npm run documents` from the names of the files; a test compares.
export { bots } from './bots.ts';
export { channelFolders } from './channel-folders.ts';
export { channels } from './channels.ts';
export { customEmoji } from './custom-emoji.ts';
export { defaultChannels } from './default-channels.ts';
export { events } from './events.ts';
export { linkifiers } from './linkifiers.ts';
export { messages } from './messages.ts';
export { organization } from './organization.ts';
export { playgrounds } from './playgrounds.ts';
export { settings } from './settings.ts';
export { subscriptions } from './subscriptions.ts';
export { topics } from './topics.ts';
export { userGroups } from './user-groups.ts';
export { userTopics } from './user-topics.ts';
export { users } from './users.ts';
