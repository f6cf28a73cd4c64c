/** What a conversation needs after its first messages. One file, fetched when they are on the screen. */
import { ACTION_ICONS } from './action-icons.ts';
import styles from './deferred.css';
import { addIcons } from './icons.tsx';
import { addStyles } from './style-sheets.ts';

addStyles(styles);
addIcons(ACTION_ICONS);

export { Composer } from './composer/composer.tsx';
export { ContentEvents } from './content/events.tsx';
export { ActionBar } from './messages/action-bar.tsx';
export { ListKeys } from './messages/list-keys.tsx';
export { NewMessages } from './messages/new-messages.ts';
export { OutgoingRow } from './messages/outgoing-row.tsx';
export { PlaceLine } from './messages/place-line.tsx';
export { TypingNames } from './messages/typing-names.tsx';
export { StatusBanner } from './status-banner.tsx';
