/** Lists of own texts: where they belong, their first lines, and actions. */

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isTopicPlace } from '../../../client/store/places.ts';
import type { Place } from '../../../client/store/types.ts';
import { Button, ErrorText } from '../../buttons.tsx';
import { useCell, usePanel } from '../../context.ts';
import { Icon } from '../../icons.tsx';
import { channelName } from '../../messages/places.ts';
import { useFetched } from '../../refusal.ts';
import { LimitedList } from '../controls.tsx';
import { type Action, useAction } from '../hooks.ts';
import { ChannelIcon, DirectName, Label, TopicName } from '../place-names.tsx';
import { Link } from '../router.tsx';
import { routeFor } from '../routes.ts';

/** A list of the server. Fetched again after an event of this type, and when events may have been missed. */
export function useLive<T>(type: string, fetch: () => Promise<T>) {
  const { store } = usePanel();
  const [version, setVersion] = useState(0);
  useEffect(
    () =>
      store.events.listen((events) => {
        if (events.length === 0 || events.some((event) => event.type === type)) setVersion((before) => before + 1);
      }),
    [store],
  );
  return useFetched(fetch, [store, version]);
}

interface TextListProps<T> {
  title: string;
  /** What to do where there are none. */
  empty: string;
  list: { readonly value: readonly T[] | undefined; readonly error: string | undefined };
  /** A button of the section. */
  action?: ComponentChildren;
  children(item: T): JSX.Element;
}

/** A button shows more. */
const ROWS_AT_FIRST = 20;

export function TextList<T>({ title, empty, list, action, children }: TextListProps<T>): JSX.Element {
  const { formats } = usePanel();
  const { value, error } = list;
  return (
    <section class="text-list" aria-label={title}>
      <header>
        <h2>
          {title}
          {value && value.length > 0 && <span class="text-list-count"> {formats.number(value.length)}</span>}
        </h2>
        {action}
      </header>
      <ErrorText action={{ error }} />
      {value?.length === 0 && <p class="muted">{empty}</p>}
      <ul class="rows">
        <LimitedList items={value ?? []} first={ROWS_AT_FIRST}>
          {children}
        </LimitedList>
      </ul>
    </section>
  );
}

interface TextRowProps {
  head: ComponentChildren;
  /** Beside it: a time. */
  detail?: string;
  /** Why it needs the user. */
  problem?: string | false;
  children: ComponentChildren;
  /** Their errors appear in the row. */
  actions: readonly RowAction[];
}

interface RowAction {
  readonly label: string;
  run(): unknown;
}

export function TextRow({ head, detail, problem, children, actions }: TextRowProps): JSX.Element {
  const action = useAction();
  return (
    <li class="text-row">
      <div class="text-row-main">
        <div class="text-row-head">
          {head}
          {detail && <span class="muted">{detail}</span>}
        </div>
        {children}
        {problem && <p class="error-text">{problem}</p>}
        <ErrorText action={action} />
      </div>
      <div class="text-row-actions">
        {actions.map(({ label, run }) => (
          <ActionButton key={label} label={label} action={action} run={run} />
        ))}
      </div>
    </li>
  );
}

function ActionButton({ label, action, run }: RowAction & { action: Action }): JSX.Element {
  return (
    <Button isDisabled={action.isRunning} onClick={() => void action.run(async () => run())}>
      {label}
    </Button>
  );
}

/** The first lines of a text, as Markdown. */
export const FirstLines = ({ text }: { text: string }) => (
  <p class="text-row-text" dir="auto">
    {text.slice(0, 500)}
  </p>
);

/** Leads to the place, with its name. */
export function PlaceLink({ place }: { place: Place }): JSX.Element {
  const { store } = usePanel();
  const channels = useCell(store.channels);
  const channelId = isTopicPlace(place) ? place.channelId : undefined;
  useEffect(() => {
    // Without an answer, the row shows the ID.
    if (channelId !== undefined && !channels.has(channelId)) store.channels.lookUp(channelId).catch(() => {});
  }, [channelId]);
  const route = routeFor({ narrow: place }) ?? { view: 'inbox' };
  return (
    <Link to={route} class="text-row-place">
      {isTopicPlace(place) ? (
        <>
          <ChannelIcon channel={channels.get(place.channelId)} />
          <Label>
            {channelName(channels, place.channelId)} › <TopicName topic={place.topic} />
          </Label>
        </>
      ) : (
        <>
          <Icon name="direct" />
          <Label>
            <DirectName userIds={place.userIds} />
          </Label>
        </>
      )}
    </Link>
  );
}
