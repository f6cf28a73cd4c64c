/** In place of the composer of a channel: opens a topic, which may not exist yet. */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../buttons.tsx';
import { Refused } from '../composer/refused.tsx';
import { useCell } from '../context.ts';
import { ActionForm, Dialog } from '../dialog.tsx';
import { Icon } from '../icons.tsx';
import { UNUSED_NAME } from '../refusal.ts';
import { useOverlay } from '../words/overlay-words.ts';
import { isWithoutTopics } from './places.ts';
import { useRefusal } from './writing-permission.ts';

export interface NewTopicProps {
  channelId: number;
  /** The user has pressed the key before the button was there. */
  toWrite?: true;
}

export function NewTopic({ channelId, toWrite }: NewTopicProps): JSX.Element | null {
  const { store, words, navigate } = useOverlay();
  const channel = useCell(store.channels).get(channelId);
  const [isOpen, setOpen] = useState(false);
  const hasNoTopics = isWithoutTopics(channel);
  const refusal = useRefusal({ channelId, topic: hasNoTopics ? '' : UNUSED_NAME });
  const open = (topic: string) => navigate({ narrow: { channelId, topic }, toWrite: true });
  const begin = () => (hasNoTopics ? open('') : setOpen(true));
  const isAwaited = toWrite === true && channel?.is_archived === false && refusal === undefined;
  useEffect(() => {
    if (isAwaited) begin();
  }, [isAwaited]);
  if (refusal !== undefined && !channel?.is_archived) return <Refused reason={refusal} />;
  if (channel?.is_archived !== false) return null;
  return (
    <>
      <div class="composer" part="composer">
        <Button onClick={begin}>
          <Icon name="plus" /> {hasNoTopics ? words.writeMessage : words.newTopic}
        </Button>
      </div>
      {isOpen && <NewTopicDialog open={open} onClose={() => setOpen(false)} />}
    </>
  );
}

function NewTopicDialog({ open, onClose }: { open(topic: string): void; onClose(): void }): JSX.Element {
  const { store, words } = useOverlay();
  const organization = useCell(store.organization);
  const [topic, setTopic] = useState('');
  return (
    <Dialog title={words.newTopic} onClose={onClose}>
      <ActionForm submit={words.openTopic} run={async () => open(topic.trim())} onClose={onClose}>
        <label>
          {words.topic}
          <input
            autofocus
            value={topic}
            maxLength={organization?.max_topic_length ?? 60}
            onInput={({ currentTarget }) => setTopic(currentTarget.value)}
          />
        </label>
      </ActionForm>
    </Dialog>
  );
}
