/** The composer of a topic, below the messages of its channel. */

import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Message } from '../../client/store/types.ts';
import { IconButton } from '../buttons.tsx';
import { Composer } from '../composer/composer.tsx';
import { useCellOf, usePanel } from '../context.ts';
import { Icon } from '../icons.tsx';
import { addStyles } from '../style-sheets.ts';
import styles from './answer.css';
import { topicName } from './places.ts';

addStyles(styles);

export interface AnswerProps {
  message: Pick<Message, 'id' | 'place'>;
  /** The name of the channel. */
  title: string;
  onClose(): void;
}

/** It follows the message to another topic. */
export function Answer({ message: { id, place }, title, onClose }: AnswerProps): VNode {
  const { store, words } = usePanel();
  const message = useCellOf(() => store.messages.message(id), [store]);
  const to = useRef(place);
  if (message) to.current = message.place;
  const topic = 'topic' in to.current ? topicName(to.current.topic, words) : '';
  return (
    <>
      <div class="answered">
        <Icon name="reply" />
        <span>{topic}</span>
        <IconButton
          icon="close"
          label={words.cancel}
          onClick={({ currentTarget }) => {
            onClose();
            currentTarget.closest('.conversation')?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
          }}
        />
      </div>
      <Composer place={to.current} label={words.messageTo(`${title} › ${topic}`)} isFocused />
    </>
  );
}
