/** The menus of channels, topics and the own account. One file, fetched with the first use of any of them. */
export { ChannelActions } from './channel-actions.tsx';
export { OwnActions } from './own-actions.tsx';
export { TopicActions } from './topic-actions.tsx';
