import type { JSX } from 'preact';
import { Dialog } from '../dialog.tsx';
import { addStyles } from '../style-sheets.ts';
import { type NAVIGATION_WORDS, useNavigationWords } from '../words/navigation-words.ts';
import { isApple } from './command-key.ts';
import lists from './lists.css';
import styles from './navigation.css';

addStyles(lists, styles);

type Word = keyof ReturnType<typeof useNavigationWords>['words'] & string;

interface KeyGroup {
  readonly title: keyof typeof NAVIGATION_WORDS;
  /** Alternatives have a `/` between them. `Mod` is Ctrl, or Command on Apple devices. */
  readonly keys: readonly (readonly [keys: string, meaning: Word])[];
}

/** All keys of the app. */
const KEYS: readonly KeyGroup[] = [
  {
    title: 'keysOfApp',
    keys: [
      ['Mod+K', 'keySwitch'],
      ['Alt+Shift+↓', 'keyNextUnread'],
      ['Alt+↑ / Alt+↓', 'keyNeighbors'],
      ['Mod+Shift+F', 'search'],
      ['Mod+.', 'keyColumn'],
      ['Mod+/', 'keyHelp'],
      ['Esc', 'keyEscape'],
    ],
  },
  {
    title: 'keysWithoutField',
    keys: [
      ['/', 'search'],
      ['c', 'keyCompose'],
      ['?', 'keyHelp'],
    ],
  },
  {
    title: 'keysOfMessages',
    keys: [
      ['↑ / ↓', 'keyRows'],
      ['Home / End', 'keyEnds'],
      ['Enter', 'keyMenu'],
      ['r', 'keyReply'],
      ['e', 'editMessage'],
      ['+', 'addReaction'],
    ],
  },
  {
    title: 'keysOfField',
    keys: [
      ['Mod+Enter', 'send'],
      ['Mod+B', 'keyBold'],
      ['Mod+I', 'keyItalic'],
      ['Mod+Shift+L', 'keyLink'],
    ],
  },
];

export function ShortcutHelp({ onClose }: { onClose(): void }): JSX.Element {
  const { words } = useNavigationWords();
  return (
    <Dialog title={words.shortcuts} onClose={onClose}>
      {KEYS.map(({ title, keys }) => (
        <section key={title} class="key-group" aria-label={`${words[title]}`}>
          <h3>{`${words[title]}`}</h3>
          <dl class="facts">
            {keys.map(([combination, meaning]) => (
              <>
                <dt>
                  {combination.split(' / ').map((alternative) => (
                    <Combination key={alternative} keys={alternative.split(/(?<=.)\+/)} />
                  ))}
                </dt>
                <dd>{`${words[meaning]}`}</dd>
              </>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}

function Combination({ keys }: { keys: readonly string[] }): JSX.Element {
  const names = isApple() ? { Mod: '⌘', Alt: '⌥' } : { Mod: 'Ctrl' };
  return (
    <span class="combination">
      {keys.map((key) => (
        <kbd key={key}>{(names as Readonly<Record<string, string>>)[key] ?? key}</kbd>
      ))}
    </span>
  );
}
