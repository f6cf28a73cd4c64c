/** Creates a channel with the own account as its first subscriber. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCell, usePanel } from '../context.ts';
import { MAX_DESCRIPTION, MAX_NAME } from './channel-settings.tsx';
import { Button, Check, ErrorText, Field } from './controls.tsx';
import { useAction, useMayCreateChannels } from './hooks.ts';
import { useRouter } from './router.tsx';
import { ViewHeader } from './view-header.tsx';

export function NewChannelPage(): JSX.Element {
  const { store, words } = usePanel();
  const { go } = useRouter();
  const me = useCell(store.me);
  const action = useAction();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [isPrivate, setPrivate] = useState(false);
  const [isAnnounced, setAnnounced] = useState(false);
  const may = useMayCreateChannels();
  const isInviteOnly = isPrivate || (may.isPrivate && !may.isPublic);
  const create = () =>
    action.run(async () => {
      if (!me) return;
      const { id } = await store.session.channels.create({
        name: name.trim(),
        description: description.trim(),
        subscribers: [me.user_id],
        invite_only: isInviteOnly,
        announce: isAnnounced && !isInviteOnly,
      });
      go({ view: 'channel', channelId: id }, { replace: true });
    });
  return (
    <>
      <ViewHeader title={words.createChannel} icon="plus" />
      <form
        class="page form"
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <Field label={words.channelName} value={name} onInput={setName} maxLength={MAX_NAME} isRequired isFocused />
        <Field
          label={words.channelDescription}
          value={description}
          onInput={setDescription}
          maxLength={MAX_DESCRIPTION}
        />
        {may.isPrivate && may.isPublic && (
          <Check label={words.channelPrivate} isChecked={isPrivate} onChange={setPrivate} />
        )}
        {!isInviteOnly && <Check label={words.channelAnnounce} isChecked={isAnnounced} onChange={setAnnounced} />}
        <ErrorText action={action} />
        <div class="form-actions">
          <Button kind="primary" isSubmit isDisabled={action.isRunning || !me}>
            {words.create}
          </Button>
        </div>
      </form>
    </>
  );
}
