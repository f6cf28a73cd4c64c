/** What is in the shadow root of a panel: status, and a conversation, the inbox or the app. */

import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatError } from '../base/errors.ts';
import type { ChatStore, Status } from '../client/store/types.ts';
import { Announcer } from './announcer.ts';
import { IconButton } from './buttons.tsx';
import {
  type Destination,
  type EarlyEvents,
  type Panel,
  PanelContext,
  type PanelEvents,
  type SignedOutReason,
  useCell,
  usePanel,
} from './context.ts';
import { type Formats, formatsOf } from './formats.ts';
import { Conversation } from './messages/conversation.tsx';
import { placesKey } from './messages/places.ts';
import {
  AccountBanner,
  App,
  ContentEvents,
  NewTopic,
  Profile,
  PushQuestion,
  SignedOut,
  StatusBanner,
} from './parts.ts';
import { attributesKey, useTarget } from './target.ts';
import type { ConversationWords } from './words/conversation-words.ts';

interface RootProps {
  host: HTMLElement;
  store: ChatStore;
  site: string;
  words: ConversationWords;
  attributes: Readonly<Record<string, string>>;
  connections: number;
  dispatch<N extends keyof PanelEvents>(name: N, detail: PanelEvents[N]): boolean;
  signInAgain(): void;
  /** The name of the account before that of the login changed. */
  formerAccount: string | undefined;
}

const ENTER_SENDS: Readonly<Record<string, boolean>> = { send: true, newline: false };

export function Root(props: RootProps): VNode {
  const { host, store, site, words, attributes, connections, dispatch } = props;
  const { hide, readonly, view, enter, push } = attributes;
  const formats = useFormats(props);
  const status = useCell(store.status);
  const { announcer, spoken } = useAnnouncer(words);
  const [person, setPerson] = useState<number>();
  const [moved, setMoved] = useState<{ from: string; to: Destination }>();
  const early = useRef<EarlyEvents>({ click: [], keydown: [], pointerdown: [] }).current;
  const key = attributesKey(attributes);
  const panel: Panel = useMemo(
    () => ({
      ...{ store, words, formats, host, site, connections, dispatch, early },
      isReadonly: readonly !== undefined,
      enterSends: ENTER_SENDS[enter ?? ''],
      loadsExternal: view !== 'app',
      hidden: new Set((hide ?? '').split(/\s+/).filter(Boolean)),
      navigate: (to) => {
        if (!dispatch('parlance-open', to)) return;
        if ('page' in to && to.page === 'person') setPerson(to.id);
        else setMoved({ from: key, to });
      },
      announce: (text) => announcer.text(text),
      announceMessage: (text) => announcer.message(text),
    }),
    [store, words, formats, site, connections, readonly, hide, view, enter, key, announcer],
  );
  useEvents(store, dispatch, site, host);
  const frame = useRef<HTMLDivElement>(null);
  // Attributes that change lead back to what they name.
  const own = moved?.from === key ? moved.to : undefined;
  return (
    <PanelContext.Provider value={panel}>
      <div
        ref={frame}
        class="panel"
        part="panel"
        {...{ onDragOver: refuseFiles }}
        lang={formats.lang}
        dir={attributes.lang === undefined ? undefined : formats.direction}
      >
        {push !== undefined && <PushQuestion />}
        {status.state === 'signed-out' ? (
          <SignedOut
            reason={reasonOf(status)}
            loginPage={view === 'app' ? `${site}/login${location.hash}` : undefined}
            signInAgain={props.signInAgain}
          />
        ) : (
          <>
            <StatusBanner />
            {props.formerAccount !== undefined && <AccountBanner former={props.formerAccount} />}
            <View view={view} attributes={attributes} own={own} back={() => setMoved(undefined)} />
            {person !== undefined && <Profile key={person} userId={person} onClose={() => setPerson(undefined)} />}
          </>
        )}
        <ContentEvents frame={frame} />
        <div role="status" class="visually-hidden" ref={spoken} />
      </div>
    </PanelContext.Provider>
  );
}

interface ViewProps {
  view: string | undefined;
  attributes: Readonly<Record<string, string>>;
  own: Destination | undefined;
  /** To what the attributes name. */
  back(): void;
}

function View({ view, ...rest }: ViewProps): VNode {
  return view === 'app' || view === 'inbox' ? (
    <App view={view} destination={rest.own} />
  ) : (
    <OneConversation {...rest} />
  );
}

function OneConversation({ attributes, own, back }: Omit<ViewProps, 'view'>): VNode {
  const { words } = usePanel();
  const target = useTarget(attributes, own);
  if (target.state === 'loading') return <div class="conversation" aria-busy="true" />;
  if (target.state === 'none')
    return (
      <div class="notice">
        <slot name="empty">{target.text}</slot>
      </div>
    );
  const { narrow, at } = target;
  const isWholeChannel = 'channelId' in narrow && !('topic' in narrow);
  const hasBack = own && 'narrow' in own && !own.isMove;
  return (
    <Conversation
      key={`${placesKey(narrow)} ${at}`}
      narrow={narrow}
      at={at}
      leading={hasBack && <IconButton icon="back" label={words.back} onClick={back} />}
      toWrite={own !== undefined && 'toWrite' in own}
      starter={isWholeChannel && <NewTopic channelId={narrow.channelId} />}
    />
  );
}

/** Otherwise the browser would leave the page to show a dropped file. */
function refuseFiles(event: DragEvent): void {
  const data = event.dataTransfer;
  if (event.defaultPrevented || !data?.types.includes('Files')) return;
  event.preventDefault();
  data.dropEffect = 'none';
}

function reasonOf({ error }: Status): SignedOutReason {
  const { code, data } = (error ?? {}) as Partial<ChatError>;
  if (data?.reason === 'deactivated') return data.reason;
  return code === 'TOKEN_EXPIRED' ? 'expired' : code === 'ACCOUNT_CHANGED' ? 'changed' : 'ended';
}

/** Dates and numbers in the language of the panel, and the clock of the user. */
function useFormats({ host, store, attributes: { lang } }: RootProps): Formats {
  const has24Hours = useCell(store.settings)?.twenty_four_hour_time ?? undefined;
  return useMemo(() => formatsOf(lang ?? languageAround(host), has24Hours), [lang, has24Hours]);
}

/** The announcer, and the region that screen readers read. */
function useAnnouncer(words: ConversationWords) {
  const spoken = useRef<HTMLDivElement>(null);
  const announcer = useMemo(
    () =>
      new Announcer((text) => {
        const element = spoken.current;
        // The same text again is only said if the region differs.
        if (element) element.textContent = element.textContent === text ? `${text}\u00a0` : text;
      }, words.announceCount),
    [words],
  );
  useEffect(() => () => announcer.stop(), [announcer]);
  return { announcer, spoken };
}

/** Events of the element that follow from the store. */
function useEvents(store: ChatStore, dispatch: RootProps['dispatch'], site: string, host: HTMLElement): void {
  useEffect(() => {
    let [state, unread, isReady, error] = ['', '', false, undefined as Error | undefined];
    let isOver = false;
    const onStatus = store.status.subscribe((status) => {
      // A panel that starts again with another account has left its store during this change.
      if (isOver) return;
      const me = store.me.get();
      if (!isReady && me && status.state === 'live') {
        isReady = true;
        dispatch('parlance-ready', { userId: me.user_id });
      }
      if (status.error && status.error !== error) dispatch('parlance-error', { error: status.error });
      if (status.error && !error && !isReady && new URL(site).origin !== location.origin)
        import('./untrusted-origin.ts')
          .then(({ explainUntrustedOrigin }) => explainUntrustedOrigin(site, host))
          .catch(() => {});
      error = status.error;
      if (status.state === state) return;
      state = status.state;
      dispatch('parlance-state', { state });
      if (state === 'signed-out') dispatch('parlance-signed-out', { reason: reasonOf(status) });
    });
    const onUnread = store.unread.subscribe(({ total, mentions }) => {
      if (unread === `${total} ${mentions}`) return;
      unread = `${total} ${mentions}`;
      dispatch('parlance-unread', { total, mentions });
    });
    return () => {
      isOver = true;
      onStatus();
      onUnread();
    };
  }, [store]);
}

const languageAround = (host: HTMLElement) =>
  host.closest<HTMLElement>('[lang]:not([lang=""])')?.getAttribute('lang') ?? undefined;
