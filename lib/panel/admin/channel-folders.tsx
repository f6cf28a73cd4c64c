/** Folders of channels: create, rename, order, archive. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ParametersOf, Session } from '../../chat/session.ts';
import { Section } from '../app/sections.tsx';
import { ErrorText } from '../buttons.tsx';
import { useAdmin } from './admin-words.ts';
import { changeOf, useChange } from './change.tsx';
import { ChangeButton, CreateForm } from './forms.tsx';
import { Input, TextSetting } from './kit.tsx';
import { EditableLine, idsWithUp, List } from './lines.tsx';
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
  const { store, words } = useAdmin();
  const [name, setName] = useState('');
  const moving = useChange();
  const moveUp = (id: number) =>
    moving.run(async () => {
      const order = idsWithUp(folders, id);
      // The order includes archived folders.
      const { channel_folders } = await store.session.channelFolders.list({ include_archived: true });
      const rest = channel_folders.map((folder) => folder.id).filter((each) => !order.includes(each));
      await store.session.channelFolders.reorder({ order: [...order, ...rest] });
    });
  return (
    <Section title={words.folders}>
      <p class="muted">{words.foldersHint}</p>
      <ErrorText action={{ error: error ?? moving.error }} />
      <List label={words.folders} items={folders} empty={words.noFolders}>
        {(folder) => (
          <EditableLine
            key={folder.id}
            label={folder.name}
            name={folder.name}
            details={[folder.description]}
            onUp={folder === folders[0] ? undefined : () => moveUp(folder.id)}
            settings={() => <FolderSettings folder={folder} />}
          />
        )}
      </List>
      <CreateForm
        create={() => store.session.channelFolders.create({ name: name.trim() })}
        onCreated={() => setName('')}
      >
        {(refusal) => (
          <Input
            label={words.newFolder}
            value={name}
            onInput={setName}
            maxLength={MAX_NAME}
            error={refusal}
            isRequired
          />
        )}
      </CreateForm>
    </Section>
  );
}

type FolderChange = Omit<NonNullable<ParametersOf<'channelFolders.edit'>[0]>, 'channel_folder_id'>;

function FolderSettings({ folder: { id, name, description } }: { folder: Folder }): JSX.Element {
  const { words } = useAdmin();
  const edit = (parameters: FolderChange) =>
    changeOf({
      operation: 'channelFolders.edit',
      parameters: { channel_folder_id: id, ...parameters },
      question: words.settingQuestion,
    });
  return (
    <div class="admin-form whole-row">
      <TextSetting
        label={words.folderName}
        value={name}
        maxLength={MAX_NAME}
        isRequired
        change={(value) => edit({ name: value })}
      />
      <TextSetting
        label={words.channelDescription}
        value={description}
        maxLength={MAX_DESCRIPTION}
        change={(value) => edit({ description: value })}
      />
      <div>
        <ChangeButton
          label={words.archiveFolder}
          change={{
            ...edit({ is_archived: true }),
            question: words.archiveFolderQuestion(name),
          }}
        />
      </div>
    </div>
  );
}
