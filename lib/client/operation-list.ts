// Written by `npm run documents` from the declarations; a test compares.
import { readLine } from './described-operation.ts';

/** Every operation, for clients that connect over HTTP. */
export const OPERATIONS = `\
serverSettings.get|GET /server_settings||400
fetchApiKey|POST /fetch_api_key||400
devFetchApiKey|POST /dev_fetch_api_key||400
users.setPassword|POST /users/{user_id}/password|i:user_id j:keep_api_key|400
users.getApiKey|GET /users/{user_id}/api_key|i:user_id|400
users.unlock|POST /users/{user_id}/unlock|i:user_id|400
tokens.create|POST /tokens|i:ttl_seconds j:scopes|400
tokens.revoke|DELETE /tokens||400
users.createResetLink|POST /users/{user_id}/reset_link|i:user_id|400
passwords.requestReset|POST /password_reset||400
passwords.checkReset|POST /password_reset/check||400
passwords.reset|POST /password_reset/confirm|j:keep_api_key|400
register|POST /register|i:presence_history_limit_days,queue_lifespan_secs j:apply_markdown,client_gravatar,include_never_subscribed,slim_presence,event_types,fetch_event_types,all_public_streams,narrow,client_capabilities m:include_subscribers,idle_queue_timeout|400
events.list|GET /events|i:last_event_id j:dont_block|long 400
events.delete|DELETE /events||400
messages.send|POST /messages|j:read_by_sender,widget_content m:to|400
messages.render|POST /messages/render|j:strict_content|400
messages.list|GET /messages|i:num_before,num_after j:use_first_unread_anchor,include_anchor,narrow,message_ids,apply_markdown,client_gravatar,allow_empty_topic_name,strict_content m:anchor|400
messages.matchesNarrow|GET /messages/matches_narrow|j:msg_ids,narrow,strict_content|400
messages.get|GET /messages/{message_id}|i:message_id j:apply_markdown,client_gravatar,allow_empty_topic_name,strict_content|400
messages.edit|PATCH /messages/{message_id}|i:message_id,stream_id j:send_notification_to_old_thread,send_notification_to_new_thread|400
messages.delete|DELETE /messages/{message_id}|i:message_id|400
messages.history|GET /messages/{message_id}/history|i:message_id j:allow_empty_topic_name,strict_content|400
messages.updateFlags|POST /messages/flags|j:messages|400
messages.updateFlagsNarrow|POST /messages/flags/narrow|i:num_before,num_after j:include_anchor,narrow m:anchor|400
messages.markAllRead|POST /mark_all_as_read||400
messages.markChannelRead|POST /mark_stream_as_read|i:stream_id|400
messages.markTopicRead|POST /mark_topic_as_read|i:stream_id|400
messages.readReceipts|GET /messages/{message_id}/read_receipts|i:message_id|400
messages.addReaction|POST /messages/{message_id}/reactions|i:message_id|400
messages.removeReaction|DELETE /messages/{message_id}/reactions|i:message_id|400
messages.addSubmessage|POST /submessage|i:message_id|400
messages.report|POST /messages/{message_id}/report|i:message_id|400
scheduledMessages.create|POST /scheduled_messages|i:scheduled_delivery_timestamp j:read_by_sender,to|400
scheduledMessages.edit|PATCH /scheduled_messages/{scheduled_message_id}|i:scheduled_message_id,scheduled_delivery_timestamp j:to|404
scheduledMessages.list|GET /scheduled_messages||400
scheduledMessages.delete|DELETE /scheduled_messages/{scheduled_message_id}|i:scheduled_message_id|404
reminders.create|POST /reminders|i:message_id,scheduled_delivery_timestamp|400
reminders.list|GET /reminders||400
reminders.delete|DELETE /reminders/{reminder_id}|i:reminder_id|404
userTopics.set|POST /user_topics|i:stream_id j:visibility_policy|400
userTopics.mute|PATCH /users/me/subscriptions/muted_topics|i:stream_id|400
userTopics.list|GET /user_topics|j:allow_empty_topic_name|400
typing.send|POST /typing|i:stream_id j:to|400
typing.sendEdit|POST /messages/{message_id}/typing|i:message_id|400
drafts.list|GET /drafts||400
drafts.create|POST /drafts|j:drafts|400
drafts.edit|PATCH /drafts/{draft_id}|i:draft_id j:draft|404
drafts.remove|DELETE /drafts/{draft_id}|i:draft_id|404
savedSnippets.list|GET /saved_snippets||400
savedSnippets.create|POST /saved_snippets||400
savedSnippets.edit|PATCH /saved_snippets/{saved_snippet_id}|i:saved_snippet_id|404
savedSnippets.remove|DELETE /saved_snippets/{saved_snippet_id}|i:saved_snippet_id|404
navigationViews.list|GET /navigation_views||400
navigationViews.add|POST /navigation_views|j:is_pinned|400
navigationViews.edit|PATCH /navigation_views/{fragment}|j:is_pinned|404
navigationViews.remove|DELETE /navigation_views/{fragment}||404
uploads.send|POST /user_uploads|f:file|400
uploads.getTemporaryUrl|GET /user_uploads/{realm_id_str}/{filename*}||file
uploads.list|GET /attachments|i:before_id|400
uploads.remove|DELETE /attachments/{attachment_id}|i:attachment_id|400
customEmoji.list|GET /realm/emoji||400
customEmoji.upload|POST /realm/emoji/{emoji_name}|f:file|400
customEmoji.deactivate|DELETE /realm/emoji/{emoji_name}||404
channels.list|GET /streams|j:include_public,include_web_public,include_subscribed,exclude_archived,include_all,include_all_active,include_default,include_owner_subscribed,include_can_access_content|400
channels.search|GET /streams/search||400
channels.get|GET /streams/{stream_id}|i:stream_id|400
channels.getId|GET /get_stream_id||400
channels.getEmailAddress|GET /streams/{stream_id}/email_address|i:stream_id|400
channels.create|POST /channels/create|i:folder_id j:subscribers,announce,invite_only,is_web_public,is_default_stream,history_public_to_subscribers,can_add_subscribers_group,can_administer_channel_group,can_delete_any_message_group,can_delete_own_message_group,can_move_messages_out_of_channel_group,can_move_messages_within_channel_group,can_remove_subscribers_group,can_resolve_topics_group,can_send_message_group,can_subscribe_group,send_new_subscription_messages m:message_retention_days|400
channels.edit|PATCH /streams/{stream_id}|i:stream_id j:is_private,is_web_public,history_public_to_subscribers,is_default_stream,is_archived,folder_id,can_add_subscribers_group,can_administer_channel_group,can_delete_any_message_group,can_delete_own_message_group,can_move_messages_out_of_channel_group,can_move_messages_within_channel_group,can_remove_subscribers_group,can_resolve_topics_group,can_send_message_group,can_subscribe_group m:message_retention_days|400
channels.archive|DELETE /streams/{stream_id}|i:stream_id|400
channels.subscribers|GET /streams/{stream_id}/members|i:stream_id|400
topics.list|GET /users/me/{stream_id}/topics|i:stream_id j:allow_empty_topic_name|400
topics.delete|POST /streams/{stream_id}/delete_topic|i:stream_id|400
defaultChannels.add|POST /default_streams|i:stream_id|400
defaultChannels.remove|DELETE /default_streams|i:stream_id|400
channelFolders.list|GET /channel_folders|j:include_archived|400
channelFolders.create|POST /channel_folders/create||400
channelFolders.edit|PATCH /channel_folders/{channel_folder_id}|i:channel_folder_id j:is_archived|400
channelFolders.reorder|PATCH /channel_folders|j:order|400
subscriptions.list|GET /users/me/subscriptions|m:include_subscribers|400
subscriptions.get|GET /users/{user_id}/subscriptions/{stream_id}|i:user_id,stream_id|400
subscriptions.add|POST /users/me/subscriptions|i:folder_id j:subscriptions,principals,authorization_errors_fatal,send_new_subscription_messages,announce,invite_only,is_web_public,is_default_stream,history_public_to_subscribers,can_add_subscribers_group,can_administer_channel_group,can_delete_any_message_group,can_delete_own_message_group,can_move_messages_out_of_channel_group,can_move_messages_within_channel_group,can_remove_subscribers_group,can_resolve_topics_group,can_send_message_group,can_subscribe_group m:message_retention_days|400
subscriptions.remove|DELETE /users/me/subscriptions|j:subscriptions,principals|400
subscriptions.update|PATCH /users/me/subscriptions|j:add,delete|400
subscriptions.updateProperties|POST /users/me/subscriptions/properties|j:subscription_data|400
users.list|GET /users|j:client_gravatar,include_custom_profile_fields,user_ids|400
users.search|GET /users/search|i:stream_id j:include_bots,include_deactivated,client_gravatar|400
users.me|GET /users/me||400
users.get|GET /users/{user_id}|i:user_id j:client_gravatar,include_custom_profile_fields|400
users.getByEmail|GET /users/{email}|j:client_gravatar,include_custom_profile_fields|400
users.create|POST /users|j:role|400
users.ensure|POST /users/ensure|j:role|400
users.createMany|POST /users/many|j:people|400
users.edit|PATCH /users/{user_id}|i:user_id j:role,profile_data|400
users.editByEmail|PATCH /users/{email}|j:role,profile_data|400
users.deactivate|DELETE /users/{user_id}|i:user_id|400
users.deactivateMe|DELETE /users/me||400
users.reactivate|POST /users/{user_id}/reactivate|i:user_id|400
users.regenerateApiKey|POST /users/me/api_key/regenerate||400
invites.list|GET /invites|j:include_links|400
invites.send|POST /invites|j:group_ids,include_realm_default_subscriptions,invite_as,invite_expires_in_minutes,stream_ids,notify_referrer_on_join|400
invites.createMultiuse|POST /invites/multiuse|j:group_ids,include_realm_default_subscriptions,invite_as,invite_expires_in_minutes,stream_ids|400
invites.resend|POST /invites/{invite_id}/resend|i:invite_id|400
invites.revoke|DELETE /invites/{invite_id}|i:invite_id|400
invites.revokeMultiuse|DELETE /invites/multiuse/{invite_id}|i:invite_id|400
invites.preview|POST /invites/preview||400
invites.confirmAddress|POST /invites/confirm_address||400
invites.accept|POST /invites/accept||400
invites.tryWelcome|POST /realm/test_welcome_bot_custom_message||400
profileFields.list|GET /realm/profile_fields||400
profileFields.create|POST /realm/profile_fields|j:field_type,display_in_profile_summary,required,editable_by_user,field_data|400
profileFields.edit|PATCH /realm/profile_fields/{field_id}|i:field_id j:display_in_profile_summary,required,editable_by_user,field_data|400
profileFields.remove|DELETE /realm/profile_fields/{field_id}|i:field_id|400
profileFields.reorder|PATCH /realm/profile_fields|j:order|400
profileFields.set|PATCH /users/me/profile_data|j:data|400
profileFields.unset|DELETE /users/me/profile_data|j:data|400
avatars.upload|POST /users/me/avatar|f:file|400
avatars.remove|DELETE /users/me/avatar||400
settings.edit|PATCH /settings,PATCH /settings/display,PATCH /settings/notifications|i:web_font_size_px,web_line_height_percent,email_notifications_batching_period_seconds j:email_address_visibility,twenty_four_hour_time,color_scheme,translate_emoticons,display_emoji_reaction_users,starred_message_counts,enter_sends,high_contrast_mode,fluid_layout_width,left_side_userlist,hide_ai_features,demote_inactive_streams,user_list_style,web_channel_default_view,web_escape_navigates_to_home_view,web_inbox_show_channel_folders,web_left_sidebar_show_channel_folders,web_left_sidebar_unreads_count_summary,web_mark_read_on_scroll_policy,web_navigate_to_sent_message,web_stream_unreads_count_display_policy,web_suggest_update_timezone,presence_enabled,send_private_typing_notifications,send_stream_typing_notifications,receives_typing_notifications,send_read_receipts,allow_private_data_export,enable_drafts_synchronization,enable_desktop_notifications,enable_sounds,enable_offline_email_notifications,enable_offline_push_notifications,enable_online_push_notifications,enable_stream_desktop_notifications,enable_stream_email_notifications,enable_stream_push_notifications,enable_stream_audible_notifications,enable_followed_topic_desktop_notifications,enable_followed_topic_email_notifications,enable_followed_topic_push_notifications,enable_followed_topic_audible_notifications,wildcard_mentions_notify,enable_followed_topic_wildcard_mentions_notify,pm_content_in_desktop_notifications,message_content_in_email_notifications,desktop_icon_count_display,realm_name_in_email_notifications_policy,enable_digest_emails,enable_login_emails,enable_marketing_emails,automatically_follow_topics_policy,automatically_unmute_topics_in_muted_streams_policy,automatically_follow_topics_where_mentioned|400
userSettingsDefaults.edit|PATCH /realm/user_settings_defaults|i:web_font_size_px,web_line_height_percent,email_notifications_batching_period_seconds j:email_address_visibility,twenty_four_hour_time,color_scheme,translate_emoticons,display_emoji_reaction_users,starred_message_counts,enter_sends,high_contrast_mode,fluid_layout_width,left_side_userlist,hide_ai_features,demote_inactive_streams,user_list_style,web_channel_default_view,web_escape_navigates_to_home_view,web_inbox_show_channel_folders,web_left_sidebar_show_channel_folders,web_left_sidebar_unreads_count_summary,web_mark_read_on_scroll_policy,web_navigate_to_sent_message,web_stream_unreads_count_display_policy,web_suggest_update_timezone,presence_enabled,send_private_typing_notifications,send_stream_typing_notifications,receives_typing_notifications,send_read_receipts,allow_private_data_export,enable_drafts_synchronization,enable_desktop_notifications,enable_sounds,enable_offline_email_notifications,enable_offline_push_notifications,enable_online_push_notifications,enable_stream_desktop_notifications,enable_stream_email_notifications,enable_stream_push_notifications,enable_stream_audible_notifications,enable_followed_topic_desktop_notifications,enable_followed_topic_email_notifications,enable_followed_topic_push_notifications,enable_followed_topic_audible_notifications,wildcard_mentions_notify,enable_followed_topic_wildcard_mentions_notify,pm_content_in_desktop_notifications,message_content_in_email_notifications,desktop_icon_count_display,realm_name_in_email_notifications_policy,enable_digest_emails,enable_login_emails,enable_marketing_emails,automatically_follow_topics_policy,automatically_unmute_topics_in_muted_streams_policy,automatically_follow_topics_where_mentioned|400
userStatus.set|POST /users/me/status|j:away|400
userStatus.get|GET /users/{user_id}/status|i:user_id|400
userStatus.setFor|POST /users/{user_id}/status|i:user_id|400
mutedUsers.add|POST /users/me/muted_users/{muted_user_id}|i:muted_user_id|400
mutedUsers.remove|DELETE /users/me/muted_users/{muted_user_id}|i:muted_user_id|400
alertWords.list|GET /users/me/alert_words||400
alertWords.add|POST /users/me/alert_words|j:alert_words|400
alertWords.remove|DELETE /users/me/alert_words|j:alert_words|400
presence.list|GET /realm/presence||400
presence.report|POST /users/me/presence|i:last_update_id,history_limit_days j:ping_only,new_user_input,slim_presence|400
presence.get|GET /users/{user_id_or_email}/presence||400
userGroups.list|GET /user_groups|j:include_deactivated_groups|400
userGroups.create|POST /user_groups/create|j:members,subgroups,can_add_members_group,can_join_group,can_leave_group,can_manage_group,can_mention_group,can_remove_members_group|400
userGroups.edit|PATCH /user_groups/{user_group_id}|i:user_group_id j:deactivated,can_add_members_group,can_join_group,can_leave_group,can_manage_group,can_mention_group,can_remove_members_group|400
userGroups.deactivate|POST /user_groups/{user_group_id}/deactivate,DELETE /user_groups/{user_group_id}|i:user_group_id|400
userGroups.updateMembers|POST /user_groups/{user_group_id}/members|i:user_group_id j:add,delete,add_subgroups,delete_subgroups|400
userGroups.updateSubgroups|POST /user_groups/{user_group_id}/subgroups|i:user_group_id j:add,delete|400
userGroups.members|GET /user_groups/{user_group_id}/members|i:user_group_id j:direct_member_only|400
userGroups.subgroups|GET /user_groups/{user_group_id}/subgroups|i:user_group_id j:direct_subgroup_only|400
userGroups.isMember|GET /user_groups/{user_group_id}/members/{user_id}|i:user_group_id,user_id j:direct_member_only|400
bots.list|GET /bots||400
bots.create|POST /bots|j:bot_type,interface_type|400
bots.edit|PATCH /bots/{bot_id}|i:bot_id,bot_owner_id j:role,service_interface,is_active|400
bots.getApiKey|GET /bots/{bot_id}/api_key|i:bot_id|400
bots.regenerateApiKey|POST /bots/{bot_id}/api_key/regenerate|i:bot_id|400
bots.deactivate|DELETE /bots/{bot_id}|i:bot_id|400
botStorage.get|GET /bot_storage|j:keys|400
botStorage.set|PUT /bot_storage|j:storage|400
botStorage.remove|DELETE /bot_storage|j:keys|400
push.register|POST /mobile_push/register|i:push_account_id|400
push.sendTest|POST /mobile_push/e2ee/test_notification|i:push_account_id|400
push.addApnsToken|POST /users/me/apns_device_token||400
push.removeApnsToken|DELETE /users/me/apns_device_token||400
push.addFcmToken|POST /users/me/android_gcm_reg_id||400
push.removeFcmToken|DELETE /users/me/android_gcm_reg_id||400
push.sendPlainTest|POST /mobile_push/test_notification||400
organization.edit|PATCH /realm|i:max_invites,moderation_request_channel_id,new_stream_announcements_stream_id,waiting_period_threshold j:allow_message_editing,avatar_changes_disabled,disallow_disposable_email_addresses,emails_restricted_to_domains,enable_read_receipts,enable_spectator_access,name_changes_disabled,presence_disabled,require_e2ee_push_notifications,require_unique_names,send_channel_events_messages,can_access_all_users_group,can_add_custom_emoji_group,can_add_subscribers_group,can_create_bots_group,can_create_groups,can_create_private_channel_group,can_create_public_channel_group,can_create_web_public_channel_group,can_create_write_only_bots_group,can_delete_any_message_group,can_delete_own_message_group,can_invite_users_group,can_manage_all_groups,can_mention_many_users_group,can_move_messages_between_channels_group,can_move_messages_between_topics_group,can_resolve_topics_group,can_set_delete_message_policy_group,can_set_topics_policy_group,create_multiuse_invite_group,direct_message_initiator_group,direct_message_permission_group m:message_content_delete_limit_seconds,message_content_edit_limit_seconds,message_retention_days,move_messages_between_streams_limit_seconds,move_messages_within_stream_limit_seconds|400
linkifiers.list|GET /realm/linkifiers,GET /realm/filters||400
linkifiers.create|POST /realm/filters||400
linkifiers.edit|PATCH /realm/filters/{filter_id}|i:filter_id|400
linkifiers.remove|DELETE /realm/filters/{filter_id}|i:filter_id|400
linkifiers.reorder|PATCH /realm/linkifiers|j:ordered_linkifier_ids|400
playgrounds.list|GET /realm/playgrounds||400
playgrounds.create|POST /realm/playgrounds||400
playgrounds.remove|DELETE /realm/playgrounds/{playground_id}|i:playground_id|400
allowedDomains.list|GET /realm/domains||400
allowedDomains.add|POST /realm/domains|j:allow_subdomains|400
allowedDomains.edit|PATCH /realm/domains/{domain}|j:allow_subdomains|400
allowedDomains.remove|DELETE /realm/domains/{domain}||400
`
  .trimEnd()
  .split('\n')
  .map(readLine);
