/** The line above the messages of a conversation, in a list of several ones. */

import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Place } from '../../client/store/types.ts';
import { IconButton } from '../buttons.tsx';
import { useCell, usePeople } from '../context.ts';
import { addStyles } from '../style-sheets.ts';
import { useDeferred } from '../words/deferred-words.ts';
import { SurroundingsContext, useListActions } from './list-context.ts';
import styles from './place-line.css';
import { channelName, peopleNames, placesKey, topicName } from './places.ts';

addStyles(styles);

export interface PlaceLineProps {
  place: Place;
  /** The first of them, or the result of a search that it is about. Undefined above messages that have not arrived. */
  messageId?: number;
  /** The place of the message before those that have not arrived. They need no line in the same place. */
  before?: Place | undefined;
  /** All messages of the list are in its channel. */
  isInChannel: boolean;
}

/** Leads to the conversation of the messages below, at the first of them, and answers. A feed has only articles. */
export function PlaceLine({ place, messageId: id, before, isInChannel }: PlaceLineProps): VNode | null {
  const panel = useDeferred();
  const { compose } = useListActions();
  const surroundings = useContext(SurroundingsContext);
  const channels = useCell(panel.store.channels);
  const people = usePeople('userIds' in place ? place.userIds : []);
  const color = 'topic' in place ? channels.get(place.channelId)?.color : undefined;
  const name =
    'topic' in place
      ? (isInChannel ? '' : `#${channelName(channels, place.channelId)} › `) + topicName(place.topic, panel.words)
      : peopleNames(people, panel);
  if (before && placesKey(before) === placesKey(place)) return null;
  return (
    <article class="place-line" part="place" aria-label={name} ref={(line) => colored(line, color)}>
      <button
        type="button"
        class="place-name"
        onClick={() => panel.navigate({ narrow: place, ...(id !== undefined && { at: id }) })}
      >
        {name}
      </button>
      {id !== undefined && surroundings && (
        <button type="button" class="link-button" onClick={() => surroundings.toggle({ id, place })}>
          {surroundings.labels[surroundings.isOpen(id) ? 1 : 0]}
        </button>
      )}
      {id !== undefined && !panel.isReadonly && !panel.hidden.has('composer') && (
        <IconButton icon="reply" label={panel.words.reply} onClick={() => compose({ id, place })} />
      )}
    </article>
  );
}

/** Unlike an attribute, a script may set it under a strict policy. */
const colored = (line: HTMLElement | null, color = '') => line?.style.setProperty('--channel', color);
