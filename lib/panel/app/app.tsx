/** The views `inbox` and `app` of the panel. `app` has links to everything beside it and owns the address of the page. */

import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ACTION_ICONS } from '../action-icons.ts';
import { Button, IconButton } from '../buttons.tsx';
import { type Destination, type Panel, useCell } from '../context.ts';
import { addIcons } from '../icons.tsx';
import { usesKeys } from '../keys.ts';
import { isPlace, placesKey } from '../messages/places.ts';
import { deferred } from '../parts.ts';
import { reasonOf } from '../reasons.ts';
import { addStyles } from '../style-sheets.ts';
import { useApp } from '../words/app-words.ts';
import { APP_ICONS, LARGE_ICONS } from './app-icons.ts';
import { ColumnContext, type ColumnPlace, useColumn } from './column-state.ts';
import { isCommand } from './command-key.ts';
import controls from './controls.css';
import { type Notice, NoticeContext, SearchContext, useOpen } from './hooks.ts';
import layout from './layout.css';
import { NarrowView } from './narrow-view.tsx';
import pages from './pages.css';
import {
  Administration,
  BrowseChannelsPage,
  Column,
  DraftsPage,
  InboxPage,
  NewChannelPage,
  NewMessagePage,
  navigation,
  PeoplePage,
  QuickSwitcher,
  RecentPage,
  SearchDialog,
  SettingsPage,
  ShortcutHelp,
} from './parts.ts';
import { type Router, RouterContext, useNewRouter } from './router.tsx';
import { narrowOf, type Route, routeFor, withoutOwnId } from './routes.ts';
import { Sidebar } from './sidebar.tsx';
import { OwnsPageContext } from './view-header.tsx';

/** Also above a conversation without the app. */
export { Profile } from './parts.ts';

addStyles(controls, layout, pages);
addIcons(ACTION_ICONS);
addIcons(APP_ICONS);
addIcons(LARGE_ICONS, 24);

export interface AppProps {
  view: 'inbox' | 'app';
  /** Where a part of the panel has led to. Each time a new object. */
  destination: Destination | undefined;
}

export function App({ view, destination }: AppProps): JSX.Element {
  const panel = useApp();
  const { store, words } = panel;
  const isApp = view === 'app';
  const me = useCell(store.me);
  const names = useMemo(() => ({ channel: (id: number) => store.channels.get().get(id)?.name }), [store]);
  const router = useNewRouter(isApp, names);
  const root = useRef<HTMLDivElement>(null);
  const [notice, setNotice] = useState<Notice>();
  const [search, setSearch] = useState<string>();
  const help = useOpen();
  const switcher = useOpen();
  const route = withoutOwnId(router.route, me?.user_id);
  const { go } = router;
  const column = useColumn(router);
  const place = columnPlace(route);
  const hold = useEarlyTyping(root, route, go);

  // Before the next key, which may open the search.
  useLayoutEffect(() => {
    setNotice(router.unknown === undefined ? undefined : { text: words.unknownAddress });
    setSearch(undefined);
    switcher.close();
  }, [router.visit]);
  useAlerts(panel, isApp);
  useTheme(isApp);
  useShortcuts(root, isApp, {
    search: () => setSearch(''),
    compose: () => {
      // The button of the channel still loads.
      const isLoading = isApp && route.view === 'channel' && !root.current?.querySelector('.composer');
      if (isLoading && !store.channels.get().get(route.channelId)?.is_archived)
        go({ ...route, toWrite: true }, { replace: true });
      else compose(root.current, go);
    },
    hasComposer: () => root.current?.querySelector('.composer textarea') != null,
    hold,
    help: help.open,
    column: place && column.toggle,
    isSwitching: switcher.isOpen,
    switch: switcher.isOpen ? switcher.close : switcher.open,
    nextUnread: () => step(({ toNextUnread }) => toNextUnread(panel, router)),
    neighbor: (by) => step(({ toNeighbor }) => toNeighbor(root.current, by)),
  });
  const step = (take: (part: Awaited<ReturnType<typeof navigation>>) => void) =>
    void navigation().then(take, () => setNotice({ text: words.partFailed }));
  useEffect(() => {
    if (!destination) return;
    const found = routeFor(destination);
    if (found) go(found);
  }, [destination]);
  const Main = isApp ? 'main' : 'div';
  return (
    <RouterContext.Provider value={router}>
      <OwnsPageContext.Provider value={isApp}>
        <NoticeContext.Provider value={setNotice}>
          <SearchContext.Provider value={setSearch}>
            <ColumnContext.Provider value={column}>
              <div ref={root} class="app-frame" part="app">
                <div class={`app app-${view} ${route.view === 'menu' ? 'shows-menu' : ''}`}>
                  <Sidebar openShortcuts={help.open} openSearch={() => setSearch('')} openSwitcher={switcher.open} />
                  <Main class="main">
                    {notice && <NoticeBar {...notice} show={setNotice} />}
                    <Page route={route} />
                  </Main>
                  {place && column.tab && <Column key={placesKey(place)} place={place} column={column} />}
                  {search !== undefined && <SearchDialog initial={search} onClose={() => setSearch(undefined)} />}
                  {switcher.isOpen && <QuickSwitcher onClose={switcher.close} />}
                  {help.isOpen && <ShortcutHelp onClose={help.close} />}
                </div>
              </div>
            </ColumnContext.Provider>
          </SearchContext.Provider>
        </NoticeContext.Provider>
      </OwnsPageContext.Provider>
    </RouterContext.Provider>
  );
}

interface NoticeBarProps extends Notice {
  show(notice: Notice | undefined): void;
}

function NoticeBar({ text, undo, show }: NoticeBarProps): JSX.Element {
  const { words } = useApp();
  const close = () => show(undefined);
  return (
    <div class="notice-bar" role={undo ? 'status' : 'alert'}>
      <p>{text}</p>
      {undo && (
        <Button
          onClick={() => {
            close();
            undo().catch((error) => show({ text: words.actionFailed(reasonOf(error, words)) }));
          }}
        >
          {words.undo}
        </Button>
      )}
      <IconButton icon="close" label={words.close} onClick={close} />
    </div>
  );
}

/** Sounds and desktop notifications. The first data comes first. */
function useAlerts(panel: Panel, isApp: boolean): void {
  useEffect(() => {
    if (!isApp) return;
    const ending = new AbortController();
    const { signal } = ending;
    // Without this file, the title still counts.
    deferred()
      .then(() => import('./alerts.ts'))
      .then(({ startAlerts }) => signal.aborted || startAlerts(panel, signal))
      .catch(() => {});
    return () => ending.abort();
  }, [panel, isApp]);
}

/** The channel or direct conversation whose people and files the column shows. */
function columnPlace(route: Route): ColumnPlace | undefined {
  const narrow = narrowOf(route);
  if (!narrow || 'search' in narrow || 'view' in narrow) return undefined;
  return 'channelId' in narrow ? { channelId: narrow.channelId } : narrow;
}

function Page({ route }: { route: Route }): JSX.Element {
  switch (route.view) {
    case 'inbox':
    case 'menu':
      return <InboxPage />;
    case 'recent':
      return <RecentPage />;
    case 'settings':
      return <SettingsPage />;
    case 'administration':
      return <Administration path={route.path} />;
    case 'people':
      return <PeoplePage userId={'userId' in route ? route.userId : undefined} />;
    case 'drafts':
      return <DraftsPage />;
    case 'browse-channels':
      return <BrowseChannelsPage />;
    case 'new-channel':
      return <NewChannelPage />;
    case 'new-message':
      return <NewMessagePage />;
    default:
      return <NarrowView route={route} />;
  }
}

const THEMES: Readonly<Record<number, string>> = { 1: 'auto', 2: 'dark', 3: 'light' };

/** The app follows the setting of the user. An embedded panel follows its page. */
function useTheme(isApp: boolean): void {
  const { store, host } = useApp();
  const scheme = useCell(store.settings)?.color_scheme;
  useEffect(() => {
    if (isApp && scheme !== undefined) host.setAttribute('theme', THEMES[scheme] ?? 'auto');
  }, [isApp, scheme, host]);
}

/** To the composer of this view or the button in its place. Without them, to a new message. */
function compose(root: HTMLElement | null, go: (route: Route) => void): void {
  const composer = root?.querySelector<HTMLElement>('.main textarea, .composer > button');
  if (!composer) go({ view: 'new-message' });
  composer?.focus();
  if (composer?.matches('button')) composer.click();
}

/**
 * The composer loads after the first messages. Until then, keys of the user go to the draft. Before the account is there
 * with its drafts, they wait. The result is false if no composer is on its way.
 */
function useEarlyTyping(root: { readonly current: HTMLElement | null }, route: Route, go: Router['go']) {
  const { store } = useApp();
  const me = useCell(store.me);
  const held = useRef('');
  const narrow = narrowOf(route);
  const draft = me && narrow && isPlace(narrow) && store.drafts.of(narrow);
  useEffect(() => {
    if (!draft || !held.current) return;
    draft.set(draft.get() + held.current);
    held.current = '';
  }, [draft]);
  return (key: string): boolean => {
    const isWriting = 'toWrite' in route;
    const isText = [...key].length === 1 && (isWriting || key !== ' ');
    if (!root.current?.querySelector('.composer-place:empty') || !(isText || (isWriting && key === 'Backspace')))
      return false;
    const change = (text: string) => (isText ? text + key : text.slice(0, -1));
    if (draft) draft.set(change(draft.get()));
    else held.current = change(held.current);
    // The composer takes the focus.
    if (!isWriting) go({ ...route, toWrite: true } as Route, { replace: true });
    return true;
  };
}

// Keys of the app. `shortcut-help.tsx` lists them.

interface Actions {
  search(): void;
  compose(): void;
  /** Whether this view has a field for messages. */
  hasComposer(): boolean;
  /** Keeps a key for the composer. Returns false if none is on its way. */
  hold(key: string): boolean;
  help(): void;
  /** Undefined: this view has no column. */
  column: (() => void) | undefined;
  isSwitching: boolean;
  switch(): void;
  nextUnread(): void;
  neighbor(by: number): void;
}

/**
 * Single keys work while no field has the focus. Keys with Ctrl or Alt work also in fields: the app gets them before the
 * field. The page around an embedded panel has them while the focus is elsewhere.
 */
function useShortcuts(root: { readonly current: HTMLElement | null }, isApp: boolean, actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const { host } = (root.current?.getRootNode() ?? {}) as Partial<ShadowRoot>;
    const target = host ?? root.current;
    if (!target) return;
    const act = (event: KeyboardEvent, action: (() => void) | undefined) => {
      if (!action) return;
      action();
      event.preventDefault();
    };
    const hasDialog = () => host?.shadowRoot?.querySelector('dialog[open]');
    const pressed = (event: KeyboardEvent) => {
      const { key, ctrlKey, altKey, metaKey, isComposing } = event;
      if (event.defaultPrevented || ctrlKey || altKey || metaKey || isComposing) return;
      const from = event.composedPath()[0];
      if (key === 'Escape') return leaveField(from);
      const { search, compose, help, isSwitching, hasComposer, hold } = latest.current;
      // The switcher may still load.
      if (usesKeys(from) || hasDialog() || isSwitching) return;
      if (isApp && hold(key)) return event.preventDefault();
      // A command such as `/me`, or a question: all that is typed is the start of a message.
      if (!(isApp && hasComposer())) act(event, { '/': search, c: compose, '?': help }[key]);
    };
    const pressedAnywhere = (event: KeyboardEvent) => {
      const { key, ctrlKey, altKey, metaKey, shiftKey, target: from } = event;
      if (!(isApp || from === target)) return;
      // Before the letter, so that the switcher is there when the user types into it.
      if (key === 'Control' || key === 'Meta') void navigation().catch(() => {});
      const { search, help, isSwitching, switch: toggle, neighbor, nextUnread, column } = latest.current;
      // Some keyboards have these signs behind the Shift key.
      const commands = { '.': column, '/': help, f: shiftKey && search, k: !shiftKey && toggle };
      const command = isCommand(event) && !altKey && commands[key.toLowerCase() as '.'];
      const by = altKey && !ctrlKey && !metaKey ? { ArrowDown: 1, ArrowUp: -1 }[key] : undefined;
      const step = by && (!shiftKey || by === 1) && (() => (shiftKey ? nextUnread() : neighbor(by)));
      const action = command || step;
      if (!action || (hasDialog() && !(command === toggle && isSwitching))) return;
      // Alt with an arrow key opens this field.
      if (by && (event.composedPath()[0] as Element).matches?.('select')) return;
      // The composer makes a link with Ctrl+K.
      event.stopPropagation();
      act(event, action);
    };
    document.addEventListener('keydown', pressed);
    document.addEventListener('keydown', pressedAnywhere, { capture: true });
    return () => {
      document.removeEventListener('keydown', pressed);
      document.removeEventListener('keydown', pressedAnywhere, { capture: true });
    };
  }, []);
}

function leaveField(target: EventTarget | undefined): void {
  if (usesKeys(target) && !target.closest('dialog')) target.blur();
}
