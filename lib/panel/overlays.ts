/** What opens above a conversation, and in place of its composer. One file, fetched with the first use of any of them. */
export { EditMessage } from './composer/edit-message.tsx';
export { EmojiPopover } from './composer/emoji-picker.tsx';
export { HeldText } from './composer/held-text.tsx';
export { MentionQuestion } from './composer/mention-question.tsx';
export { Preview } from './composer/preview.tsx';
export { Refused } from './composer/refused.tsx';
export { ScheduledNotice, SendLater } from './composer/send-later.tsx';
export { SnippetDialog, SnippetPopover } from './composer/snippets.tsx';
export { UploadList } from './composer/upload-list.tsx';
export { Answer } from './messages/answer.tsx';
export { MessageOverlay } from './messages/message-overlay.tsx';
export { NewTopic } from './messages/new-topic.tsx';
export { AccountBanner, SignedOut } from './signed-out.tsx';
