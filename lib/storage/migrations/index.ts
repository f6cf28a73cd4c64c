// Written by `npm run documents` from the names of the files; a test compares.
import { foundation } from './0001-foundation.ts';
import { messagesInFull } from './0002-messages-in-full.ts';
import { emojiImages } from './0003-emoji-images.ts';
import { linkifiers } from './0004-linkifiers.ts';
import { placesVersion } from './0005-places-version.ts';
import { playgrounds } from './0006-playgrounds.ts';
import { fillFoldedContent, foldedContent } from './0007-folded-content.ts';
import { dueWork } from './0008-due-work.ts';
import { queueHolders } from './0009-queue-holders.ts';
import { fillOutsideReactions, outsideReactions } from './0010-outside-reactions.ts';
import { requiredSchema } from './0011-required-schema.ts';
import { accountRights } from './0012-account-rights.ts';
import { fillProfiles, profiles } from './0013-profiles.ts';
import { statusesMutesAlertWords } from './0014-statuses-mutes-alert-words.ts';
import { presence } from './0015-presence.ts';
import { userTopics } from './0016-user-topics.ts';
import { scheduledMessages } from './0017-scheduled-messages.ts';
import { draftsSnippetsViews } from './0018-drafts-snippets-views.ts';
import { invitations } from './0019-invitations.ts';
import { passwordResets } from './0020-password-resets.ts';
import { addressProofs } from './0021-address-proofs.ts';
import { numberedInvitations } from './0022-numbered-invitations.ts';
import { endedInvitations } from './0023-ended-invitations.ts';
import { uploads } from './0024-uploads.ts';
import { resumableUploads } from './0025-resumable-uploads.ts';
import { push } from './0026-push.ts';
import { notifiedTokens } from './0027-notified-tokens.ts';
import { boundedQueues } from './0028-bounded-queues.ts';
import { floorlessRanges } from './0029-floorless-ranges.ts';
import { fillSearchIndex, searchIndex } from './0030-search-index.ts';
import { fillSubscriberCounts, subscriberCounts } from './0031-subscriber-counts.ts';
import { eventCursors } from './0032-event-cursors.ts';
import { auditLog } from './0033-audit-log.ts';
import { botServices } from './0034-bot-services.ts';
import { botStorage } from './0035-bot-storage.ts';
import { groupNames } from './0036-group-names.ts';
import { botStorageInBytes } from './0037-bot-storage-in-bytes.ts';
import { logBreaks } from './0038-log-breaks.ts';
import { coveredReading } from './0039-covered-reading.ts';
import { submessages } from './0040-submessages.ts';
import { sentDeliveries } from './0041-sent-deliveries.ts';
import { botNotices } from './0042-bot-notices.ts';
import { sentTimes } from './0043-sent-times.ts';
import { fillReadArchived, readArchived } from './0044-read-archived.ts';
import { idempotencyKeys } from './0045-idempotency-keys.ts';
import { endedLogins } from './0046-ended-logins.ts';
import { externalIds } from './0047-external-ids.ts';
import { verifiedAddresses } from './0048-verified-addresses.ts';
import type { Migration } from './migration.ts';

/** In order; a released one never changes. */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'foundation', sql: foundation },
  { version: 2, name: 'messages in full', sql: messagesInFull },
  { version: 3, name: 'emoji images', sql: emojiImages },
  { version: 4, name: 'linkifiers', sql: linkifiers },
  { version: 5, name: 'places version', sql: placesVersion },
  { version: 6, name: 'playgrounds', sql: playgrounds },
  { version: 7, name: 'folded content', sql: foldedContent, fill: fillFoldedContent },
  { version: 8, name: 'due work', sql: dueWork },
  { version: 9, name: 'queue holders', sql: queueHolders },
  { version: 10, name: 'outside reactions', sql: outsideReactions, fill: fillOutsideReactions },
  { version: 11, name: 'required schema', sql: requiredSchema },
  { version: 12, name: 'account rights', sql: accountRights },
  { version: 13, name: 'profiles', sql: profiles, fill: fillProfiles },
  { version: 14, name: 'statuses mutes alert words', sql: statusesMutesAlertWords },
  { version: 15, name: 'presence', sql: presence },
  { version: 16, name: 'user topics', sql: userTopics },
  { version: 17, name: 'scheduled messages', sql: scheduledMessages },
  { version: 18, name: 'drafts snippets views', sql: draftsSnippetsViews },
  { version: 19, name: 'invitations', sql: invitations },
  { version: 20, name: 'password resets', sql: passwordResets },
  { version: 21, name: 'address proofs', sql: addressProofs },
  { version: 22, name: 'numbered invitations', sql: numberedInvitations, isBreaking: true },
  { version: 23, name: 'ended invitations', sql: endedInvitations },
  { version: 24, name: 'uploads', sql: uploads },
  { version: 25, name: 'resumable uploads', sql: resumableUploads },
  { version: 26, name: 'push', sql: push },
  { version: 27, name: 'notified tokens', sql: notifiedTokens },
  { version: 28, name: 'bounded queues', sql: boundedQueues },
  { version: 29, name: 'floorless ranges', sql: floorlessRanges },
  { version: 30, name: 'search index', sql: searchIndex, fill: fillSearchIndex, isBreaking: true },
  { version: 31, name: 'subscriber counts', sql: subscriberCounts, fill: fillSubscriberCounts, isBreaking: true },
  { version: 32, name: 'event cursors', sql: eventCursors, isBreaking: true },
  { version: 33, name: 'audit log', sql: auditLog },
  { version: 34, name: 'bot services', sql: botServices },
  { version: 35, name: 'bot storage', sql: botStorage },
  { version: 36, name: 'group names', sql: groupNames },
  { version: 37, name: 'bot storage in bytes', sql: botStorageInBytes, isBreaking: true },
  { version: 38, name: 'log breaks', sql: logBreaks },
  { version: 39, name: 'covered reading', sql: coveredReading },
  { version: 40, name: 'submessages', sql: submessages },
  { version: 41, name: 'sent deliveries', sql: sentDeliveries },
  { version: 42, name: 'bot notices', sql: botNotices },
  { version: 43, name: 'sent times', sql: sentTimes },
  { version: 44, name: 'read archived', sql: readArchived, fill: fillReadArchived },
  { version: 45, name: 'idempotency keys', sql: idempotencyKeys },
  { version: 46, name: 'ended logins', sql: endedLogins },
  { version: 47, name: 'external ids', sql: externalIds },
  { version: 48, name: 'verified addresses', sql: verifiedAddresses },
];
