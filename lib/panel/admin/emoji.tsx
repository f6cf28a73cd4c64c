/** Custom emoji: add and deactivate. */
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useAction } from '../app/hooks.ts';
import { Button, ErrorText, Form } from '../buttons.tsx';
import { useCell, usePeople } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { changeOf, useChange } from './change.tsx';
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
  const { store, words, announce } = useAdmin();
  const [name, setName] = useState('');
  const [file, setFile] = useState<File>();
  const input = useRef<HTMLInputElement>(null);
  const action = useAction();
  const upload = async () => {
    if (!file) return input.current?.click();
    const parameters = { emoji_name: name.trim().toLowerCase().replaceAll(' ', '_'), file };
    if (!(await action.run(() => store.session.customEmoji.upload(parameters)))) return;
    announce(words.saved);
    setName('');
    setFile(undefined);
  };
  return (
    <Form class="admin-form" onSubmit={upload}>
      <Input
        label={words.emojiName}
        hint={words.emojiNameHint}
        value={name}
        onInput={setName}
        maxLength={100}
        error={action.error}
        isRequired
      />
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept="image/*"
        tabIndex={-1}
        aria-label={words.emojiFile}
        onChange={(event) => {
          setFile(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      <div class="admin-actions">
        <Button onClick={() => input.current?.click()}>{file?.name ?? words.chooseFile}</Button>
        <Button kind="primary" isSubmit isDisabled={action.isRunning || !file}>
          {words.addEmoji}
        </Button>
      </div>
    </Form>
  );
}

function EmojiLine({ emoji, author }: { emoji: CustomEmoji; author: string | undefined }): JSX.Element {
  const { store, site, words } = useAdmin();
  const me = useCell(store.me);
  const change = useChange();
  const { name, source_url, author_id } = emoji;
  const mayRemove = me?.is_admin || author_id === me?.user_id;
  return (
    <Line
      lead={<img class="admin-emoji" src={new URL(source_url, `${site}/`).href} alt="" loading="lazy" />}
      name={`:${name}:`}
      details={[author && words.addedBy(author)]}
    >
      {mayRemove && (
        <Button
          isDisabled={change.isRunning}
          onClick={() =>
            change.propose(
              changeOf({
                operation: 'customEmoji.deactivate',
                parameters: { emoji_name: name },
                question: words.removeEmojiQuestion(name),
                submit: words.remove,
                isAsked: true,
              }),
            )
          }
        >
          {words.remove}
          <span class="visually-hidden"> {name}</span>
        </Button>
      )}
      <ErrorText action={change} />
    </Line>
  );
}
