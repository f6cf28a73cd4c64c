/** Custom emoji: add and deactivate. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { FileButton } from '../app/file-button.tsx';
import { ErrorText } from '../buttons.tsx';
import { useCell, usePeople } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { changeOf } from './change.tsx';
import { CreateForm, RemoveButton } from './forms.tsx';
import { Input } from './kit.tsx';
import { Line, List } from './lines.tsx';
import { useLive } from './live.tsx';
import { useIsIn } from './permissions.tsx';

interface CustomEmoji {
  readonly name: string;
  readonly source_url: string;
  readonly author_id: number | null;
}

export function EmojiSection(): JSX.Element {
  const { store, words } = useAdmin();
  const organization = useCell(store.organization);
  const mayAdd = useIsIn(organization?.realm_can_add_custom_emoji_group);
  const [query, setQuery] = useState('');
  const found = useLive(async () => Object.values((await store.session.customEmoji.list()).emoji), ['realm_emoji']);
  const shown = useMemo(
    () =>
      found.value
        ?.filter(({ name, deactivated }) => !deactivated && name.includes(query.trim().toLowerCase()))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    [found.value, query],
  );
  const authors = usePeople([...new Set((shown ?? []).flatMap(({ author_id }) => author_id ?? []))].slice(0, 100));
  return (
    <>
      {mayAdd && <NewEmoji />}
      <Input label={words.filter} type="search" value={query} onInput={setQuery} maxLength={100} />
      <ErrorText action={found} />
      <List key={query} label={words.customEmoji} items={shown} empty={words.noCustomEmoji}>
        {(emoji) => (
          <EmojiLine
            key={emoji.name}
            emoji={emoji}
            author={authors.find((person) => person?.user_id === emoji.author_id)?.full_name}
          />
        )}
      </List>
    </>
  );
}

function NewEmoji(): JSX.Element {
  const { store, words } = useAdmin();
  const [name, setName] = useState('');
  const [file, setFile] = useState<File>();
  const upload = async () => {
    const emoji_name = name.trim().toLowerCase().replaceAll(' ', '_');
    if (file) await store.session.customEmoji.upload({ emoji_name, file });
  };
  const empty = () => {
    setName('');
    setFile(undefined);
  };
  return (
    <CreateForm submit={words.addEmoji} create={upload} onCreated={empty} isDisabled={!file}>
      {(error) => (
        <>
          <Input
            label={words.emojiName}
            hint={words.emojiNameHint}
            value={name}
            onInput={setName}
            maxLength={100}
            error={error}
            isRequired
          />
          <div class="admin-actions">
            <FileButton label={words.emojiFile} onChoose={setFile}>
              {file?.name ?? words.chooseFile}
            </FileButton>
          </div>
        </>
      )}
    </CreateForm>
  );
}

function EmojiLine({ emoji, author }: { emoji: CustomEmoji; author: string | undefined }): JSX.Element {
  const { store, site, words } = useAdmin();
  const me = useCell(store.me);
  const { name, source_url, author_id } = emoji;
  const mayRemove = me?.is_admin || author_id === me?.user_id;
  return (
    <Line
      lead={<img class="admin-emoji" src={new URL(source_url, `${site}/`).href} alt="" loading="lazy" />}
      name={`:${name}:`}
      details={[author && words.addedBy(author)]}
    >
      {mayRemove && (
        <RemoveButton
          name={name}
          change={changeOf({
            operation: 'customEmoji.deactivate',
            parameters: { emoji_name: name },
            question: words.removeEmojiQuestion(name),
          })}
        />
      )}
    </Line>
  );
}
