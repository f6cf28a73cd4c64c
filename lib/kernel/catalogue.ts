import { archiveChannel } from '../domains/channels/channels/archive.ts';
import { createChannelOperation } from '../domains/channels/channels/create.ts';
import { editChannel } from '../domains/channels/channels/edit.ts';
import { getChannel } from '../domains/channels/channels/get.ts';
import { getChannelId } from '../domains/channels/channels/get-id.ts';
import { listChannels } from '../domains/channels/channels/list.ts';
import { listSubscribers } from '../domains/channels/channels/subscribers.ts';
import { addDefaultChannel } from '../domains/channels/defaults/add.ts';
import { removeDefaultChannel } from '../domains/channels/defaults/remove.ts';
import { createChannelFolder } from '../domains/channels/folders/create.ts';
import { listChannelFolders } from '../domains/channels/folders/list.ts';
import { addSubscriptions } from '../domains/channels/subscriptions/add.ts';
import { listSubscriptions } from '../domains/channels/subscriptions/list.ts';
import { removeSubscriptions } from '../domains/channels/subscriptions/remove.ts';
import { updateSubscriptionProperties } from '../domains/channels/subscriptions/update-properties.ts';
import { listTopics } from '../domains/channels/topics/list.ts';
import { deleteEventQueue } from '../domains/events/queues/delete.ts';
import { listEvents } from '../domains/events/queues/list.ts';
import { register } from '../domains/events/queues/register.ts';
import { deleteMessage } from '../domains/messages/editing/delete.ts';
import { editMessage } from '../domains/messages/editing/edit.ts';
import { markAllRead } from '../domains/messages/flags/mark-all-read.ts';
import { markChannelRead } from '../domains/messages/flags/mark-channel-read.ts';
import { markTopicRead } from '../domains/messages/flags/mark-topic-read.ts';
import { listReadReceipts } from '../domains/messages/flags/read-receipts.ts';
import { updateMessageFlags } from '../domains/messages/flags/update-flags.ts';
import { updateMessageFlagsNarrow } from '../domains/messages/flags/update-flags-narrow.ts';
import { getMessageHistory } from '../domains/messages/history/history.ts';
import { getMessage } from '../domains/messages/listing/get.ts';
import { listMessages } from '../domains/messages/listing/list.ts';
import { renderMessageOperation } from '../domains/messages/posting/render.ts';
import { sendMessage } from '../domains/messages/posting/send.ts';
import { addReaction } from '../domains/messages/reactions/add-reaction.ts';
import { removeReaction } from '../domains/messages/reactions/remove-reaction.ts';
import { deactivateCustomEmoji } from '../domains/organization/custom-emoji/deactivate.ts';
import { listCustomEmoji } from '../domains/organization/custom-emoji/list.ts';
import { uploadCustomEmoji } from '../domains/organization/custom-emoji/upload.ts';
import { createLinkifier } from '../domains/organization/linkifiers/create.ts';
import { editLinkifier } from '../domains/organization/linkifiers/edit.ts';
import { listLinkifiers } from '../domains/organization/linkifiers/list.ts';
import { removeLinkifier } from '../domains/organization/linkifiers/remove.ts';
import { reorderLinkifiers } from '../domains/organization/linkifiers/reorder.ts';
import { createPlayground } from '../domains/organization/playgrounds/create.ts';
import { removePlayground } from '../domains/organization/playgrounds/remove.ts';
import { editOrganization } from '../domains/organization/settings/edit.ts';
import { listUserGroups } from '../domains/user-groups/groups/list.ts';
import { createUser } from '../domains/users/accounts/create.ts';
import { deactivateUser } from '../domains/users/accounts/deactivate.ts';
import { deactivateMe } from '../domains/users/accounts/deactivate-me.ts';
import { getUser } from '../domains/users/accounts/get.ts';
import { getUserByEmail } from '../domains/users/accounts/get-by-email.ts';
import { listUsers } from '../domains/users/accounts/list.ts';
import { getMe } from '../domains/users/accounts/me.ts';
import { reactivateUser } from '../domains/users/accounts/reactivate.ts';
import { regenerateApiKey } from '../domains/users/accounts/regenerate-api-key.ts';
import { createBot } from '../domains/users/bots/create.ts';
import { deactivateBot } from '../domains/users/bots/deactivate.ts';
import { getBotApiKey } from '../domains/users/bots/get-api-key.ts';
import { listBots } from '../domains/users/bots/list.ts';
import { regenerateBotApiKey } from '../domains/users/bots/regenerate-api-key.ts';
import { getServerSettings } from '../domains/users/server-settings/get.ts';
import { editSettings } from '../domains/users/settings/edit.ts';
import { devFetchApiKey } from '../domains/users/sign-in/dev-fetch-api-key.ts';
import { fetchApiKey } from '../domains/users/sign-in/fetch-api-key.ts';

/** Every operation, in the order of the API: the table of contents of the product. */
export const catalogue = [
  // Signing in
  getServerSettings,
  fetchApiKey,
  devFetchApiKey,

  // Real time
  register,
  listEvents,
  deleteEventQueue,

  // Messages
  sendMessage,
  listMessages,
  getMessage,
  editMessage,
  deleteMessage,
  getMessageHistory,
  updateMessageFlags,
  updateMessageFlagsNarrow,
  markAllRead,
  markChannelRead,
  markTopicRead,
  listReadReceipts,
  addReaction,
  removeReaction,
  renderMessageOperation,

  // Custom emoji
  listCustomEmoji,
  uploadCustomEmoji,
  deactivateCustomEmoji,

  // Channels
  listChannels,
  getChannel,
  getChannelId,
  createChannelOperation,
  editChannel,
  archiveChannel,
  listSubscribers,
  listTopics,
  addDefaultChannel,
  removeDefaultChannel,
  listChannelFolders,
  createChannelFolder,

  // Subscriptions
  listSubscriptions,
  addSubscriptions,
  removeSubscriptions,
  updateSubscriptionProperties,

  // Accounts
  listUsers,
  getMe,
  getUser,
  getUserByEmail,
  createUser,
  deactivateUser,
  deactivateMe,
  reactivateUser,
  regenerateApiKey,
  editSettings,

  // User groups
  listUserGroups,

  // Bots
  listBots,
  createBot,
  getBotApiKey,
  regenerateBotApiKey,
  deactivateBot,

  // The organization
  editOrganization,
  listLinkifiers,
  createLinkifier,
  editLinkifier,
  removeLinkifier,
  reorderLinkifiers,
  createPlayground,
  removePlayground,
] as const;
