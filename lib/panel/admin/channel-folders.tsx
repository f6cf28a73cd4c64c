/** Folders of channels: create, rename, order, archive. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../chat/session.ts';
import { useAction } from '../app/hooks.ts';
import { Section } from '../app/sections.tsx';
import { Button, ErrorText, Form, IconButton } from '../buttons.tsx';
import { useAdmin } from './admin-words.ts';
import { changeOf, useChange } from './change.tsx';
import { Input, TextSetting } from './kit.tsx';
import { Line, List } from './lines.tsx';
import { useLive } from './live.tsx';

type Folder = Awaited<ReturnType<Session['channelFolders']['list']>>['channel_folders'][number];

/** Of the contract: 60 characters of a name, 1,024 of a description. */
const MAX_NAME = 60;
const MAX_DESCRIPTION = 1024;

export function useFolders() {
  const { store } = useAdmin();
  return useLive(async () => (await store.session.channelFolders.list()).channel_folders, ['channel_folder']);
}

export function Folders({ folders, error }: { folders: readonly Folder[]; error: string | undefined }): JSX.Element {
  const { store, words, announce } = useAdmin();
  const [name, setName] = useState('');
  const creating = useAction();
  const moving = useChange();
  const create = async () => {
    if (!(await creating.run(() => store.session.channelFolders.create({ name: name.trim() })))) return;
    announce(words.saved);
    setName('');
  };
  const moveUp = async (index: number) => {
    const order = folders.map(({ id }) => id);
    const [moved] = order.splice(index, 1);
    if (moved === undefined) return;
    order.splice(index - 1, 0, moved);
    // The order includes archived folders.
    await moving.run(async () => {
      const { channel_folders } = await store.session.channelFolders.list({ include_archived: true });
      const rest = channel_folders.map(({ id }) => id).filter((id) => !order.includes(id));
      await store.session.channelFolders.reorder({ order: [...order, ...rest] });
    });
  };
  return (
    <Section title={words.folders}>
      <p class="muted">{words.foldersHint}</p>
      <ErrorText action={{ error: error ?? moving.error }} />
      <List label={words.folders} items={folders} empty={words.noFolders}>
        {(folder) => (
          <FolderLine
            key={folder.id}
            folder={folder}
            onUp={() => moveUp(folders.findIndex(({ id }) => id === folder.id))}
            isFirst={folder === folders[0]}
          />
        )}
      </List>
      <Form class="form-line" onSubmit={create}>
        <Input
          label={words.newFolder}
          value={name}
          onInput={setName}
          maxLength={MAX_NAME}
          error={creating.error}
          isRequired
        />
        <Button isSubmit isDisabled={creating.isRunning}>
          {words.create}
        </Button>
      </Form>
    </Section>
  );
}

function FolderLine({ folder, onUp, isFirst }: { folder: Folder; onUp(): void; isFirst: boolean }): JSX.Element {
  const { words } = useAdmin();
  const change = useChange();
  const [isOpen, setOpen] = useState(false);
  const { id, name, description } = folder;
  return (
    <Line name={name} details={[description]}>
      {!isFirst && <IconButton icon="down" class="icon-button turned" label={words.up(name)} onClick={onUp} />}
      <Button onClick={() => setOpen(!isOpen)}>
        {words.edit}
        <span class="visually-hidden"> {name}</span>
      </Button>
      {isOpen && (
        <div class="admin-form whole-row">
          <TextSetting
            label={words.folderName}
            value={name}
            maxLength={MAX_NAME}
            isRequired
            change={(value) =>
              changeOf({
                operation: 'channelFolders.edit',
                parameters: { channel_folder_id: id, name: value },
                question: words.settingQuestion,
              })
            }
          />
          <TextSetting
            label={words.channelDescription}
            value={description}
            maxLength={MAX_DESCRIPTION}
            change={(value) =>
              changeOf({
                operation: 'channelFolders.edit',
                parameters: { channel_folder_id: id, description: value },
                question: words.settingQuestion,
              })
            }
          />
          <div>
            <Button
              onClick={() =>
                change.propose(
                  changeOf({
                    operation: 'channelFolders.edit',
                    parameters: { channel_folder_id: id, is_archived: true },
                    question: words.archiveFolderQuestion(name),
                    submit: words.archive,
                    isAsked: true,
                  }),
                )
              }
            >
              {words.archiveFolder}
            </Button>
            <ErrorText action={change} />
          </div>
        </div>
      )}
    </Line>
  );
}
