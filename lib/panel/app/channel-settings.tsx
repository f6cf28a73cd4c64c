/** Name, description and archiving of a channel, for its administrators. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Channel } from '../../client/store/types.ts';
import { usePanel } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { Button, ErrorText, Field } from './controls.tsx';
import { useAction } from './hooks.ts';

/** Of the contract: 60 characters of a name, 1,024 of a description. */
export const MAX_NAME = 60;
export const MAX_DESCRIPTION = 1024;

export function ChannelSettings({ channel, onClose }: { channel: Channel; onClose(): void }): JSX.Element {
  const { store, words, announce } = usePanel();
  const { stream_id } = channel;
  const [name, setName] = useState(channel.name);
  const [description, setDescription] = useState(channel.description);
  const [isArchiving, setArchiving] = useState(false);
  const action = useAction();
  const save = async () => {
    const changed = {
      ...(name.trim() !== channel.name && { new_name: name.trim() }),
      ...(description.trim() !== channel.description && { description: description.trim() }),
    };
    const isSaved = await action.run(async () => {
      if (Object.keys(changed).length > 0) await store.session.channels.edit({ stream_id, ...changed });
    });
    if (!isSaved) return;
    announce(words.saved);
    onClose();
  };
  const archive = async () => {
    if (await action.run(() => store.session.channels.archive({ stream_id }))) onClose();
  };
  return (
    <Dialog title={`${words.channelSettings}: #${channel.name}`} onClose={onClose}>
      {isArchiving ? (
        <div class="form">
          <p>{words.archiveQuestion(channel.name)}</p>
          <ErrorText action={action} />
          <div class="form-actions">
            <Button onClick={() => setArchiving(false)}>{words.cancel}</Button>
            <Button kind="danger" isDisabled={action.isRunning} onClick={archive}>
              {words.archiveChannel}
            </Button>
          </div>
        </div>
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <Field label={words.channelName} value={name} onInput={setName} maxLength={MAX_NAME} isRequired />
          <Field
            label={words.channelDescription}
            value={description}
            onInput={setDescription}
            maxLength={MAX_DESCRIPTION}
          />
          <ErrorText action={action} />
          <div class="form-actions">
            {!channel.is_archived && <Button onClick={() => setArchiving(true)}>{words.archiveChannel}</Button>}
            <Button kind="primary" isSubmit isDisabled={action.isRunning}>
              {words.save}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
