import type { Channel } from '../model/channels.ts';
import type { User } from '../model/users.ts';
import { directAddress, topicAddress } from '../rules/narrow.ts';
import type { Conversation } from '../storage/interface/conversations.ts';
import type { Services } from './context.ts';

interface MessagePlace {
  messageId: number;
  conversation: Pick<Conversation, 'topic' | 'participants'>;
  /** Absent in direct conversations. */
  channel: Pick<Channel, 'id' | 'name' | 'external_id'> | undefined;
}

/**
 * The page that shows a message to a user: that of the host, or the web app.
 * @param showsNames otherwise the address in the web app contains no names
 */
export function messagePage(
  services: Services,
  place: MessagePlace,
  reader: User,
  showsNames = true,
): { url: string; isOfHost: boolean } {
  const ofHost = pageOfHost(services, place, reader);
  if (ofHost !== undefined) return { url: ofHost, isOfHost: true };
  const { messageId, conversation, channel } = place;
  const ofChannel = ({ id, name }: Pick<Channel, 'id' | 'name'>) =>
    showsNames ? topicAddress(id, name, conversation.topic) : `/#narrow/channel/${id}`;
  const address = channel ? ofChannel(channel) : directAddress(conversation.participants);
  return { url: `${services.options.baseUrl}${address}/near/${messageId}`, isOfHost: false };
}

function pageOfHost({ options, logger }: Services, { messageId, conversation, channel }: MessagePlace, reader: User) {
  const ofChannel = channel && {
    ...(channel.external_id === null ? {} : { external_id: channel.external_id }),
    channel_id: channel.id,
    topic: conversation.topic,
  };
  const { id: user_id, role } = reader;
  try {
    const place = ofChannel ?? { user_ids: [...conversation.participants] };
    const url = options.messageUrl?.(place, { id: messageId }, { user_id, role });
    if (url === undefined) return undefined;
    if (/^https?:\/\//i.test(url)) return new URL(url).href;
    throw new TypeError('messageUrl must return an absolute URL or undefined.');
  } catch (error) {
    // The notification must not wait until the host has fixed its function.
    logger.error({ error, message: messageId }, 'messageUrl failed, so a notification links to the web app');
    return undefined;
  }
}
