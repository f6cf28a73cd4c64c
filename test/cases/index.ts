import type { CaseTable } from '../faces/case.ts';
import { createBotCases } from './bots/create.ts';
import { ownedBotCases } from './bots/owned.ts';
import { createChannelFolderCases } from './channel-folders/create.ts';
import { listChannelFoldersCases } from './channel-folders/list.ts';
import { archiveChannelCases } from './channels/archive.ts';
import { createChannelCases } from './channels/create.ts';
import { editChannelCases } from './channels/edit.ts';
import { getChannelCases } from './channels/get.ts';
import { getChannelIdCases } from './channels/get-id.ts';
import { listChannelsCases } from './channels/list.ts';
import { listSubscribersCases } from './channels/subscribers.ts';
import { deactivateCustomEmojiCases } from './custom-emoji/deactivate.ts';
import { listCustomEmojiCases } from './custom-emoji/list.ts';
import { uploadCustomEmojiCases } from './custom-emoji/upload.ts';
import { addDefaultChannelCases } from './default-channels/add.ts';
import { removeDefaultChannelCases } from './default-channels/remove.ts';
import { devFetchApiKeyCases } from './dev-fetch-api-key.ts';
import { deleteEventQueueCases, listEventsCases } from './events/list.ts';
import { fetchApiKeyCases } from './fetch-api-key.ts';
import { createLinkifierCases } from './linkifiers/create.ts';
import { editLinkifierCases } from './linkifiers/edit.ts';
import { listLinkifiersCases } from './linkifiers/list.ts';
import { removeLinkifierCases } from './linkifiers/remove.ts';
import { reorderLinkifiersCases } from './linkifiers/reorder.ts';
import { addReactionCases } from './messages/add-reaction.ts';
import { deleteMessageCases } from './messages/delete.ts';
import { editMessageCases } from './messages/edit.ts';
import { getMessageCases } from './messages/get.ts';
import { getMessageHistoryCases } from './messages/history.ts';
import { listMessagesCases } from './messages/list.ts';
import {
  deletePolicyCases,
  editPolicyCases,
  historyPolicyCases,
  messagePolicyCases,
  receiptPolicyCases,
  sendPolicyCases,
} from './messages/policies.ts';
import {
  listReadReceiptsCases,
  markAllReadCases,
  markChannelReadCases,
  markTopicReadCases,
  updateMessageFlagsNarrowCases,
} from './messages/read-state.ts';
import { removeReactionCases } from './messages/remove-reaction.ts';
import { renderMessageCases } from './messages/render.ts';
import { sendMessageCases } from './messages/send.ts';
import { updateMessageFlagsCases } from './messages/update-flags.ts';
import { editOrganizationCases } from './organization/edit.ts';
import { organizationEffectCases } from './organization/effects.ts';
import { createPlaygroundCases } from './playgrounds/create.ts';
import { removePlaygroundCases } from './playgrounds/remove.ts';
import { registerCases } from './register.ts';
import { getServerSettingsCases } from './server-settings/get.ts';
import { editSettingsCases } from './settings/edit.ts';
import { addSubscriptionsCases } from './subscriptions/add.ts';
import { listSubscriptionsCases } from './subscriptions/list.ts';
import { removeSubscriptionsCases } from './subscriptions/remove.ts';
import { updateSubscriptionPropertiesCases } from './subscriptions/update-properties.ts';
import { listTopicsCases } from './topics/list.ts';
import { listUserGroupsCases } from './user-groups/list.ts';
import { createUserCases } from './users/create.ts';
import { deactivateUserCases } from './users/deactivate.ts';
import { deactivateMeCases } from './users/deactivate-me.ts';
import { getUserCases } from './users/get.ts';
import { getUserByEmailCases } from './users/get-by-email.ts';
import { listUsersCases } from './users/list.ts';
import { getMeCases } from './users/me.ts';
import { reactivateUserCases } from './users/reactivate.ts';
import { regenerateApiKeyCases } from './users/regenerate-api-key.ts';

/** The cases of every operation, in the order of the catalogue. */
export const tables: readonly CaseTable[] = [
  getServerSettingsCases,
  fetchApiKeyCases,
  devFetchApiKeyCases,
  registerCases,
  listEventsCases,
  deleteEventQueueCases,
  sendMessageCases,
  listMessagesCases,
  getMessageCases,
  editMessageCases,
  deleteMessageCases,
  getMessageHistoryCases,
  updateMessageFlagsCases,
  updateMessageFlagsNarrowCases,
  markAllReadCases,
  markChannelReadCases,
  markTopicReadCases,
  listReadReceiptsCases,
  addReactionCases,
  removeReactionCases,
  renderMessageCases,
  listCustomEmojiCases,
  uploadCustomEmojiCases,
  deactivateCustomEmojiCases,
  listChannelsCases,
  getChannelCases,
  getChannelIdCases,
  createChannelCases,
  editChannelCases,
  archiveChannelCases,
  listSubscribersCases,
  listTopicsCases,
  listChannelFoldersCases,
  createChannelFolderCases,
  listUserGroupsCases,
  addDefaultChannelCases,
  removeDefaultChannelCases,
  listSubscriptionsCases,
  addSubscriptionsCases,
  removeSubscriptionsCases,
  updateSubscriptionPropertiesCases,
  listUsersCases,
  getMeCases,
  getUserCases,
  getUserByEmailCases,
  createUserCases,
  deactivateUserCases,
  deactivateMeCases,
  reactivateUserCases,
  regenerateApiKeyCases,
  editSettingsCases,
  createBotCases,
  ...ownedBotCases,
  historyPolicyCases,
  messagePolicyCases,
  editPolicyCases,
  deletePolicyCases,
  sendPolicyCases,
  receiptPolicyCases,
  editOrganizationCases,
  organizationEffectCases,
  listLinkifiersCases,
  createLinkifierCases,
  editLinkifierCases,
  removeLinkifierCases,
  reorderLinkifiersCases,
  createPlaygroundCases,
  removePlaygroundCases,
];
