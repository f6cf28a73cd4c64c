/** The quick switcher, the keys that lead elsewhere, and the list of keys. One file, fetched with the first use. */
export { plainLetters } from '../../rules/plain-letters.ts';
export { QuickSwitcher } from './quick-switcher.tsx';
export { ShortcutHelp } from './shortcut-help.tsx';
export { toNeighbor, toNextUnread } from './steps.ts';
