/** Opens a topic that may not exist yet. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCell, usePanel } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { Button, Field, IconButton } from './controls.tsx';

export function NewTopic({ channelId }: { channelId: number }): JSX.Element {
  const { store, words, navigate } = usePanel();
  const organization = useCell(store.organization);
  const [isOpen, setOpen] = useState(false);
  const [topic, setTopic] = useState('');
  const open = () => {
    setOpen(false);
    navigate({ narrow: { channelId, topic: topic.trim() } });
  };
  return (
    <>
      <IconButton icon="plus" label={words.newTopic} onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={words.newTopic} onClose={() => setOpen(false)}>
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              open();
            }}
          >
            <Field
              label={words.topic}
              isFocused
              value={topic}
              onInput={setTopic}
              maxLength={organization?.max_topic_length ?? 60}
            />
            <div class="form-actions">
              <Button kind="primary" isSubmit>
                {words.openTopic}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
