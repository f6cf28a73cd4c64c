/** The menus of channels and topics. One file, fetched with the first use of any of them. */
export { ChannelActions } from './channel-actions.tsx';
export { TopicActions } from './topic-actions.tsx';
