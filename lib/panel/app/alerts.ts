/** Alerts a user who is not on the page: notifications of the browser, sounds, and the icon of the page. */
import { isTopicPlace } from '../../client/store/places.ts';
import type { Message } from '../../client/store/types.ts';
import { textOf } from '../content/text-of.ts';
import type { Panel } from '../context.ts';
import { channelName, isWithoutTopics, peopleNames, placesKey, topicName } from '../messages/places.ts';
import { pushPart } from '../parts.ts';
import { ALERT_WORDS } from '../words/alert-words.ts';
import { type Alert, alertFor, iconCount } from './alert-policy.ts';
import { pageIcon } from './page-icon.ts';
import { watchStatusEnd } from './status-end.ts';
import { play } from './tunes.ts';

export { keepEnd, keptEnd } from './status-end.ts';
export { play } from './tunes.ts';

/** Milliseconds. A message gets no alert if the user reads it in this time, for example in another window. */
const DELAY_MS = 1000;
/** Milliseconds. Other tabs receive a message at most 30 seconds later. */
const CLAIM_MS = 120_000;
/** Conversations with a separate notification, per response of events. */
const MAX_NOTIFICATIONS = 4;

/** @param signal ends it */
export function startAlerts(panel: Panel, signal: AbortSignal): void {
  const { store } = panel;
  // As long as alerts: while the app is open.
  watchStatusEnd(store, signal);
  const showCount = pageIcon(document);
  const count = () => {
    const settings = store.settings.get();
    if (!settings) return;
    const { realm_icon_source: source, realm_icon_url: icon } = store.organization.get() ?? {};
    const url = source === 'U' ? new URL(`${icon}`, `${panel.site}/`).href : undefined;
    showCount(
      iconCount(store.unread.get(), settings, (...topic) => store.channels.policy(...topic)),
      url,
    );
  };
  const ends = [
    store.unread.subscribe(count),
    store.settings.subscribe(count),
    store.organization.subscribe(count),
    store.messages.onUnread((messages) => {
      const fresh = claimed(messages, panel);
      if (document.visibilityState === 'visible' && document.hasFocus()) return;
      const alerts = alertsFor(fresh, panel);
      if (alerts.length > 0) setTimeout(() => void (signal.aborted || show(alerts, panel)), DELAY_MS);
    }),
  ];
  signal.addEventListener('abort', () => {
    for (const end of ends) end();
  });
}

/**
 * The messages that no other tab of this browser has claimed: only one tab alerts. A visible tab claims messages too,
 * because its user has seen the count.
 */
function claimed(messages: readonly Message[], { store }: Panel): readonly Message[] {
  const key = `parlance-alerted ${store.organization.get()?.realm_url} ${store.me.get()?.user_id}`;
  try {
    const [last = 0, at = 0] = (localStorage.getItem(key) ?? '').split(' ').map(Number);
    // After some time, lower IDs count as new: another database starts again with low IDs.
    const fresh = Date.now() - at < CLAIM_MS ? messages.filter(({ id }) => id > last) : messages;
    if (fresh.length > 0) localStorage.setItem(key, `${fresh.at(-1)?.id} ${Date.now()}`);
    return fresh;
  } catch {
    // Without a storage, each tab alerts.
    return messages;
  }
}

interface MessageAlert extends Alert {
  readonly message: Message;
}

/** Uses the current settings: after a mention, the user may follow the topic a moment later. */
function alertsFor(messages: readonly Message[], { store }: Panel): readonly MessageAlert[] {
  const settings = store.settings.get();
  if (!settings) return [];
  return messages.flatMap((message) => {
    const { place, sender_id } = message;
    const ofTopic = isTopicPlace(place) && {
      channel: store.channels.get().get(place.channelId),
      policy: store.channels.policy(place.channelId, place.topic),
    };
    const alert = alertFor(message, { settings, ...(ofTopic || { channel: undefined, policy: 0 }) });
    const isWanted = (alert.isShown || alert.hasSound) && !store.mutedUsers.get().has(sender_id);
    return isWanted ? [{ message, ...alert }] : [];
  });
}

async function show(alerts: readonly MessageAlert[], panel: Panel): Promise<void> {
  const { store } = panel;
  const unread = alerts.filter(({ message }) => store.messages.isUnread(message.id));
  if (unread.some(({ hasSound }) => hasSound)) play(store.settings.get()?.notification_sound ?? 'none');
  /** The newest message of each conversation. */
  const shown = new Map(
    unread.flatMap(({ isShown, message }) => (isShown ? [[placesKey(message.place), message] as const] : [])),
  );
  // The browser asks another process for the permission, which takes milliseconds.
  if (shown.size === 0 || !('Notification' in globalThis) || Notification.permission !== 'granted') return;
  if (await isPushed(panel)) return;
  for (const message of [...shown.values()].slice(-MAX_NOTIFICATIONS)) notify(message, panel);
}

/** Whether the service worker of this browser shows the notifications. */
async function isPushed(panel: Panel): Promise<boolean> {
  const me = panel.store.me.get();
  if (!me || !panel.host.hasAttribute('push')) return false;
  return pushPart().then(
    (part) => part.isPushed(panel, me.user_id),
    () => false,
  );
}

/** A notification replaces the previous one of its conversation. It is silent: the panel plays the sound of the user. */
function notify(message: Message, panel: Panel): void {
  const { store, site, words, navigate } = panel;
  const { id, place, sender_full_name, avatar_url, content } = message;
  const texts = { ...ALERT_WORDS, ...words };
  const name = placeName(message, panel);
  const hidesText = !isTopicPlace(place) && store.settings.get()?.pm_content_in_desktop_notifications === false;
  const picture = avatar_url ? new URL(avatar_url, `${site}/`) : undefined;
  try {
    const notification = new Notification(
      name === undefined ? sender_full_name : texts.alertFrom(sender_full_name, name),
      {
        body: hidesText ? texts.alertWithoutText : textOf(content),
        tag: `parlance ${site} ${placesKey(place)}`,
        silent: true,
        // Pictures of other sites would tell them who gets messages.
        ...(picture?.origin === new URL(site).origin && { icon: picture.href }),
      },
    );
    notification.addEventListener('click', () => {
      focus();
      navigate({ narrow: place, at: id });
      notification.close();
    });
  } catch {
    // Only service workers may show notifications here.
  }
}

/** Undefined for a conversation of two. */
function placeName({ place, sender_id }: Message, panel: Panel): string | undefined {
  const { store, words } = panel;
  if (isTopicPlace(place)) {
    const channels = store.channels.get();
    const channel = `#${channelName(channels, place.channelId)}`;
    return isWithoutTopics(channels.get(place.channelId)) ? channel : `${channel} › ${topicName(place.topic, words)}`;
  }
  const others = place.userIds.filter((id) => id !== sender_id);
  return others.length === 0
    ? undefined
    : peopleNames(
        others.map((id) => store.people.user(id).get()),
        panel,
      );
}
