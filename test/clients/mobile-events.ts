import * as v from 'valibot';
import type { Body } from './form-client.ts';
import {
  bool,
  byNumber,
  byText,
  channel,
  int,
  ints,
  maybe,
  messageInEvent,
  object,
  personUpdate,
  str,
  strs,
  subscription,
  user,
  userGroup,
} from './mobile-objects.ts';

/** Flags the app knows. In `update_message` an unknown one throws. */
const FLAGS = [
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'topic_wildcard_mentioned',
  'stream_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
] as const;

const messageType = v.picklist(['stream', 'private', 'direct']);
const peers = object({ stream_ids: ints, user_ids: ints });
const typing = object({
  message_type: messageType,
  sender: object({ user_id: int }),
  recipients: maybe(v.array(object({ user_id: int }))),
  stream_id: maybe(int),
  topic: maybe(str),
});
const reaction = object({
  emoji_name: str,
  emoji_code: str,
  reaction_type: v.picklist(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji']),
  user_id: int,
  message_id: int,
});

/** By type, and op if there is one. */
const SHAPES: Readonly<Record<string, v.GenericSchema>> = {
  heartbeat: object({}),
  'user_settings update': object({ property: str }),
  'user_group add': object({ group: userGroup }),
  'user_group update': object({
    group_id: int,
    data: object({ name: maybe(str), description: maybe(str), deactivated: maybe(bool) }),
  }),
  'user_group add_members': object({ group_id: int, user_ids: ints }),
  'user_group remove_members': object({ group_id: int, user_ids: ints }),
  'user_group add_subgroups': object({ group_id: int, direct_subgroup_ids: ints }),
  'user_group remove_subgroups': object({ group_id: int, direct_subgroup_ids: ints }),
  'user_group remove': object({ group_id: int }),
  'realm_user add': object({ person: user }),
  'realm_user remove': object({ person: object({ user_id: int }) }),
  'realm_user update': object({ person: personUpdate }),
  'stream create': object({ streams: v.array(channel) }),
  'stream delete': object({ stream_ids: maybe(ints), streams: maybe(v.array(object({ stream_id: int }))) }),
  'stream update': object({
    stream_id: int,
    name: str,
    property: str,
    rendered_description: maybe(str),
    history_public_to_subscribers: maybe(bool),
    is_web_public: maybe(bool),
  }),
  'subscription add': object({ subscriptions: v.array(subscription) }),
  'subscription remove': object({ subscriptions: v.array(object({ stream_id: int })) }),
  'subscription update': object({ stream_id: int, property: str }),
  'subscription peer_add': peers,
  'subscription peer_remove': peers,
  user_topic: object({
    stream_id: int,
    topic_name: str,
    last_updated: int,
    visibility_policy: v.picklist([0, 1, 2, 3]),
  }),
  message: object({ message: messageInEvent, flags: strs, local_message_id: maybe(str) }),
  update_message: object({
    rendering_only: bool,
    message_id: int,
    message_ids: ints,
    flags: v.array(v.picklist(FLAGS)),
    edit_timestamp: int,
    user_id: maybe(int),
  }),
  delete_message: object({ message_ids: ints, message_type: messageType, stream_id: maybe(int), topic: maybe(str) }),
  'update_message_flags add': object({ flag: str, messages: ints, all: bool }),
  'update_message_flags remove': object({
    flag: str,
    messages: ints,
    message_details: maybe(
      byNumber(
        object({
          type: messageType,
          mentioned: maybe(bool),
          user_ids: maybe(ints),
          stream_id: maybe(int),
          topic: maybe(str),
        }),
      ),
    ),
  }),
  'typing start': typing,
  'typing stop': typing,
  'realm_emoji update': object({
    realm_emoji: byText(object({ id: str, name: str, source_url: str, deactivated: bool, still_url: maybe(str) })),
  }),
  'reaction add': reaction,
  'reaction remove': reaction,
};

/** Types whose decoder depends on `op`. */
const HAVE_OP = new Set(
  Object.keys(SHAPES)
    .filter((key) => key.includes(' '))
    .map((key) => key.split(' ')[0]),
);

/**
 * Decodes an event as the app does.
 *
 * @throws Error naming the wrong values
 */
export function decodeEvent(event: Body): void {
  const common = HAVE_OP.has(event.type) ? object({ id: int, type: str, op: str }) : object({ id: int, type: str });
  const own = SHAPES[HAVE_OP.has(event.type) ? `${event.type} ${event.op}` : event.type] ?? object({});
  const result = v.safeParse(v.intersect([common, own]), event);
  const problem = result.success ? togetherProblem(event) : v.summarize(result.issues);
  if (problem) throw new Error(`${problem}\n${JSON.stringify(event)}`);
}

/** Checks that concern several keys. */
function togetherProblem(event: Body): string | undefined {
  switch (event.type) {
    case 'update_message': {
      const isMoved = event.subject !== undefined || event.new_stream_id !== undefined;
      if (!isMoved && event.propagate_mode !== undefined) return 'propagate_mode though nothing moved';
      if (isMoved && [event.stream_id, event.orig_subject, event.propagate_mode].includes(undefined))
        return 'a move without its origin';
      return undefined;
    }
    case 'delete_message':
    case 'typing':
      if (event.message_type === 'stream')
        return event.stream_id === undefined || event.topic === undefined ? 'no place' : undefined;
      return event.type === 'typing' && !event.recipients ? 'no recipients' : undefined;
    case 'stream':
      return event.op === 'delete' && !event.stream_ids && !event.streams ? 'no channels' : undefined;
    case 'subscription':
      if (event.op !== 'update' || event.property !== 'color') return undefined;
      return /^#[0-9a-f]{6}$/.test(event.value) ? undefined : 'a colour the app cannot read';
    case 'update_message_flags':
      if (event.op !== 'remove' || event.flag !== 'read') return undefined;
      return event.messages.every((id: number) => event.message_details?.[id])
        ? undefined
        : 'unread messages without details';
    default:
      return undefined;
  }
}
