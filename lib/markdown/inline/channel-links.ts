import { channelAddress, topicAddress } from '../../rules/narrow.ts';
import { escapeText } from '../html.ts';
import type { RenderState } from '../render-state.ts';
import { BEFORE_SIGN } from './mentions.ts';
import type { InlineRule } from './rule.ts';

const MESSAGE_LINK = new RegExp(`${BEFORE_SIGN}#\\*\\*([^*>]+)>([^*]*)@(\\d{1,15})\\*\\*`, 'g');
export const TOPIC_LINK = new RegExp(`${BEFORE_SIGN}#\\*\\*([^*>]+)>([^*]*)\\*\\*`, 'g');
export const CHANNEL_LINK = new RegExp(`${BEFORE_SIGN}#\\*\\*([^*]+)\\*\\*`, 'g');

/** `#**channel>topic@id**`. */
export const messageLinks: InlineRule = {
  applies: (text) => text.includes('#**'),
  apply: (text, { placeholders, state }) =>
    text.replace(MESSAGE_LINK, (whole, name: string, topic: string, id: string) => {
      const channel = state.channelByName(name);
      if (!channel || !state.admits()) return whole;
      const href = `${topicAddress(channel.id, name, topic)}/near/${id}`;
      const shown = `#${escapeText(name)} &gt; ${topicText(topic, state)} @ 💬`;
      return placeholders.add(`<a class="message-link" href="${href}">${shown}</a>`);
    }),
};

/** `#**channel>topic**`, the empty topic included; leads to its newest message where that is known. */
export const topicLinks: InlineRule = {
  applies: (text) => text.includes('#**'),
  apply: (text, { placeholders, state }) =>
    text.replace(TOPIC_LINK, (whole, name: string, topic: string) => {
      const channel = state.channelByName(name);
      if (!channel || !state.admits()) return whole;
      const latest = state.latestMessage(channel.id, topic);
      const place = topicAddress(channel.id, name, topic);
      const href = latest === undefined ? place : `${place}/with/${latest}`;
      const shown = `#${escapeText(name)} &gt; ${topicText(topic, state)}`;
      return placeholders.add(`<a class="stream-topic" data-stream-id="${channel.id}" href="${href}">${shown}</a>`);
    }),
};

/** `#**channel**`, by the exact name. */
export const channelLinks: InlineRule = {
  applies: (text) => text.includes('#**'),
  apply: (text, { placeholders, state }) =>
    text.replace(CHANNEL_LINK, (whole, name: string) => {
      const channel = state.channelByName(name);
      if (!channel || !state.admits()) return whole;
      const href = channelAddress(channel.id, name);
      return placeholders.add(
        `<a class="stream" data-stream-id="${channel.id}" href="${href}">#${escapeText(name)}</a>`,
      );
    }),
};

function topicText(topic: string, state: RenderState): string {
  if (topic !== '') return escapeText(topic);
  return `<em>${escapeText(state.options.emptyTopicName ?? 'general chat')}</em>`;
}
