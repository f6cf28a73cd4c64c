/* A client written only from the documentation of events: it applies events to a state. */

// biome-ignore lint/suspicious/noExplicitAny: states and events have the types of the whole API
export type State = Record<string, any>;
// biome-ignore lint/suspicious/noExplicitAny: states and events have the types of the whole API
type Event = Record<string, any>;
type Item = Record<string, unknown>;

interface Recent {
  max_message_id: number;
  user_ids: number[];
}

/** Lists of the state that contain channels. */
const CHANNEL_LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const;
const PERSONAL_LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const;

const PERSONAL_KEYS = [
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
  'subscribers',
];

/** Applies the event to the state. */
export function applyEvent(state: State, event: Event, me: number): void {
  const name = event.op === undefined ? event.type : `${event.type}/${event.op}`;
  const apply = APPLIERS[name] ?? replacement(state, event);
  if (!apply) throw new Error(`The reference client does not know ${name}.`);
  apply(state, event, me);
}

/** An event that replaces parts of the state, under their names in the state. */
function replacement(state: State, { id: _, type: _type, op: _op, ...parts }: Event): Applier | undefined {
  const names = Object.keys(parts);
  if (names.length === 0 || !names.every((name) => Object.hasOwn(state, name))) return undefined;
  return () => Object.assign(state, parts);
}

type Applier = (state: State, event: Event, me: number) => void;

const APPLIERS: Record<string, Applier> = {
  // About fetched messages. The state has none.
  'reaction/add': () => undefined,
  submessage: () => undefined,
  'reaction/remove': () => undefined,
  'stream/create'(state, { streams }) {
    for (const stream of streams) {
      dropChannel(state, stream.stream_id);
      state.streams.push({ ...stream });
      state.never_subscribed.push({ ...stream, subscribers: [] });
    }
  },
  'stream/delete'(state, { stream_ids }) {
    for (const id of stream_ids) {
      dropUserTopics(state, id);
      dropChannel(state, id);
    }
  },
  user_topic(state, { stream_id, topic_name, visibility_policy, last_updated }) {
    const isOther = (one: Event) =>
      one.stream_id !== stream_id || one.topic_name.toLowerCase() !== topic_name.toLowerCase();
    state.user_topics = state.user_topics.filter(isOther);
    if (visibility_policy !== 0) state.user_topics.push({ stream_id, topic_name, last_updated, visibility_policy });
  },
  'stream/update'(
    state,
    { stream_id, property, value, rendered_description, history_public_to_subscribers, is_web_public },
  ) {
    const more = { rendered_description, history_public_to_subscribers, is_web_public };
    const given = Object.fromEntries(Object.entries(more).filter(([, one]) => one !== undefined));
    if (property === 'is_archived' && value) dropUserTopics(state, stream_id);
    if (property === 'name') renameInMutedTopics(state, stream_id, value);
    for (const channel of everywhere(state, stream_id)) Object.assign(channel, { [property]: value, ...given });
  },
  default_streams(state, { default_streams }) {
    state.realm_default_streams = default_streams;
  },
  'channel_folder/update'(state, { channel_folder_id, data }) {
    for (const folder of state.channel_folders) if (folder.id === channel_folder_id) Object.assign(folder, data);
  },
  'channel_folder/reorder'(state, { order }) {
    for (const folder of state.channel_folders) folder.order = order.indexOf(folder.id) + 1;
    state.channel_folders.sort((a: Event, b: Event) => a.order - b.order);
  },
  'scheduled_messages/add'(state, { scheduled_messages }) {
    state.scheduled_messages = byTime([...state.scheduled_messages, ...scheduled_messages]);
  },
  'scheduled_messages/update'(state, { scheduled_message }) {
    remove(state.scheduled_messages, 'scheduled_message_id', scheduled_message.scheduled_message_id);
    state.scheduled_messages = byTime([...state.scheduled_messages, scheduled_message]);
  },
  'scheduled_messages/remove'(state, { scheduled_message_id }) {
    remove(state.scheduled_messages, 'scheduled_message_id', scheduled_message_id);
  },
  'reminders/add'(state, { reminders }) {
    state.reminders = byTime([...state.reminders, ...reminders]);
  },
  'reminders/remove'(state, { reminder_id }) {
    remove(state.reminders, 'reminder_id', reminder_id);
  },
  'channel_folder/add'(state, { channel_folder }) {
    state.channel_folders.push(channel_folder);
  },
  'subscription/add'(state, { subscriptions }) {
    for (const subscription of subscriptions) {
      const id = subscription.stream_id;
      for (const list of PERSONAL_LISTS) remove(state[list], 'stream_id', id);
      state.subscriptions.push({ ...subscription });
      setCount(state, id, subscription.subscriber_count);
    }
  },
  'subscription/remove'(state, { subscriptions }, me) {
    for (const { stream_id } of subscriptions) {
      const [left] = remove(state.subscriptions, 'stream_id', stream_id);
      if (!left) continue;
      state.unsubscribed.push({ ...left, subscribers: (left.subscribers as number[]).filter((id) => id !== me) });
      setCount(state, stream_id, (left.subscriber_count as number) - 1);
    }
  },
  'subscription/update'(state, { stream_id, property, value }) {
    for (const list of ['subscriptions', 'unsubscribed']) {
      for (const one of state[list]) if (one.stream_id === stream_id) one[property] = value;
    }
  },
  'subscription/peer_add'(state, { stream_ids, user_ids }) {
    changePeers(state, stream_ids, (present) => [...new Set([...present, ...user_ids])], user_ids.length);
  },
  'subscription/peer_remove'(state, { stream_ids, user_ids }) {
    changePeers(state, stream_ids, (present) => present.filter((id) => !user_ids.includes(id)), -user_ids.length);
  },
  'realm/update'(state, { property, value }) {
    setRealm(state, { [property]: value });
  },
  'realm/update_dict'(state, { data }) {
    setRealm(state, data);
  },
  'realm_domains/add'(state, { realm_domain }) {
    state.realm_domains.push(realm_domain);
  },
  'realm_domains/change'(state, { realm_domain }) {
    state.realm_domains = state.realm_domains.map((one: Item) =>
      one.domain === realm_domain.domain ? realm_domain : one,
    );
  },
  'realm_domains/remove'(state, { domain }) {
    remove(state.realm_domains, 'domain', domain);
  },
  'user_group/add_members'(state, { group_id, user_ids }) {
    changeMembers(state, group_id, (present) => [...present, ...user_ids]);
  },
  'user_group/remove_members'(state, { group_id, user_ids }) {
    changeMembers(state, group_id, (present) => present.filter((id) => !user_ids.includes(id)));
  },
  'user_group/add'(state, { group }) {
    state.realm_user_groups.push(group);
  },
  'user_group/update'(state, { group_id, data }) {
    for (const group of state.realm_user_groups) if (group.id === group_id) Object.assign(group, data);
  },
  'user_group/remove'(state, { group_id }) {
    state.realm_user_groups = state.realm_user_groups.filter((group: Item) => group.id !== group_id);
  },
  'user_group/add_subgroups'(state, { group_id, direct_subgroup_ids }) {
    changeSubgroups(state, group_id, (present) => [...present, ...direct_subgroup_ids]);
  },
  'user_group/remove_subgroups'(state, { group_id, direct_subgroup_ids }) {
    changeSubgroups(state, group_id, (present) => present.filter((id) => !direct_subgroup_ids.includes(id)));
  },
  update_display_settings(state, { setting_name, setting }) {
    state[setting_name] = setting;
  },
  update_global_notifications(state, { notification_name, setting }) {
    state[notification_name] = setting;
  },
  'user_settings/update'(state, { property, value }) {
    state.user_settings[property] = value;
    if (property === 'enable_drafts_synchronization' && !value) state.drafts = [];
  },
  push_device(state, { push_account_id, status, error_code = null }) {
    state.push_devices[push_account_id] = { status, error_code };
  },
  'drafts/add'(state, { drafts }) {
    state.drafts = lastEditedFirst([...state.drafts, ...drafts]);
  },
  'drafts/update'(state, { draft }) {
    state.drafts = lastEditedFirst(state.drafts.map((one: Item) => (one.id === draft.id ? draft : one)));
  },
  'drafts/remove'(state, { draft_id }) {
    remove(state.drafts, 'id', draft_id);
  },
  'saved_snippets/add'(state, { saved_snippet }) {
    state.saved_snippets.push(saved_snippet);
  },
  'saved_snippets/update'(state, { saved_snippet }) {
    state.saved_snippets = state.saved_snippets.map((one: Item) => (one.id === saved_snippet.id ? saved_snippet : one));
  },
  'saved_snippets/remove'(state, { saved_snippet_id }) {
    remove(state.saved_snippets, 'id', saved_snippet_id);
  },
  'navigation_view/add'(state, { navigation_view }) {
    state.navigation_views = [...state.navigation_views, navigation_view].sort(({ fragment: a }, { fragment: b }) =>
      a < b ? -1 : 1,
    );
  },
  'navigation_view/update'(state, { fragment, data }) {
    for (const view of state.navigation_views) if (view.fragment === fragment) Object.assign(view, data);
  },
  'navigation_view/remove'(state, { fragment }) {
    remove(state.navigation_views, 'fragment', fragment);
  },
  'realm_user_settings_defaults/update'(state, { property, value }) {
    state.realm_user_settings_defaults[property] = value;
  },
  'realm_user/add'(state, { person }) {
    dropPerson(state, person.user_id);
    state[person.is_active ? 'realm_users' : 'realm_non_active_users'].push(person);
  },
  'realm_user/remove'(state, { person }) {
    dropPerson(state, person.user_id);
    if (!state.user_list_incomplete) state.realm_users.push(stubOf(person));
  },
  custom_profile_fields(state, { fields }) {
    state.custom_profile_fields = fields;
    const present = new Map<string, Event>(fields.map((field: Event) => [String(field.id), field]));
    for (const person of [...state.realm_users, ...state.realm_non_active_users]) {
      for (const [id, { value }] of Object.entries((person.profile_data ?? {}) as Values)) {
        const field = present.get(id);
        const isGone = field?.type === 3 && !Object.hasOwn(JSON.parse(field.field_data), value);
        if (!field || isGone) delete person.profile_data[id];
      }
    }
  },
  presence(state, { email, presence, presences }) {
    if (presences) return void Object.assign(state.presences, presences);
    const { pushable: _, ...aggregated } = presence.website;
    state.presences[email] = { aggregated, website: presence.website };
  },
  user_status(state, { user_id, away, status_text, emoji_name, emoji_code, reaction_type }) {
    const known: Item = { ...state.user_status[user_id] };
    if (away === false) delete known.away;
    if (away) known.away = true;
    if (status_text !== undefined) known.status_text = status_text;
    if (emoji_name !== undefined) Object.assign(known, { emoji_name, emoji_code, reaction_type });
    if (known.status_text === '') delete known.status_text;
    if (known.emoji_name === '') for (const key of ['emoji_name', 'emoji_code', 'reaction_type']) delete known[key];
    if (Object.keys(known).length > 0) state.user_status[user_id] = known;
    else delete state.user_status[user_id];
  },
  // Shown for some seconds, and never fetched. Clients fetch invitations when they show them. The state has neither.
  invites_changed: () => undefined,
  'typing/start': () => undefined,
  'typing/stop': () => undefined,
  'typing_edit_message/start': () => undefined,
  'typing_edit_message/stop': () => undefined,
  heartbeat: () => undefined,
  'realm_user/update'(state, { person }, me) {
    if (person.user_id === me) changeSelf(state, person);
    const lists = [state.realm_users, state.realm_non_active_users];
    const [found] = lists.flatMap((list) => remove(list, 'user_id', person.user_id));
    const { new_email, role, custom_profile_field: filled, ...fields } = person;
    for (const own of ['avatar_source', 'avatar_url_medium']) delete fields[own];
    const changed: Item = { ...found, ...fields, ...(new_email === undefined ? {} : { email: new_email }) };
    if (role !== undefined)
      Object.assign(changed, { role, is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 });
    if (filled) changed.profile_data = withValue(found?.profile_data as Values, filled);
    state[changed.is_active ? 'realm_users' : 'realm_non_active_users'].push(changed);
  },
  'realm_bot/add'(state, { bot: { api_key: _, ...bot } }) {
    state.realm_bots.push(bot);
  },
  'realm_bot/update'(state, { bot: { api_key: _, ...bot } }) {
    for (const one of state.realm_bots) if (one.user_id === bot.user_id) Object.assign(one, bot);
  },
  'realm_bot/delete'(state, { bot }) {
    remove(state.realm_bots, 'user_id', bot.user_id);
  },
  message(state, { message, flags }, me) {
    // Of two messages sent at the same time, the later may come first.
    state.max_message_id = Math.max(state.max_message_id, message.id);
    if (message.type === 'private') {
      const user_ids = message.display_recipient.map((one: { id: number }) => one.id).filter((id: number) => id !== me);
      const recent = state.recent_private_conversations;
      const same = (one: Recent) => one.user_ids.join() === user_ids.join();
      const max_message_id = Math.max(message.id, recent.find(same)?.max_message_id ?? 0);
      state.recent_private_conversations = [
        { max_message_id, user_ids },
        ...recent.filter((one: Recent) => !same(one)),
      ].sort((one: Recent, other: Recent) => other.max_message_id - one.max_message_id);
    }
    if (flags.includes('read')) return;
    addUnread(state, message.id, placeOf(message, me));
    noteMention(state, message.id, flags);
  },
  update_message(state, { message_id, flags, message_ids, stream_id, orig_subject, subject, new_stream_id }) {
    noteMention(state, message_id, flags);
    if (orig_subject === undefined) return;
    const key = { stream_id: new_stream_id ?? stream_id, topic: subject ?? orig_subject };
    for (const id of message_ids) {
      const isUnread = state.unread_msgs.streams.some((one: Event) => one.unread_message_ids.includes(id));
      if (!isUnread) continue;
      const { mentions } = state.unread_msgs;
      dropUnread(state, id);
      // Messages moved to a channel without a subscription are read.
      if (!state.subscriptions.some((one: Item) => one.stream_id === key.stream_id)) continue;
      addUnread(state, id, { list: 'streams', key });
      state.unread_msgs.mentions = mentions;
    }
  },
  delete_message(state, { message_ids, message_id }) {
    for (const id of message_ids ?? [message_id]) {
      dropUnread(state, id);
      state.starred_messages = state.starred_messages.filter((other: number) => other !== id);
    }
  },
  'update_message_flags/add'(state, { flag, messages, all }) {
    if (all) state.unread_msgs = { ...state.unread_msgs, count: 0, streams: [], pms: [], huddles: [], mentions: [] };
    if (flag === 'starred') state.starred_messages = sorted([...state.starred_messages, ...messages]);
    if (flag === 'read') for (const id of messages) dropUnread(state, id);
  },
  'update_message_flags/remove'(state, { flag, messages, message_details }, me) {
    if (flag === 'starred')
      state.starred_messages = state.starred_messages.filter((id: number) => !messages.includes(id));
    if (flag === 'read') {
      for (const id of messages) {
        addUnread(state, id, placeFromDetails(message_details[id], me));
        if (message_details[id].mentioned) noteMention(state, id, ['mentioned']);
      }
    }
  },
};

const lastEditedFirst = (drafts: Event[]) => drafts.sort((a, b) => b.timestamp - a.timestamp || b.id - a.id);

/** Fields of the user's own account that are also at the top of the state. */
function changeSelf(state: State, person: Item): void {
  for (const [key, value] of Object.entries(person)) if (Object.hasOwn(state, key)) state[key] = value;
  if (typeof person.new_email === 'string') state.email = person.new_email;
  if (typeof person.role !== 'number') return;
  const { role } = person;
  Object.assign(state, {
    is_owner: role === 100,
    is_admin: role <= 200,
    is_moderator: role <= 300,
    is_guest: role === 600,
  });
}

type Values = Record<string, { value: string }>;

/** Applies an event to a user's custom profile fields. */
function withValue(present: Values, { id, ...value }: Event): Values {
  const { [id]: _, ...others } = present;
  return value.value === null ? others : { ...others, [id]: value as { value: string } };
}

function dropPerson(state: State, id: number): void {
  for (const list of [state.realm_users, state.realm_non_active_users]) remove(list, 'user_id', id);
}

/** The placeholder of an account that the user cannot see. */
function stubOf({ user_id, full_name }: Item): Item {
  return {
    user_id,
    full_name,
    email: `user${user_id}@chat.example.com`,
    delivery_email: null,
    date_joined: '1970-01-01T00:00:00.000000+00:00',
    timezone: '',
    role: 400,
    is_active: true,
    is_guest: false,
    is_owner: false,
    is_admin: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    profile_data: {},
    avatar_url: '/static/unknown-user-avatar.png',
    avatar_version: 1,
  };
}

function setRealm(state: State, data: Event): void {
  for (const [property, value] of Object.entries(data)) state[`realm_${property}`] = value;
  // Events omit the older form of the policy.
  state.realm_allow_edit_history = state.realm_message_edit_history_visibility_policy !== 'none';
}

function changeMembers(state: State, groupId: number, change: (present: number[]) => number[]): void {
  for (const group of state.realm_user_groups) {
    if (group.id === groupId) group.members = sorted(change(group.members));
  }
}

function changeSubgroups(state: State, groupId: number, change: (present: number[]) => number[]): void {
  for (const group of state.realm_user_groups) {
    if (group.id === groupId) group.direct_subgroup_ids = sorted(change(group.direct_subgroup_ids));
  }
}

function everywhere(state: State, id: number): Item[] {
  return CHANNEL_LISTS.flatMap((list) => state[list].filter((one: Item) => one.stream_id === id));
}

function remove(list: Item[], key: string, value: unknown): Item[] {
  const at = list.findIndex((one) => one[key] === value);
  return at === -1 ? [] : list.splice(at, 1);
}

const byTime = (list: Event[]) =>
  list.sort(
    (one, other) =>
      one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp ||
      (one.scheduled_message_id ?? one.reminder_id) - (other.scheduled_message_id ?? other.reminder_id),
  );

function dropChannel(state: State, id: number): void {
  for (const list of CHANNEL_LISTS) remove(state[list], 'stream_id', id);
}

/** Topic settings of a channel that the user cannot see are omitted. */
function dropUserTopics(state: State, id: number): void {
  const name = everywhere(state, id)[0]?.name;
  state.user_topics = state.user_topics.filter((one: Item) => one.stream_id !== id);
  state.muted_topics = state.muted_topics.filter(([channel]: [string]) => channel !== name);
}

function renameInMutedTopics(state: State, id: number, name: string): void {
  const before = everywhere(state, id)[0]?.name;
  state.muted_topics = state.muted_topics.map(([channel, ...rest]: [string]) => [
    channel === before ? name : channel,
    ...rest,
  ]);
}

function setCount(state: State, id: number, count: number): void {
  for (const channel of everywhere(state, id)) channel.subscriber_count = count;
}

function changePeers(state: State, ids: number[], change: (present: number[]) => number[], more: number): void {
  const known = PERSONAL_LISTS.flatMap((list) => state[list] as Item[]);
  for (const id of ids) {
    // A client that started without the channels it was never subscribed to has only their number.
    if (!known.some(({ stream_id }) => stream_id === id))
      for (const channel of everywhere(state, id)) setCount(state, id, (channel.subscriber_count as number) + more);
    for (const channel of known) {
      if (channel.stream_id !== id) continue;
      channel.subscribers = sorted(change(channel.subscribers as number[]));
      setCount(state, id, (channel.subscribers as number[]).length);
    }
  }
}

const sorted = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b);

interface UnreadPlace {
  list: 'streams' | 'pms' | 'huddles';
  key: Item;
}

function placeOf(message: Event, me: number): UnreadPlace {
  if (message.type === 'stream')
    return { list: 'streams', key: { stream_id: message.stream_id, topic: message.subject } };
  return directPlace(
    message.display_recipient.map((one: { id: number }) => one.id),
    me,
  );
}

function placeFromDetails(details: Event, me: number): UnreadPlace {
  if (details.type === 'stream')
    return { list: 'streams', key: { stream_id: details.stream_id, topic: details.topic } };
  return directPlace([...details.user_ids, me], me);
}

function directPlace(participants: number[], me: number): UnreadPlace {
  const ids = sorted(participants);
  if (ids.length > 2) return { list: 'huddles', key: { user_ids_string: ids.join() } };
  const other = ids.find((id) => id !== me) ?? me;
  return { list: 'pms', key: { other_user_id: other, sender_id: other } };
}

function addUnread(state: State, id: number, { list, key }: UnreadPlace): void {
  const unread = state.unread_msgs;
  const same = (one: Item) => Object.entries(key).every(([name, value]) => one[name] === value);
  let found = unread[list].find(same);
  if (!found) {
    found = { ...key, unread_message_ids: [] };
    unread[list].push(found);
  }
  if (!found.unread_message_ids.includes(id)) unread.count++;
  found.unread_message_ids = sorted([...found.unread_message_ids, id]);
}

/** Mentions are included among the unread messages. */
function noteMention(state: State, id: number, flags: readonly string[]): void {
  const unread = state.unread_msgs;
  const isMention = flags.includes('mentioned') || flags.includes('wildcard_mentioned');
  const others = unread.mentions.filter((other: number) => other !== id);
  unread.mentions = isMention && !flags.includes('read') ? sorted([...others, id]) : others;
}

function dropUnread(state: State, id: number): void {
  const unread = state.unread_msgs;
  unread.mentions = unread.mentions.filter((other: number) => other !== id);
  for (const list of ['streams', 'pms', 'huddles']) {
    for (const one of unread[list]) {
      if (!one.unread_message_ids.includes(id)) continue;
      one.unread_message_ids = one.unread_message_ids.filter((other: number) => other !== id);
      unread.count--;
    }
    unread[list] = unread[list].filter((one: { unread_message_ids: number[] }) => one.unread_message_ids.length > 0);
  }
}

/**
 * A channel that is hidden from a former subscriber and shown again is new to the client, while a fresh state remembers
 * the subscription. Both are changed to a channel that was never subscribed to.
 */
export function forgetFormer(fetched: State, told: State): void {
  const shownAnew = new Set(told.never_subscribed.map((one: Item) => one.stream_id));
  for (const { stream_id } of [...fetched.unsubscribed]) {
    if (shownAnew.has(stream_id))
      fetched.never_subscribed.push(...remove(fetched.unsubscribed, 'stream_id', stream_id));
  }
  // The presence of a user who becomes visible arrives with their next report. A hidden user's presence is removed.
  for (const name of Object.keys(fetched.presences)) if (!told.presences[name]) delete fetched.presences[name];
  for (const name of Object.keys(told.presences)) if (!fetched.presences[name]) delete told.presences[name];
}

/** Channel fields without events: a client computes them, or does not need them. */
const UNTOLD = ['is_recently_active'];

/** Parts of a state that belong to one response, or follow from other parts. */
const OF_THE_ANSWER = /^(queue_id|last_event_id|server_timestamp|presence_last_update_id|can_\w+)$/;

/** The parts of a state that events keep up to date, sorted. */
export function comparable(state: State): State {
  const byId = (key: string) => (a: Item, b: Item) => (a[key] as number) - (b[key] as number);
  const channels = (list: Item[]) => list.map((one) => without(one, UNTOLD)).sort(byId('stream_id'));
  const unread = state.unread_msgs;
  const inOrder = (list: object[]) => list.map((one) => JSON.stringify(one, Object.keys(one).sort())).sort();
  return {
    ...Object.fromEntries(Object.entries(state).filter(([key]) => !OF_THE_ANSWER.test(key))),
    streams: channels(state.streams),
    subscriptions: channels(state.subscriptions),
    unsubscribed: channels(state.unsubscribed),
    // A channel that becomes visible starts without personal properties, even if the server stores some.
    never_subscribed: channels(state.never_subscribed).map((one) =>
      without(
        one,
        PERSONAL_KEYS.filter((key) => key !== 'subscribers'),
      ),
    ),
    realm_users: state.realm_users.map(withoutGravatar).sort(byId('user_id')),
    realm_non_active_users: state.realm_non_active_users.map(withoutGravatar).sort(byId('user_id')),
    realm_bots: [...state.realm_bots].sort(byId('user_id')),
    user_topics: inOrder(state.user_topics),
    muted_topics: inOrder(state.muted_topics.map((one: unknown[]) => ({ ...one }))),
    realm_user_groups: [...state.realm_user_groups].sort(byId('id')),
    unread_msgs: {
      ...unread,
      streams: inOrder(unread.streams),
      pms: inOrder(unread.pms),
      huddles: inOrder(unread.huddles),
    },
  };
}

/** A client may compute the address of a Gravatar itself, but receives an event when the avatar changes. */
function withoutGravatar(person: Item): Item {
  const isGravatar = String(person.avatar_url).startsWith('https://secure.gravatar.com/');
  return isGravatar && person.delivery_email !== null ? { ...person, avatar_url: null } : person;
}

function without(value: Item, keys: readonly string[]): Item {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}
