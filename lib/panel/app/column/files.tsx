/** Files in the messages of a conversation, the newest first. */

import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Message, MessageList, Narrow } from '../../../client/store/types.ts';
import { Button } from '../../buttons.tsx';
import { MessageContent } from '../../content/content.tsx';
import { useCell } from '../../context.ts';
import { Icon } from '../../icons.tsx';
import { Outline } from '../../outline.tsx';
import { reasonOf } from '../../reasons.ts';
import { useColumnWords } from '../../words/column-words.ts';
import type { ColumnPlace } from '../column-state.ts';
import { Link } from '../router.tsx';
import { routeFor } from '../routes.ts';
import { filesOf, linkTo, type SharedFile } from './shared-files.ts';

/** Messages with files. */
const MAX_MESSAGES = 1000;
const PAGE = 50;
const MAX_FETCHED = 400;

export function Files({ place }: { place: ColumnPlace }): JSX.Element {
  const { store, words, site } = useColumnWords();
  const list = useFileList(place);
  const muted = useCell(store.mutedUsers);
  const { messages, loading, error, hasOldest } = useCell(list.state);
  const files = useMemo(
    () =>
      filesOf(
        messages.filter((message) => isIn(place, message) && !muted.has(message.sender_id)),
        site,
      ),
    [messages, muted, site],
  );
  const isFull = messages.length >= MAX_MESSAGES;
  return (
    <div aria-busy={loading !== 'none'}>
      {files.length > 0 && (
        <ul class="rows files">
          {files.map((file) => (
            <FileRow key={file.path} file={file} />
          ))}
        </ul>
      )}
      {files.length === 0 && loading !== 'none' && <Outline of="people" />}
      {error && (
        <p class="error-text" role="alert">
          {words.filesFailed(reasonOf(error, words))}{' '}
          <button
            type="button"
            class="link-button"
            onClick={() => void (messages.length > 0 ? list.older(PAGE) : list.around('newest'))}
          >
            {words.retry}
          </button>
        </p>
      )}
      {files.length === 0 && loading === 'none' && !error && hasOldest && <p class="muted">{words.noFiles}</p>}
      {!hasOldest && !error && messages.length > 0 && (
        <div class="show-more">
          {isFull ? (
            <p class="muted">{words.oldestFiles}</p>
          ) : (
            <Button isDisabled={loading !== 'none'} onClick={() => void list.older(PAGE)}>
              {words.olderFiles}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** A search keeps messages that have left the place. */
const isIn = (place: ColumnPlace, message: Message) =>
  !('channelId' in place) || ('channelId' in message.place && message.place.channelId === place.channelId);

/** Messages with files. New messages do not enter a search, so it begins again when one with a file comes. */
function useFileList(place: ColumnPlace): MessageList {
  const { store } = useColumnWords();
  const key = JSON.stringify(place);
  const me = useCell(store.me)?.user_id ?? 0;
  const list = useMemo(() => {
    const term = 'channelId' in place ? (['channel', place.channelId] as const) : (['dm', idsOf(place, me)] as const);
    const search: Narrow = { search: [term, ['has', 'attachment']] };
    return store.messages.open(search, 'newest', { limit: MAX_MESSAGES });
  }, [store, key, me]);
  useEffect(() => {
    const end = store.events.listen((events) => {
      const channelId = 'channelId' in place ? place.channelId : undefined;
      const isNew = events.some(
        (event) =>
          event.type === 'message' &&
          event.message.stream_id === channelId &&
          event.message.content.includes('/user_uploads/'),
      );
      if (!isNew) return;
      const more = Math.min(list.state.get().messages.length, MAX_FETCHED) - PAGE;
      void list.around('newest').then(() => (more > 0 ? list.older(more) : undefined));
    });
    return () => {
      end();
      list.close();
    };
  }, [list]);
  return list;
}

const idsOf = ({ userIds }: { readonly userIds: readonly number[] }, me: number) =>
  userIds.length > 0 ? userIds : [me];

function FileRow({ file }: { file: SharedFile }): JSX.Element {
  const { words, formats } = useColumnWords();
  const { name, thumbnail, message } = file;
  const { id, place, timestamp, sender_full_name } = message;
  const at = timestamp * 1000;
  const to = routeFor({ narrow: place, at: id });
  return (
    <li class="column-row file">
      <span class="row-picture">{thumbnail ? <MessageContent html={thumbnail} /> : <Icon name="drafts" />}</span>
      <div class="file-text">
        <MessageContent html={linkTo(file)} />
        {to && (
          <Link to={to} class="quiet-link muted">
            {sender_full_name}, <time title={formats.full(at)}>{formats.day(at)}</time>
            <span class="visually-hidden">: {words.showInConversation(name)}</span>
          </Link>
        )}
      </div>
    </li>
  );
}
