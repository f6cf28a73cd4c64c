/** Create a channel; change its name and description, or archive it. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Channel, Person } from '../../client/store/types.ts';
import { Button, ErrorText, Form } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { UNUSED_NAME } from '../refusal.ts';
import { useApp } from '../words/app-words.ts';
import { usePeopleWords } from '../words/people-words.ts';
import { Field } from './controls.tsx';
import { Check } from './form-controls.tsx';
import { useAction, useMay } from './hooks.ts';
import { PeopleChooser } from './person-search.tsx';
import { useRouter } from './router.tsx';
import { ViewHeader } from './view-header.tsx';

/** Of the contract: 60 characters of a name, 1,024 of a description. */
const MAX_NAME = 60;
const MAX_DESCRIPTION = 1024;
/** Subscribers chosen in the form. More can be added afterwards. */
const MAX_CHOSEN = 100;

export function ChannelSettings({ channel, onClose }: { channel: Channel; onClose(): void }): JSX.Element {
  const { store, words, announce } = useApp();
  const { stream_id } = channel;
  const [name, setName] = useState(channel.name);
  const [description, setDescription] = useState(channel.description);
  const [step, setStep] = useState<'edit' | 'archive'>('edit');
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
      {step === 'archive' ? (
        <div class="form">
          <p>{words.archiveQuestion(channel.name)}</p>
          <ErrorText action={action} />
          <div class="form-actions">
            <Button onClick={() => setStep('edit')}>{words.cancel}</Button>
            <Button kind="danger" isDisabled={action.isRunning} onClick={archive}>
              {words.archiveChannel}
            </Button>
          </div>
        </div>
      ) : (
        <Form onSubmit={save}>
          <Field label={words.channelName} value={name} onInput={setName} maxLength={MAX_NAME} isRequired />
          <Field
            label={words.channelDescription}
            value={description}
            onInput={setDescription}
            maxLength={MAX_DESCRIPTION}
          />
          <ErrorText action={action} />
          <div class="form-actions">
            {!channel.is_archived && <Button onClick={() => setStep('archive')}>{words.archiveChannel}</Button>}
            <Button kind="primary" isSubmit isDisabled={action.isRunning}>
              {words.save}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

/** Whether the user may create public and private channels. */
export function useMayCreateChannels(): { readonly isPublic: boolean; readonly isPrivate: boolean } {
  const isPublic = useMay('channels.create', { name: UNUSED_NAME, subscribers: [], invite_only: false });
  const isPrivate = useMay('channels.create', { name: UNUSED_NAME, subscribers: [], invite_only: true });
  return { isPublic, isPrivate };
}

// Creates a channel with the own account as its first subscriber.

export function NewChannelPage(): JSX.Element {
  const { store, words } = usePeopleWords();
  const { go } = useRouter();
  const me = useCell(store.me);
  const action = useAction();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [isPrivate, setPrivate] = useState(false);
  const [isAnnounced, setAnnounced] = useState(false);
  const [chosen, setChosen] = useState<readonly Person[]>([]);
  const may = useMayCreateChannels();
  const isInviteOnly = isPrivate || (may.isPrivate && !may.isPublic);
  const create = () =>
    action.run(async () => {
      if (!me) return;
      const { id } = await store.session.channels.create({
        name: name.trim(),
        description: description.trim(),
        subscribers: [...new Set([me.user_id, ...chosen.map(({ user_id }) => user_id)])],
        invite_only: isInviteOnly,
        announce: isAnnounced && !isInviteOnly,
      });
      go({ view: 'channel', channelId: id }, { replace: true });
    });
  return (
    <>
      <ViewHeader title={words.createChannel} icon="plus" />
      <Form class="page form" onSubmit={create}>
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
        {/* The creator administers the channel, and so may add others. */}
        <div>
          <PeopleChooser
            label={words.channelPeople}
            chosenLabel={words.channelMembers}
            chosen={chosen}
            onChange={setChosen}
            max={MAX_CHOSEN}
            fullText={words.channelPeopleFull}
          />
        </div>
        {!isInviteOnly && <Check label={words.channelAnnounce} isChecked={isAnnounced} onChange={setAnnounced} />}
        <ErrorText action={action} />
        <div class="form-actions">
          <Button kind="primary" isSubmit isDisabled={action.isRunning || !me}>
            {words.create}
          </Button>
        </div>
      </Form>
    </>
  );
}
