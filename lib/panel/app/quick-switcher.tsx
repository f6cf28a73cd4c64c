/** The quick switcher: a field that finds people, channels and topics, and leads there. */

import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatStore } from '../../client/store/types.ts';
import { keepFocus } from '../composer/text.ts';
import { useCell, usePeople } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { Icon, type IconName } from '../icons.tsx';
import { peopleNames, placesKey, topicName } from '../messages/places.ts';
import { useFetched } from '../refusal.ts';
import { addStyles } from '../style-sheets.ts';
import { useNavigationWords } from '../words/navigation-words.ts';
import { Badge } from './controls.tsx';
import { useDebounced } from './hooks.ts';
import navigation from './navigation.css';
import { useNewest } from './newest.ts';
import { useRouter } from './router.tsx';
import { narrowOf, type Route, withoutOwnId } from './routes.ts';
import {
  channelIn,
  channelTarget,
  matching,
  personTarget,
  type Target,
  targetsOf,
  topicTarget,
} from './switcher-model.ts';

addStyles(navigation);

/** Direct conversations whose names are fetched. The server finds people of older ones. */
const MAX_CONVERSATIONS = 100;
const MAX_QUERY_LENGTH = 100;
/** Characters. One letter is in too many messages. */
const MIN_SEARCH_LENGTH = 2;
const MAX_FOUND_MESSAGES = 50;

const ICONS: Readonly<Record<Target['kind'], IconName>> = {
  direct: 'direct',
  person: 'direct',
  topic: 'chevron',
  channel: 'hash',
};

interface Option {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly unread: number;
  readonly route: Route;
}

export function QuickSwitcher({ onClose }: { onClose(): void }): JSX.Element {
  const { words } = useNavigationWords();
  const { go } = useRouter();
  const [query, setQuery] = useState('');
  const options = useOptions(query);
  const id = useId();
  const open = (option: Option | undefined) => {
    if (!option) return;
    onClose();
    go(option.route);
  };
  const { at, toFirst, onKeyDown } = useActive(options, open);
  return (
    <Dialog title={words.goTo} onClose={onClose}>
      <div class="switcher">
        <input
          class="input"
          autofocus
          type="text"
          role="combobox"
          value={query}
          aria-label={words.goToPlaceholder}
          aria-expanded={options.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-describedby={`${id}-hint`}
          {...(options[at] && { 'aria-activedescendant': `${id}-${at}` })}
          placeholder={words.goToPlaceholder}
          maxLength={MAX_QUERY_LENGTH}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="go"
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            toFirst();
          }}
          onKeyDown={onKeyDown}
        />
        <div id={id} class="switcher-options" role="listbox" aria-label={words.suggestions}>
          {options.map((option, index) => (
            <SwitcherOption
              key={option.key}
              id={`${id}-${index}`}
              option={option}
              isActive={index === at}
              onChoose={() => open(option)}
            />
          ))}
        </div>
        <p class="field-hint" id={`${id}-hint`}>
          {words.goToHint}
        </p>
      </div>
    </Dialog>
  );
}

/** The option that the Enter key opens. Arrows lead to others, and round the ends. */
function useActive(options: readonly Option[], open: (option: Option | undefined) => void) {
  const [active, setActive] = useState(0);
  const at = Math.min(active, options.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = (to: number) => setActive((to + options.length) % Math.max(1, options.length));
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') open(options[at]);
    else return;
    event.preventDefault();
  };
  return { at, toFirst: () => setActive(0), onKeyDown };
}

interface SwitcherOptionProps {
  id: string;
  option: Option;
  isActive: boolean;
  onChoose(): void;
}

function SwitcherOption({ id, option, isActive, onChoose }: SwitcherOptionProps): JSX.Element {
  const element = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const { icon, label, detail, unread } = option;
  return (
    <button
      ref={element}
      type="button"
      id={id}
      class="switcher-option"
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onPointerDown={keepFocus}
      onClick={onChoose}
    >
      <Icon name={icon} />
      <span class="label" dir="auto">
        {label}
        {detail && <span class="muted"> {detail}</span>}
      </span>
      <Badge count={unread} />
    </button>
  );
}

function useOptions(query: string): readonly Option[] {
  const panel = useNavigationWords();
  const { store, words } = panel;
  const { route, visited } = useRouter();
  const channels = useCell(store.channels);
  const found = useFound(query);
  const targets = useTargets(
    visited,
    channelIn(query, channels.values()) ?? ('channelId' in route ? route.channelId : 0),
  );
  return useMemo(() => {
    const own = new Set(targets.map(({ key }) => key));
    const all = [...targets, ...found.filter(({ key }) => !own.has(key))];
    const narrow = narrowOf(withoutOwnId(route, store.me.get()?.user_id));
    const shown = matching(all, query, narrow && placesKey(narrow)).map(
      (target): Option => ({
        ...target,
        icon: target.kind === 'channel' && isPrivate(target.route) ? 'lock' : ICONS[target.kind],
        detail: target.kind === 'topic' ? `#${target.detail}` : target.detail,
      }),
    );
    const text = query.trim();
    if (text === '') return shown;
    const search = { view: 'search', terms: [['search', text]] } as const;
    return [
      ...shown,
      { key: 'search', icon: 'search', label: words.searchMessagesFor(text), unread: 0, route: search },
    ];

    function isPrivate(to: Route): boolean {
      return 'channelId' in to && channels.get(to.channelId)?.invite_only === true;
    }
  }, [targets, found, query, channels, route]);
}

/** What the store knows. @param channelId the channel whose topics are listed too, or 0 */
function useTargets(visited: readonly Route[], channelId: number): readonly Target[] {
  const panel = useNavigationWords();
  const { store, words } = panel;
  const channels = useCell(store.channels);
  const conversations = useCell(store.conversations);
  const unread = useCell(store.unread);
  const me = useCell(store.me)?.user_id;
  const { messages } = useCell(useNewest().state);
  const topics = useTopics(channelId);
  const userIds = new Set(conversations.slice(0, MAX_CONVERSATIONS).flatMap((conversation) => conversation.userIds));
  const people = usePeople([...userIds]);
  return useMemo(() => {
    return targetsOf({
      ...{ visited: visited.map((to) => withoutOwnId(to, me)), conversations, messages, channels, unread, topics, me },
      people: store.people.loaded(),
      nameOf: (ids) => {
        if (ids.length > 0 && !ids.every((id) => userIds.has(id))) return undefined;
        const named = ids.map((id) => store.people.user(id).get());
        return named.includes(undefined) ? undefined : peopleNames(named, panel);
      },
      topicName: (topic) => topicName(topic, words),
    });
  }, [visited, conversations, messages, channels, unread, topics, me, people.filter(Boolean).length]);
}

function useTopics(channelId: number) {
  const { store } = useNavigationWords();
  const [topics, setTopics] = useState<Parameters<typeof targetsOf>[0]['topics']>();
  useEffect(() => {
    if (channelId === 0) return setTopics(undefined);
    return store.channels.topics(channelId).subscribe((list) => setTopics({ channelId, list }));
  }, [store, channelId]);
  return topics;
}

/** What the server finds, with what it has found for earlier queries. */
function useFound(query: string): readonly Target[] {
  const { store, words } = useNavigationWords();
  const text = useDebounced(query.trim());
  const known = useRef(new Map<string, Target>());
  const found = useFetched(
    async (signal) => {
      if (text === '' || text.includes('>')) return undefined;
      const me = store.me.get()?.user_id;
      const [people, channels, topics] = await Promise.all([
        store.people.search(text, { signal }),
        store.channels.search(text, { signal }),
        topicsNamed(text, store, signal),
      ]);
      const targets = [
        ...topics.map(({ channel, topic }) => topicTarget(channel, topic, topicName(topic, words))),
        ...channels.filter(({ is_archived }) => !is_archived).map(channelTarget),
        ...people.map((person) => personTarget(person, me)),
      ];
      for (const target of targets) known.current.set(target.key, target);
      return targets;
    },
    [text],
  );
  return useMemo(() => [...known.current.values()], [found.value]);
}

/** Topics whose name has these words, by the newest messages with them. A topic belongs to the text of its messages. */
async function topicsNamed(text: string, { session, channels }: ChatStore, signal: AbortSignal) {
  if (text.length < MIN_SEARCH_LENGTH) return [];
  const options = { anchor: 'newest', num_before: MAX_FOUND_MESSAGES, allow_empty_topic_name: true } as const;
  try {
    const { messages } = await session.messages.list({ ...options, narrow: [['search', text]] }, { signal });
    return messages.flatMap(({ stream_id = 0, subject: topic, match_subject = '' }) => {
      const channel = channels.get().get(stream_id);
      return channel && match_subject.includes('highlight') ? [{ channel, topic }] : [];
    });
  } catch {
    // Such as a quotation mark without its end: people and channels are still there.
    return [];
  }
}
