/** Linkifiers and code playgrounds, each with a field to try them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../chat/session.ts';
import { useAction, useDebounced } from '../app/hooks.ts';
import { Section } from '../app/sections.tsx';
import { ErrorText } from '../buttons.tsx';
import { MessageContent } from '../content/content.tsx';
import { useFetched } from '../refusal.ts';
import { useAdmin } from './admin-words.ts';
import { changeOf } from './change.tsx';
import { CreateForm, RemoveButton } from './forms.tsx';
import { Input } from './kit.tsx';
import { EditableLine, idsWithUp, Line, List } from './lines.tsx';
import { useLive } from './live.tsx';

type Linkifier = Awaited<ReturnType<Session['linkifiers']['list']>>['linkifiers'][number];

const MAX_PATTERN = 1000;
const MAX_URL = 2000;

export function LinkifiersSection(): JSX.Element {
  const { words } = useAdmin();
  return (
    <>
      <Section title={words.linkifiers}>
        <Linkifiers />
      </Section>
      <Section title={words.playgrounds}>
        <Playgrounds />
      </Section>
    </>
  );
}

function Linkifiers(): JSX.Element {
  const { store, words } = useAdmin();
  const found = useLive(async () => (await store.session.linkifiers.list()).linkifiers, ['realm_linkifiers']);
  const [text, setText] = useState('');
  const tried = useDebounced(text.trim());
  const result = useFetched(
    async () => (tried === '' ? undefined : (await store.session.messages.render({ content: tried })).rendered),
    [tried, found.value],
  );
  const moving = useAction();
  const moveUp = (id: number) =>
    moving.run(() => store.session.linkifiers.reorder({ ordered_linkifier_ids: idsWithUp(found.value, id) }));
  return (
    <>
      <p class="muted">{words.linkifiersHint}</p>
      <ErrorText action={{ error: found.error ?? moving.error }} />
      <List label={words.linkifiers} items={found.value} empty={words.noLinkifiers}>
        {(linkifier) => (
          <LinkifierLine
            key={linkifier.id}
            linkifier={linkifier}
            onUp={linkifier === found.value?.[0] ? undefined : () => moveUp(linkifier.id)}
          />
        )}
      </List>
      <LinkifierForm />
      <Input
        label={words.tryLinkifiers}
        hint={words.tryLinkifiersHint}
        value={text}
        onInput={setText}
        maxLength={1000}
        error={result.error}
      />
      {result.value !== undefined && (
        <div class="admin-result" role="status" aria-label={words.result}>
          <MessageContent html={result.value} />
        </div>
      )}
    </>
  );
}

/** Creates a linkifier, or changes one. */
function LinkifierForm({ linkifier, onClose }: { linkifier?: Linkifier; onClose?(): void }): JSX.Element {
  const { store, words } = useAdmin();
  const [pattern, setPattern] = useState(linkifier?.pattern ?? '');
  const [url, setUrl] = useState(linkifier?.url_template ?? '');
  const save = () => {
    const parameters = { pattern, url_template: url.trim() };
    const { linkifiers } = store.session;
    return linkifier ? linkifiers.edit({ filter_id: linkifier.id, ...parameters }) : linkifiers.create(parameters);
  };
  const empty = () => {
    setPattern('');
    setUrl('');
  };
  return (
    <CreateForm
      class="whole-row"
      submit={linkifier ? words.save : words.addLinkifier}
      create={save}
      onCreated={onClose ?? empty}
      {...(onClose && { onCancel: onClose })}
    >
      {(error) => {
        const isOfUrl = error !== undefined && /url|template/i.test(error);
        return (
          <>
            <Input
              label={words.linkifierPattern}
              hint={words.linkifierPatternHint}
              value={pattern}
              onInput={setPattern}
              maxLength={MAX_PATTERN}
              error={isOfUrl ? undefined : error}
              isRequired
            />
            <Input
              label={words.linkifierUrl}
              hint={words.linkifierUrlHint}
              value={url}
              onInput={setUrl}
              maxLength={MAX_URL}
              error={isOfUrl ? error : undefined}
              isRequired
            />
          </>
        );
      }}
    </CreateForm>
  );
}

function LinkifierLine({ linkifier, onUp }: { linkifier: Linkifier; onUp: (() => void) | undefined }): JSX.Element {
  const { words } = useAdmin();
  const { id, pattern, url_template } = linkifier;
  const removal = changeOf({
    operation: 'linkifiers.remove',
    parameters: { filter_id: id },
    question: words.removeLinkifierQuestion(pattern),
  });
  return (
    <EditableLine
      label={pattern}
      name={<code>{pattern}</code>}
      details={[url_template]}
      onUp={onUp}
      actions={<RemoveButton name={pattern} change={removal} />}
      settings={(close) => <LinkifierForm linkifier={linkifier} onClose={close} />}
    />
  );
}

/** Before the value, by the operator of the expression. Of RFC 6570. */
const OPENINGS: Readonly<Record<string, string>> = {
  ...{ '': '', '+': '', '#': '#', '.': '.', '/': '/', ';': ';code=', '?': '?code=', '&': '&code=' },
};

/** Only for the preview, with the one variable that a template has. `uri-template` is CommonJS, which grows each file. */
function expanded(template: string, code: string): string {
  return template.replace(/\{([+#./;?&]?)code(?::(\d{1,4})|\*)?\}/g, (_, operator: string, length?: string) => {
    const value = length === undefined ? code : [...code].slice(0, Number(length)).join('');
    const isReserved = operator === '+' || operator === '#';
    return (OPENINGS[operator] ?? '') + (isReserved ? encodeURI(value) : encodeURIComponent(value));
  });
}

function Playgrounds(): JSX.Element {
  const { store, words } = useAdmin();
  const found = useLive(async () => (await store.session.playgrounds.list()).realm_playgrounds, ['realm_playgrounds']);
  return (
    <>
      <p class="muted">{words.playgroundsHint}</p>
      <ErrorText action={found} />
      <List label={words.playgrounds} items={found.value} empty={words.noPlaygrounds}>
        {({ id, name, pygments_language, url_template }) => (
          <Line key={id} name={name} details={[pygments_language, url_template]}>
            <RemoveButton
              name={name}
              change={changeOf({
                operation: 'playgrounds.remove',
                parameters: { playground_id: id },
                question: words.removePlaygroundQuestion(name),
              })}
            />
          </Line>
        )}
      </List>
      <NewPlayground />
    </>
  );
}

const NO_PLAYGROUND = { name: '', language: '', url: '', code: '' };

function NewPlayground(): JSX.Element {
  const { store, words } = useAdmin();
  const [draft, setDraft] = useState(NO_PLAYGROUND);
  const set = (name: keyof typeof draft) => (value: string) => setDraft({ ...draft, [name]: value });
  const { name, language, url, code } = draft;
  const address = url && code && expanded(url, code);
  return (
    <CreateForm
      submit={words.addPlayground}
      create={() =>
        store.session.playgrounds.create({
          name: name.trim(),
          pygments_language: language.trim(),
          url_template: url.trim(),
        })
      }
      onCreated={() => setDraft(NO_PLAYGROUND)}
    >
      {(error) => (
        <>
          <Input label={words.playgroundName} value={name} onInput={set('name')} maxLength={100} isRequired />
          <Input
            label={words.playgroundLanguage}
            hint={words.playgroundLanguageHint}
            value={language}
            onInput={set('language')}
            maxLength={40}
            isRequired
          />
          <Input
            label={words.playgroundUrl}
            hint={words.playgroundUrlHint}
            value={url}
            onInput={set('url')}
            maxLength={MAX_URL}
            error={error}
            isRequired
          />
          <Input label={words.tryPlayground} value={code} onInput={set('code')} maxLength={1000} />
          {address && (
            <p class="admin-result" role="status" aria-label={words.result}>
              {address}
            </p>
          )}
        </>
      )}
    </CreateForm>
  );
}
