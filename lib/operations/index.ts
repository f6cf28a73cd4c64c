import { createBot } from './bots/create.ts';
import { deactivateBot } from './bots/deactivate.ts';
import { getBotApiKey } from './bots/get-api-key.ts';
import { listBots } from './bots/list.ts';
import { regenerateBotApiKey } from './bots/regenerate-api-key.ts';
import { createChannelFolder } from './channel-folders/create.ts';
import { listChannelFolders } from './channel-folders/list.ts';
import { archiveChannel } from './channels/archive.ts';
import { createChannelOperation } from './channels/create.ts';
import { editChannel } from './channels/edit.ts';
import { getChannel } from './channels/get.ts';
import { getChannelId } from './channels/get-id.ts';
import { listChannels } from './channels/list.ts';
import { listSubscribers } from './channels/subscribers.ts';
import { deactivateCustomEmoji } from './custom-emoji/deactivate.ts';
import { listCustomEmoji } from './custom-emoji/list.ts';
import { uploadCustomEmoji } from './custom-emoji/upload.ts';
import { addDefaultChannel } from './default-channels/add.ts';
import { removeDefaultChannel } from './default-channels/remove.ts';
import { devFetchApiKey } from './dev-fetch-api-key.ts';
import { deleteEventQueue } from './events/delete.ts';
import { listEvents } from './events/list.ts';
import { fetchApiKey } from './fetch-api-key.ts';
import { createLinkifier } from './linkifiers/create.ts';
import { editLinkifier } from './linkifiers/edit.ts';
import { listLinkifiers } from './linkifiers/list.ts';
import { removeLinkifier } from './linkifiers/remove.ts';
import { reorderLinkifiers } from './linkifiers/reorder.ts';
import { addReaction } from './messages/add-reaction.ts';
import { deleteMessage } from './messages/delete.ts';
import { editMessage } from './messages/edit.ts';
import { getMessage } from './messages/get.ts';
import { getMessageHistory } from './messages/history.ts';
import { listMessages } from './messages/list.ts';
import { markAllRead } from './messages/mark-all-read.ts';
import { markChannelRead } from './messages/mark-channel-read.ts';
import { markTopicRead } from './messages/mark-topic-read.ts';
import { listReadReceipts } from './messages/read-receipts.ts';
import { removeReaction } from './messages/remove-reaction.ts';
import { renderMessageOperation } from './messages/render.ts';
import { sendMessage } from './messages/send.ts';
import { updateMessageFlags } from './messages/update-flags.ts';
import { updateMessageFlagsNarrow } from './messages/update-flags-narrow.ts';
import { editOrganization } from './organization/edit.ts';
import { createPlayground } from './playgrounds/create.ts';
import { removePlayground } from './playgrounds/remove.ts';
import { register } from './register.ts';
import { getServerSettings } from './server-settings/get.ts';
import { editSettings } from './settings/edit.ts';
import { addSubscriptions } from './subscriptions/add.ts';
import { listSubscriptions } from './subscriptions/list.ts';
import { removeSubscriptions } from './subscriptions/remove.ts';
import { updateSubscriptionProperties } from './subscriptions/update-properties.ts';
import { listTopics } from './topics/list.ts';
import { listUserGroups } from './user-groups/list.ts';
import { createUser } from './users/create.ts';
import { deactivateUser } from './users/deactivate.ts';
import { deactivateMe } from './users/deactivate-me.ts';
import { getUser } from './users/get.ts';
import { getUserByEmail } from './users/get-by-email.ts';
import { listUsers } from './users/list.ts';
import { getMe } from './users/me.ts';
import { reactivateUser } from './users/reactivate.ts';
import { regenerateApiKey } from './users/regenerate-api-key.ts';

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
