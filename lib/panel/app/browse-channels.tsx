/** Channels that the user may subscribe to, with a search. */

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Channel } from '../../client/store/types.ts';
import { plainLetters } from '../../rules/plain-letters.ts';
import { Button, ErrorText } from '../buttons.tsx';
import { MessageContent } from '../content/content.tsx';
import { useCell } from '../context.ts';
import { Outline } from '../outline.tsx';
import { useFetched } from '../refusal.ts';
import { addStyles } from '../style-sheets.ts';
import { useApp } from '../words/app-words.ts';
import { useMayCreateChannels } from './channel-settings.tsx';
import { Field, LimitedList } from './controls.tsx';
import { useAction, useDebounced } from './hooks.ts';
import lists from './lists.css';
import { ChannelIcon, Label } from './place-names.tsx';
import { Link, useRouter } from './router.tsx';
import { ViewHeader } from './view-header.tsx';

addStyles(lists);

export function BrowseChannelsPage(): JSX.Element {
  const { words } = useApp();
  const { go } = useRouter();
  const [query, setQuery] = useState('');
  const [listsAll, setListsAll] = useState(false);
  const debounced = useDebounced(query.trim());
  const mayCreate = useMayCreateChannels();
  const found = useChannelsMatching(debounced, listsAll);
  return (
    <>
      <ViewHeader title={words.browseChannels} icon="hash">
        {(mayCreate.isPublic || mayCreate.isPrivate) && (
          <Button onClick={() => go({ view: 'new-channel' })}>{words.createChannel}</Button>
        )}
      </ViewHeader>
      <div class="page" aria-busy={found.isLoading}>
        <Field label={words.searchChannels} type="search" value={query} onInput={setQuery} maxLength={100} />
        <ErrorText action={found} />
        {found.isLoading && found.channels.length === 0 && <Outline of="people" />}
        {!found.isLoading && found.channels.length === 0 && <p class="muted">{words.noChannels}</p>}
        <ul class="rows">
          <LimitedList items={found.channels}>
            {(channel) => <ChannelLine key={channel.stream_id} channel={channel} />}
          </LimitedList>
        </ul>
        {found.hasMore && (
          <div class="form-actions">
            <Button onClick={() => setListsAll(true)}>{words.listAllChannels}</Button>
          </div>
        )}
      </div>
    </>
  );
}

/** With so many results, there may be others. */
const MAX_FOUND = 20;

/** From a search of the server, at most 20; or from the list of all channels, fetched once on demand. */
function useChannelsMatching(query: string, listsAll: boolean) {
  const { store, formats } = useApp();
  const known = useCell(store.channels);
  const search = useFetched((signal) => store.channels.search(query, { signal }), [query]);
  const all = useFetched(
    async () => (listsAll ? (await store.session.channels.list({ exclude_archived: true })).streams : undefined),
    [listsAll],
  );
  const channels = useMemo(() => {
    const text = plainLetters(query);
    const collator = new Intl.Collator(formats.lang, { numeric: true });
    const listed: readonly Omit<Channel, 'is_subscribed'>[] = all.value
      ? all.value
          .filter(({ name }) => plainLetters(name).includes(text))
          .sort((a, b) => collator.compare(a.name, b.name))
      : (search.value ?? []);
    return listed
      .map((channel): Channel => known.get(channel.stream_id) ?? { ...channel, is_subscribed: false })
      .filter(({ is_archived }) => !is_archived);
  }, [all.value, search.value, known, query, formats]);
  const isLoading = search.isLoading || all.isLoading;
  const hasMore = !listsAll && !isLoading && (search.value?.length ?? 0) >= MAX_FOUND;
  return { channels, error: search.error ?? all.error, isLoading, hasMore };
}

function ChannelLine({ channel }: { channel: Channel }): JSX.Element {
  const { store, words } = useApp();
  const { subscriptions } = store.session;
  const action = useAction();
  const { stream_id: channelId, name, rendered_description, is_subscribed, subscriber_count } = channel;
  const toggle = () =>
    action.run(() =>
      is_subscribed
        ? subscriptions.remove({ subscriptions: [name] })
        : subscriptions.add({ subscriptions: [{ name }] }),
    );
  return (
    <li class="channel-line">
      <ChannelIcon channel={channel} />
      <div class="channel-text">
        <Link to={{ view: 'channel', channelId }} class="channel-link">
          <Label>{name}</Label>
        </Link>
        <div class="muted">
          {rendered_description && <MessageContent html={rendered_description} />}
          {subscriber_count !== undefined && <span>{words.subscriberCount(subscriber_count)}</span>}
        </div>
        <ErrorText action={action} />
      </div>
      <Button kind={is_subscribed ? undefined : 'primary'} isDisabled={action.isRunning} onClick={toggle}>
        {is_subscribed ? words.unsubscribe : words.subscribe}
        <span class="visually-hidden"> {name}</span>
      </Button>
    </li>
  );
}
