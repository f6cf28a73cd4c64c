/** The stores of a transaction, under their names in it. */

export { audit } from './audit.ts';
export { channels, subscriptions } from './channels.ts';
export { conversations } from './conversations.ts';
export { dataExports } from './data-exports.ts';
export { reminders, scheduledMessages } from './deliveries.ts';
export { edits } from './edits.ts';
export { emailNotices } from './email-notices.ts';
export { erasure } from './erasure.ts';
export { eventCursors, events, queues } from './events.ts';
export { flags } from './flags.ts';
export { groups } from './groups.ts';
export { idempotency } from './idempotency.ts';
export { imports } from './imports.ts';
export { emailVerifications, invitations } from './invitations.ts';
export { linkPreviews } from './link-previews.ts';
export { messages, reactions, retention, submessages } from './messages.ts';
export {
  customEmoji,
  linkifiers,
  organization,
  organizationPictures,
  playgrounds,
  profileFields,
} from './organization.ts';
export { outbox } from './outbox.ts';
export { alertWords, botStorage, drafts, mutedUsers, navigationViews, savedSnippets, userTopics } from './personal.ts';
export { pushBrowsers, pushDevices, pushNotices, pushTokens } from './push.ts';
export { readState } from './read-state.ts';
export { reports } from './reports.ts';
export { secondFactors } from './second-factors.ts';
export { resumableUploads, uploads } from './uploads.ts';
export {
  avatars,
  externalLogins,
  guestVisibility,
  passwordResets,
  presences,
  signInNetworks,
  userStatuses,
  users,
} from './users.ts';
