/** Own texts that are not sent yet: drafts, scheduled messages, reminders, and snippets for later messages. */

import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { InitialState } from '../../../chat/session.ts';
import { directPlace } from '../../../client/store/places.ts';
import type { Place } from '../../../client/store/types.ts';
import { Button } from '../../buttons.tsx';
import { useCell } from '../../context.ts';
import { addStyles } from '../../style-sheets.ts';
import { useDrafts } from '../../words/drafts-words.ts';
import { NoticeContext, useSave } from '../hooks.ts';
import lists from '../lists.css';
import { useRouter } from '../router.tsx';
import { routeFor } from '../routes.ts';
import { ViewHeader } from '../view-header.tsx';
import styles from './drafts-page.css';
import { Reminders, ScheduledMessages, Snippets } from './planned-lists.tsx';
import { FirstLines, PlaceLink, TextList, TextRow, useLive } from './text-row.tsx';

addStyles(lists, styles);

type Draft = InitialState<'drafts'>['drafts'][number];

export function DraftsPage(): JSX.Element {
  const { store, words } = useDrafts();
  const isSynchronized = useCell(store.settings)?.enable_drafts_synchronization;
  return (
    <>
      <ViewHeader title={words.drafts} icon="drafts" />
      <div class="page">
        {isSynchronized === true && <Drafts />}
        {isSynchronized === false && <DraftsInBrowser />}
        <ScheduledMessages />
        <Reminders />
        <Snippets />
      </div>
    </>
  );
}

function Drafts(): JSX.Element {
  const { store, words } = useDrafts();
  const list = useLive('drafts', async () => {
    // What the user has just written.
    await store.flush();
    return (await store.session.drafts.list()).drafts;
  });
  return (
    <TextList title={words.draftsTitle} empty={words.noDrafts} list={list}>
      {(draft) => <DraftRow key={draft.id} draft={draft} />}
    </TextList>
  );
}

/** Undefined: another client has made a draft without a recipient. */
function placeOf({ type, to, topic }: Draft, me: number): Place | undefined {
  const [channelId] = to;
  if (type === 'private') return directPlace(to, me);
  return type === 'stream' && channelId !== undefined ? { channelId, topic } : undefined;
}

function DraftRow({ draft }: { draft: Draft }): JSX.Element {
  const { store, words, formats } = useDrafts();
  const { go } = useRouter();
  const notify = useContext(NoticeContext);
  const { drafts } = store.session;
  const { id, type, to, topic, content, timestamp } = draft;
  const place = placeOf(draft, store.me.get()?.user_id ?? 0);
  /** What the composer of the place shows. Another client can have made several drafts for one place. */
  const written = place && store.drafts.of(place);
  const isWritten = written?.get().trim() === content.trim();
  const open = async () => {
    const route = place && routeFor({ narrow: place, toWrite: true });
    if (!route || !written) return;
    if (!isWritten) {
      written.set([content, written.get()].filter(Boolean).join('\n\n'));
      await drafts.remove({ draft_id: id });
    }
    go(route);
  };
  const remove = async () => {
    if (written && isWritten) {
      written.set('');
      await store.flush();
    } else await drafts.remove({ draft_id: id });
    const restore = async () => {
      if (written && isWritten) {
        written.set([content, written.get()].filter(Boolean).join('\n\n'));
        await store.flush();
      } else await drafts.create({ drafts: [{ type, to, topic, content }] });
    };
    notify({ text: words.draftDeleted, undo: restore });
  };
  return (
    <TextRow
      head={place ? <PlaceLink place={place} /> : <span class="text-row-place">{words.withoutPlace}</span>}
      detail={words.lastEdited(formats.full(timestamp * 1000))}
      actions={[...(place ? [{ label: words.openDraft, run: open }] : []), { label: words.deleteDraft, run: remove }]}
    >
      <FirstLines text={content} />
    </TextRow>
  );
}

/** The server refuses the list where the user has turned off drafts on the server. */
function DraftsInBrowser(): JSX.Element {
  const { words } = useDrafts();
  const saving = useSave();
  return (
    <section class="text-list" aria-label={words.draftsTitle}>
      <header>
        <h2>{words.draftsTitle}</h2>
      </header>
      <p class="muted">{words.draftsOnlyHere}</p>
      <Button isDisabled={saving.isRunning} onClick={() => void saving.save({ enable_drafts_synchronization: true })}>
        {words.keepDrafts}
      </Button>
    </section>
  );
}
