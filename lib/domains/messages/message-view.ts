import * as v from 'valibot';
import { describe, flag, forPrograms, optional, trueByDefault, type ValuesOf } from '../../base/schemas.ts';
import type { EventClient } from '../../events/define-event.ts';
import { escapeText, strictHtml } from '../../markdown/html.ts';
import { topicLinks } from '../../markdown/linkifiers.ts';
import type { ChannelHead } from '../../model/channels.ts';
import type { Organization } from '../../model/organization.ts';
import type { User } from '../../model/users.ts';
import { shownTopic } from '../../rules/topics.ts';
import type { PlacedMessage } from '../../storage/interface/messages.ts';
import { avatarUrl, onSite, UNKNOWN_AVATAR } from '../../views/avatars.ts';
import { apiEmail, placeholderEmail, UNKNOWN_NAME, userViewParams } from '../../views/user-view.ts';

export const editHistoryEntry = v.object({
  user_id: v.nullable(v.number()),
  timestamp: v.number(),
  prev_topic: v.optional(v.string()),
  topic: v.optional(v.string()),
  prev_stream: v.optional(v.number()),
  stream: v.optional(v.number()),
  prev_content: v.optional(v.string()),
  prev_rendered_content: v.optional(v.string()),
});

export type EditHistoryEntry = v.InferOutput<typeof editHistoryEntry>;

export const topicLinkObject = v.object({ url: v.string(), text: v.string() });

export const submessageObject = v.object({
  id: describe(v.number(), 'ID of the submessage.'),
  message_id: v.number(),
  sender_id: v.number(),
  msg_type: describe(v.string(), '`widget` for polls, to-do lists and their changes.'),
  content: describe(v.string(), 'JSON.'),
});

/** Keeps the old field names, because most clients read them. */
const messageFields = v.object({
  id: describe(v.number(), 'ID of the message.'),
  type: v.picklist(['stream', 'private']),
  sender_id: v.number(),
  sender_email: v.string(),
  sender_full_name: v.string(),
  sender_realm_str: v.string(),
  avatar_url: v.nullable(v.string()),
  client: v.string(),
  content: v.string(),
  content_type: v.picklist(['text/html', 'text/x-markdown']),
  display_recipient: v.union([
    v.string(),
    v.array(
      v.object({
        id: describe(v.number(), 'ID of the user.'),
        email: v.string(),
        full_name: v.string(),
        is_mirror_dummy: v.boolean(),
      }),
    ),
  ]),
  stream_id: v.optional(v.number()),
  recipient_id: v.number(),
  subject: v.string(),
  topic_links: v.array(topicLinkObject),
  timestamp: v.number(),
  last_edit_timestamp: v.optional(v.number()),
  last_moved_timestamp: v.optional(v.number()),
  edit_history: v.optional(v.array(editHistoryEntry)),
  is_me_message: v.boolean(),
  reactions: v.array(
    v.object({ emoji_name: v.string(), emoji_code: v.string(), reaction_type: v.string(), user_id: v.number() }),
  ),
  submessages: describe(v.array(submessageObject), 'A poll or to-do list, followed by its changes.'),
  flags: v.optional(v.array(v.string())),
  match_content: v.optional(v.string()),
  match_subject: v.optional(v.string()),
});

type MessageFields = v.InferOutput<typeof messageFields>;
type DirectRecipient = Exclude<MessageFields['display_recipient'], string>[number];

/** A channel message or a direct message, depending on `type`. The type of `display_recipient` differs. */
export type MessageObject = Omit<MessageFields, 'type' | 'display_recipient' | 'stream_id'> &
  (
    | { type: 'stream'; stream_id: number; display_recipient: string }
    | { type: 'private'; stream_id?: undefined; display_recipient: DirectRecipient[] }
  );

/** The schema does not distinguish channel and direct messages, because it would have to repeat every field. */
export const messageObject = messageFields as unknown as v.GenericSchema<MessageObject>;

type MessageDestination = { channel: Pick<ChannelHead, 'id' | 'name'> } | { participants: readonly User[] };

/** A message before it is adapted to a client: with Markdown, HTML and the avatar URL. */
export const sharedMessageObject = v.object({
  ...v.omit(messageFields, ['content_type', 'flags', 'match_content', 'match_subject']).entries,
  content: describe(v.string(), 'Markdown.'),
  rendered_content: describe(v.string(), 'HTML.'),
  avatar_url: v.string(),
});

/** Message events in the log contain this. */
export interface SharedMessage extends v.InferOutput<typeof sharedMessageObject> {
  /** Clients can compute the avatar URL themselves. */
  gravatar: boolean;
}

export const messageViewParams = {
  apply_markdown: trueByDefault('Return content as HTML. If false, return Markdown.'),
  client_gravatar: userViewParams.client_gravatar,
  allow_empty_topic_name: optional(
    forPrograms(flag),
    'Return the empty topic as "" instead of its display name.',
    false,
  ),
  strict_content: optional(
    forPrograms(flag),
    'Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`.',
    false,
  ),
};

export interface MessageViewOptions extends ValuesOf<typeof messageViewParams> {
  /** Search matches to highlight in the HTML of content and topic. */
  hits?: { mark(html: string): string } | undefined;
}

export function sharedMessage(
  message: PlacedMessage,
  sender: User,
  destination: MessageDestination,
  organization: Organization,
): SharedMessage {
  const isChannel = 'channel' in destination;
  return {
    id: message.id,
    type: isChannel ? 'stream' : 'private',
    sender_id: sender.id,
    sender_email: apiEmail(sender, organization),
    sender_full_name: sender.full_name,
    sender_realm_str: '',
    avatar_url: avatarUrl(sender, organization),
    gravatar: sender.avatar_source === 'G' && (sender.email_visibility === 1 || sender.bot_type !== null),
    client: message.client,
    content: message.content,
    rendered_content: message.rendered_content,
    display_recipient: isChannel
      ? destination.channel.name
      : destination.participants.map((user) => ({
          id: user.id,
          email: apiEmail(user, organization),
          full_name: user.full_name,
          is_mirror_dummy: false,
        })),
    ...(isChannel ? { stream_id: destination.channel.id } : {}),
    recipient_id: message.conversation_id,
    subject: message.topic,
    topic_links: [...topicLinks(message.topic, organization.linkifiers)],
    timestamp: message.timestamp,
    ...(message.last_edit_timestamp === null ? {} : { last_edit_timestamp: message.last_edit_timestamp }),
    is_me_message: message.is_me_message,
    reactions: [],
    submessages: [],
  };
}

export function withoutSender(message: SharedMessage, organization: Organization): SharedMessage {
  return {
    ...message,
    sender_full_name: UNKNOWN_NAME,
    sender_email: placeholderEmail(message.sender_id, organization),
    avatar_url: onSite(UNKNOWN_AVATAR, organization),
    gravatar: false,
  };
}

/** Only fetched messages contain `flags`. Events have them in their own field. */
export function messageView(
  shared: SharedMessage,
  options: MessageViewOptions,
  organization: Organization,
  flags?: string[],
): MessageObject {
  const { rendered_content, gravatar, edit_history, ...rest } = shared;
  const html = options.strict_content ? strictHtml(rendered_content) : rendered_content;
  const allowsEmpty = shared.type === 'private' || options.allow_empty_topic_name;
  const topic = (name: string) => (allowsEmpty ? name : shownTopic(name, organization));
  return {
    ...rest,
    content: options.apply_markdown ? html : shared.content,
    content_type: options.apply_markdown ? 'text/html' : 'text/x-markdown',
    avatar_url: options.client_gravatar && gravatar ? null : shared.avatar_url,
    subject: topic(shared.subject),
    ...(edit_history && {
      edit_history: edit_history
        .map((entry) => (options.strict_content ? withStrictContent(entry) : entry))
        .map(({ prev_topic, topic: present, ...entry }) =>
          prev_topic === undefined || present === undefined
            ? entry
            : { ...entry, prev_topic: topic(prev_topic), topic: topic(present) },
        ),
    }),
    ...(flags === undefined ? {} : { flags }),
    ...(options.hits === undefined
      ? {}
      : {
          match_content: options.hits.mark(html),
          match_subject: options.hits.mark(escapeText(topic(shared.subject))),
        }),
  } as MessageObject;
}

/** An edit whose old content has no style attributes. */
export function withStrictContent<E extends { prev_rendered_content?: string | undefined }>(entry: E): E {
  const { prev_rendered_content: html } = entry;
  return html === undefined ? entry : { ...entry, prev_rendered_content: strictHtml(html) };
}

/** The topic of an event. Clients without the capability `empty_topic_name` get the display name of the empty topic. */
export function topicForClient(topic: string, { organization, options }: EventClient): string {
  return options.client_capabilities.empty_topic_name ? topic : shownTopic(topic, organization);
}

/** The event with its topics, if present, for the client. */
export function withTopicsFor<E extends object>(client: EventClient, event: E, keys: readonly (keyof E)[]): E {
  const topics = keys.flatMap((key) => {
    const topic = event[key];
    return typeof topic === 'string' ? [[key, topicForClient(topic, client)]] : [];
  });
  return { ...event, ...Object.fromEntries(topics) };
}
