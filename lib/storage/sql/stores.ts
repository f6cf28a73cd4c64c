/** The stores of a transaction, under their names in it. */

export { audit } from './audit.ts';
export { botStorage } from './bot-storage.ts';
export { channels } from './channels.ts';
export { conversations } from './conversations.ts';
export { reminders, scheduledMessages } from './deliveries.ts';
export { drafts, navigationViews, savedSnippets } from './drafts.ts';
export { edits } from './edits.ts';
export { customEmoji, reactions } from './emoji.ts';
export { events } from './events.ts';
export { flags } from './flags.ts';
export { groups } from './groups.ts';
export { emailVerifications, invitations } from './invitations.ts';
export { messages } from './messages.ts';
export { linkifiers, organization, playgrounds, profileFields } from './organization.ts';
export { outbox } from './outbox.ts';
export { presences, userStatuses } from './presences.ts';
export { pushDevices, pushNotices, pushTokens } from './push.ts';
export { eventCursors, queues } from './queues.ts';
export { readState } from './read-state.ts';
export { alertWords, mutedUsers } from './reader-settings.ts';
export { retention } from './retention.ts';
export { passwordResets, signInNetworks } from './sign-in.ts';
export { submessages } from './submessages.ts';
export { subscriptions } from './subscriptions.ts';
export { resumableUploads, uploads } from './uploads.ts';
export { userTopics } from './user-topics.ts';
export { avatars, guestVisibility, users } from './users.ts';
