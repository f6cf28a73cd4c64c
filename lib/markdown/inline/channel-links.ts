import { channelAddress, topicAddress } from '../../rules/narrow.ts';
import { escapeText } from '../html.ts';
import type { RenderState } from '../render-state.ts';
import { BEFORE_SIGN } from './mentions.ts';
import { replacing } from './rule.ts';

const MESSAGE_LINK = new RegExp(`${BEFORE_SIGN}#\\*\\*([^*>]+)>([^*]*)@(\\d{1,15})\\*\\*`, 'g');
export const TOPIC_LINK = new RegExp(`${BEFORE_SIGN}#\\*\\*([^*>]+)>([^*]*)\\*\\*`, 'g');
export const CHANNEL_LINK = new RegExp(`${BEFORE_SIGN}#\\*\\*([^*]+)\\*\\*`, 'g');

/** `#**channel>topic@id**`. */
export const messageLinks = replacing('#**', MESSAGE_LINK, ({ state }, _whole, name = '', topic = '', message) => {
  const id = state.channels.get(name);
  if (id === undefined) return undefined;
  const href = `${topicAddress(id, name, topic)}/near/${message}`;
  return `<a class="message-link" href="${href}">#${escapeText(name)} &gt; ${topicText(topic, state)} @ 💬</a>`;
});

/** `#**channel>topic**`, the empty topic included; leads to its newest message where that is known. */
export const topicLinks = replacing('#**', TOPIC_LINK, ({ state }, _whole, name = '', topic = '') => {
  const id = state.channels.get(name);
  if (id === undefined) return undefined;
  const latest = state.latestMessage(id, topic);
  const place = topicAddress(id, name, topic);
  const href = latest === undefined ? place : `${place}/with/${latest}`;
  const shown = `#${escapeText(name)} &gt; ${topicText(topic, state)}`;
  return `<a class="stream-topic" data-stream-id="${id}" href="${href}">${shown}</a>`;
});

/** `#**channel**`, by the exact name. */
export const channelLinks = replacing('#**', CHANNEL_LINK, ({ state }, _whole, name = '') => {
  const id = state.channels.get(name);
  const href = id === undefined ? undefined : channelAddress(id, name);
  return href && `<a class="stream" data-stream-id="${id}" href="${href}">#${escapeText(name)}</a>`;
});

function topicText(topic: string, state: RenderState): string {
  if (topic !== '') return escapeText(topic);
  return `<em>${escapeText(state.options.emptyTopicName ?? 'general chat')}</em>`;
}
