import type { CaseTable } from '../world/case.ts';
import { archiveChannelCases } from './channels/channels/archive.cases.ts';
import { createChannelCases } from './channels/channels/create.cases.ts';
import { editChannelCases } from './channels/channels/edit.cases.ts';
import { getChannelCases } from './channels/channels/get.cases.ts';
import { getChannelIdCases } from './channels/channels/get-id.cases.ts';
import { listChannelsCases } from './channels/channels/list.cases.ts';
import { listSubscribersCases } from './channels/channels/subscribers.cases.ts';
import { addDefaultChannelCases } from './channels/defaults/add.cases.ts';
import { removeDefaultChannelCases } from './channels/defaults/remove.cases.ts';
import { createChannelFolderCases } from './channels/folders/create.cases.ts';
import { listChannelFoldersCases } from './channels/folders/list.cases.ts';
import { addSubscriptionsCases } from './channels/subscriptions/add.cases.ts';
import { listSubscriptionsCases } from './channels/subscriptions/list.cases.ts';
import { removeSubscriptionsCases } from './channels/subscriptions/remove.cases.ts';
import { updateSubscriptionPropertiesCases } from './channels/subscriptions/update-properties.cases.ts';
import { listTopicsCases } from './channels/topics/list.cases.ts';
import { deleteEventQueueCases, listEventsCases } from './events/queues/list.cases.ts';
import { registerCases } from './events/queues/register.cases.ts';
import { deleteMessageCases } from './messages/editing/delete.cases.ts';
import { editMessageCases } from './messages/editing/edit.cases.ts';
import {
  deletePolicyCases,
  editPolicyCases,
  historyPolicyCases,
  messagePolicyCases,
  receiptPolicyCases,
  sendPolicyCases,
} from './messages/editing/policies.cases.ts';
import {
  listReadReceiptsCases,
  markAllReadCases,
  markChannelReadCases,
  markTopicReadCases,
  updateMessageFlagsNarrowCases,
} from './messages/flags/read-state.cases.ts';
import { updateMessageFlagsCases } from './messages/flags/update-flags.cases.ts';
import { getMessageHistoryCases } from './messages/history/history.cases.ts';
import { getMessageCases } from './messages/listing/get.cases.ts';
import { listMessagesCases } from './messages/listing/list.cases.ts';
import { renderMessageCases } from './messages/posting/render.cases.ts';
import { sendMessageCases } from './messages/posting/send.cases.ts';
import { addReactionCases } from './messages/reactions/add-reaction.cases.ts';
import { removeReactionCases } from './messages/reactions/remove-reaction.cases.ts';
import { deactivateCustomEmojiCases } from './organization/custom-emoji/deactivate.cases.ts';
import { listCustomEmojiCases } from './organization/custom-emoji/list.cases.ts';
import { uploadCustomEmojiCases } from './organization/custom-emoji/upload.cases.ts';
import { createLinkifierCases } from './organization/linkifiers/create.cases.ts';
import { editLinkifierCases } from './organization/linkifiers/edit.cases.ts';
import { listLinkifiersCases } from './organization/linkifiers/list.cases.ts';
import { removeLinkifierCases } from './organization/linkifiers/remove.cases.ts';
import { reorderLinkifiersCases } from './organization/linkifiers/reorder.cases.ts';
import { createPlaygroundCases } from './organization/playgrounds/create.cases.ts';
import { removePlaygroundCases } from './organization/playgrounds/remove.cases.ts';
import { editOrganizationCases } from './organization/settings/edit.cases.ts';
import { organizationEffectCases } from './organization/settings/effects.cases.ts';
import { listUserGroupsCases } from './user-groups/groups/list.cases.ts';
import { createUserCases } from './users/accounts/create.cases.ts';
import { deactivateUserCases } from './users/accounts/deactivate.cases.ts';
import { deactivateMeCases } from './users/accounts/deactivate-me.cases.ts';
import { getUserCases } from './users/accounts/get.cases.ts';
import { getUserByEmailCases } from './users/accounts/get-by-email.cases.ts';
import { listUsersCases } from './users/accounts/list.cases.ts';
import { getMeCases } from './users/accounts/me.cases.ts';
import { reactivateUserCases } from './users/accounts/reactivate.cases.ts';
import { regenerateApiKeyCases } from './users/accounts/regenerate-api-key.cases.ts';
import { createBotCases } from './users/bots/create.cases.ts';
import { ownedBotCases } from './users/bots/owned.cases.ts';
import { getServerSettingsCases } from './users/server-settings/get.cases.ts';
import { editSettingsCases } from './users/settings/edit.cases.ts';
import { devFetchApiKeyCases } from './users/sign-in/dev-fetch-api-key.cases.ts';
import { fetchApiKeyCases } from './users/sign-in/fetch-api-key.cases.ts';

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
