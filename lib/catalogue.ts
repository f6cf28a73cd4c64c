import { channels } from './domains/channels/channels/index.ts';
import { defaultChannels } from './domains/channels/defaults/index.ts';
import { channelFolders } from './domains/channels/folders/index.ts';
import { rooms } from './domains/channels/rooms/index.ts';
import { subscriptions } from './domains/channels/subscriptions/index.ts';
import { topics } from './domains/channels/topics/index.ts';
import { queues } from './domains/events/queues/index.ts';
import { dataExports } from './domains/exports/exports/index.ts';
import { botOwnerNotices } from './domains/messages/bot-owner-notices/index.ts';
import { drafts } from './domains/messages/drafts/index.ts';
import { editing } from './domains/messages/editing/index.ts';
import { flags } from './domains/messages/flags/index.ts';
import { history } from './domains/messages/history/index.ts';
import { incomingWebhooks } from './domains/messages/incoming-webhooks/index.ts';
import { messageLinkPreviews } from './domains/messages/link-previews/index.ts';
import { listing } from './domains/messages/listing/index.ts';
import { moveNotices } from './domains/messages/move-notices/index.ts';
import { navigationViews } from './domains/messages/navigation-views/index.ts';
import { outgoingWebhooks } from './domains/messages/outgoing-webhooks/index.ts';
import { posting } from './domains/messages/posting/index.ts';
import { reactions } from './domains/messages/reactions/index.ts';
import { reminders } from './domains/messages/reminders/index.ts';
import { reports } from './domains/messages/reports/index.ts';
import { retention } from './domains/messages/retention/index.ts';
import { savedSnippets } from './domains/messages/saved-snippets/index.ts';
import { scheduledMessages } from './domains/messages/scheduled-messages/index.ts';
import { submessages } from './domains/messages/submessages/index.ts';
import { typing } from './domains/messages/typing/index.ts';
import { userTopics } from './domains/messages/user-topics/index.ts';
import { notificationDecisions } from './domains/notifications/decision/index.ts';
import { emailNotifications } from './domains/notifications/email/index.ts';
import { allowedDomains } from './domains/organization/allowed-domains/index.ts';
import { customEmoji } from './domains/organization/custom-emoji/index.ts';
import { linkifiers } from './domains/organization/linkifiers/index.ts';
import { organizationPictures } from './domains/organization/pictures/index.ts';
import { playgrounds } from './domains/organization/playgrounds/index.ts';
import { organizationSettings } from './domains/organization/settings/index.ts';
import { pushBrowsers } from './domains/push/browsers/index.ts';
import { pushDevices } from './domains/push/devices/index.ts';
import { legacyPushTokens } from './domains/push/legacy-tokens/index.ts';
import { pushNotifications } from './domains/push/notifications/index.ts';
import { uploads } from './domains/uploads/files/index.ts';
import { userGroups } from './domains/user-groups/groups/index.ts';
import { accounts } from './domains/users/accounts/index.ts';
import { alertWords } from './domains/users/alert-words/index.ts';
import { avatars } from './domains/users/avatars/index.ts';
import { blocks } from './domains/users/blocks/index.ts';
import { botStorage } from './domains/users/bot-storage/index.ts';
import { bots } from './domains/users/bots/index.ts';
import { erasure } from './domains/users/erasure/index.ts';
import { invitations } from './domains/users/invitations/index.ts';
import { mutedUsers } from './domains/users/muted-users/index.ts';
import { passwordReset } from './domains/users/password-reset/index.ts';
import { presence } from './domains/users/presence/index.ts';
import { profileFields } from './domains/users/profile-fields/index.ts';
import { secondFactor } from './domains/users/second-factor/index.ts';
import { serverSettings } from './domains/users/server-settings/index.ts';
import { userSettings } from './domains/users/settings/index.ts';
import { userSettingsDefaults } from './domains/users/settings-defaults/index.ts';
import { signIn } from './domains/users/sign-in/index.ts';
import { userStatus } from './domains/users/status/index.ts';
import { tokens } from './domains/users/tokens/index.ts';
import { sendEmail } from './jobs/outbox.ts';
import { registeredIn } from './operation/feature.ts';
import type { Operation } from './operation/operation.ts';

/** A domain may import only from itself and from the domains before it. */
export const DOMAINS = [
  'organization',
  'uploads',
  'push',
  'notifications',
  'messages',
  'channels',
  'user-groups',
  'exports',
  'users',
  'events',
];

/** Every feature, in the order of the API documentation. */
const features = [
  serverSettings,
  signIn,
  secondFactor,
  tokens,
  passwordReset,
  queues,
  posting,
  messageLinkPreviews,
  outgoingWebhooks,
  incomingWebhooks,
  listing,
  editing,
  history,
  flags,
  reactions,
  submessages,
  reports,
  scheduledMessages,
  reminders,
  userTopics,
  moveNotices,
  botOwnerNotices,
  typing,
  drafts,
  savedSnippets,
  navigationViews,
  retention,
  uploads,
  customEmoji,
  channels,
  topics,
  defaultChannels,
  channelFolders,
  rooms,
  subscriptions,
  accounts,
  erasure,
  invitations,
  profileFields,
  avatars,
  userSettings,
  userSettingsDefaults,
  userStatus,
  mutedUsers,
  blocks,
  alertWords,
  presence,
  userGroups,
  bots,
  botStorage,
  notificationDecisions,
  emailNotifications,
  pushDevices,
  pushBrowsers,
  pushNotifications,
  legacyPushTokens,
  organizationPictures,
  organizationSettings,
  linkifiers,
  playgrounds,
  allowedDomains,
  dataExports,
] as const;

type Features = (typeof features)[number];

/** Every operation. */
export type CatalogueOperation = Features['operations'][number];

export const catalogue: readonly CatalogueOperation[] = features.flatMap<CatalogueOperation>(
  ({ operations }) => operations,
);

/** Every operation, with the types that all of them have. */
export const operations = catalogue as readonly Operation[];

type EventsOf<F> = F extends { events: readonly (infer D)[] } ? D : never;

/** Every kind of event. */
export type EventDeclarations = EventsOf<Features>;

type StateOf<F> = F extends { initialState: infer S } ? S : never;
type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer A) => void ? A : never;

/** Parts of the initial state, by fetch type. */
export type StateParts = Intersection<StateOf<Features>>;

/** Everything that features register besides operations. */
export const registered = registeredIn([{ operations: [], outbox: [sendEmail] }, ...features]);

/** @throws Error for an unknown name */
export function operationNamed(name: CatalogueOperation['name']): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}
