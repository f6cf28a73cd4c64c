/** Linkifiers and code playgrounds, each with a field to try them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../chat/session.ts';
import { useAction, useDebounced } from '../app/hooks.ts';
import { Section } from '../app/sections.tsx';
import { Button, ErrorText, Form, IconButton } from '../buttons.tsx';
import { MessageContent } from '../content/content.tsx';
import { useFetched } from '../refusal.ts';
import { useAdmin } from './admin-words.ts';
import { changeOf, useChange } from './change.tsx';
import { Input } from './kit.tsx';
import { Line, List } from './lines.tsx';
import { useLive } from './live.tsx';

type Linkifier = Awaited<ReturnType<Session['linkifiers']['list']>>['linkifiers'][number];
type Playground = Awaited<ReturnType<Session['playgrounds']['list']>>['realm_playgrounds'][number];

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
  const moveUp = (index: number) =>
    moving.run(async () => {
      const order = (found.value ?? []).map(({ id }) => id);
      const [moved] = order.splice(index, 1);
      if (moved !== undefined) order.splice(index - 1, 0, moved);
      await store.session.linkifiers.reorder({ ordered_linkifier_ids: order });
    });
  return (
    <>
      <p class="muted">{words.linkifiersHint}</p>
      <ErrorText action={{ error: found.error ?? moving.error }} />
      <List label={words.linkifiers} items={found.value} empty={words.noLinkifiers}>
        {(linkifier) => (
          <LinkifierLine
            key={linkifier.id}
            linkifier={linkifier}
            isFirst={linkifier === found.value?.[0]}
            onUp={() => moveUp(found.value?.indexOf(linkifier) ?? 0)}
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
  const { store, words, announce } = useAdmin();
  const [pattern, setPattern] = useState(linkifier?.pattern ?? '');
  const [url, setUrl] = useState(linkifier?.url_template ?? '');
  const action = useAction();
  const save = async () => {
    const parameters = { pattern, url_template: url.trim() };
    const { linkifiers } = store.session;
    const isSaved = await action.run(() =>
      linkifier ? linkifiers.edit({ filter_id: linkifier.id, ...parameters }) : linkifiers.create(parameters),
    );
    if (!isSaved) return;
    announce(words.saved);
    if (onClose) return onClose();
    setPattern('');
    setUrl('');
  };
  const isOfUrl = action.error !== undefined && /url|template/i.test(action.error);
  return (
    <Form class="admin-form whole-row" onSubmit={save}>
      <Input
        label={words.linkifierPattern}
        hint={words.linkifierPatternHint}
        value={pattern}
        onInput={setPattern}
        maxLength={MAX_PATTERN}
        error={isOfUrl ? undefined : action.error}
        isRequired
      />
      <Input
        label={words.linkifierUrl}
        hint={words.linkifierUrlHint}
        value={url}
        onInput={setUrl}
        maxLength={MAX_URL}
        error={isOfUrl ? action.error : undefined}
        isRequired
      />
      <div class="admin-actions">
        <Button kind={linkifier ? 'primary' : undefined} isSubmit isDisabled={action.isRunning}>
          {linkifier ? words.save : words.addLinkifier}
        </Button>
        {onClose && <Button onClick={onClose}>{words.cancel}</Button>}
      </div>
    </Form>
  );
}

interface LinkifierLineProps {
  linkifier: Linkifier;
  isFirst: boolean;
  onUp(): void;
}

function LinkifierLine({ linkifier, isFirst, onUp }: LinkifierLineProps): JSX.Element {
  const { words } = useAdmin();
  const [isOpen, setOpen] = useState(false);
  const removing = useChange();
  const { id, pattern, url_template } = linkifier;
  const remove = () =>
    removing.propose(
      changeOf({
        operation: 'linkifiers.remove',
        parameters: { filter_id: id },
        question: words.removeLinkifierQuestion(pattern),
        submit: words.remove,
        isAsked: true,
      }),
    );
  return (
    <Line name={<code>{pattern}</code>} details={[url_template]}>
      {!isFirst && <IconButton icon="down" class="icon-button turned" label={words.up(pattern)} onClick={onUp} />}
      <Button onClick={() => setOpen(!isOpen)}>
        {words.edit}
        <span class="visually-hidden"> {pattern}</span>
      </Button>
      <Button isDisabled={removing.isRunning} onClick={remove}>
        {words.remove}
        <span class="visually-hidden"> {pattern}</span>
      </Button>
      <ErrorText action={removing} />
      {isOpen && <LinkifierForm linkifier={linkifier} onClose={() => setOpen(false)} />}
    </Line>
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
  const { store, words, announce } = useAdmin();
  const found = useLive(async () => (await store.session.playgrounds.list()).realm_playgrounds, ['realm_playgrounds']);
  const [name, setName] = useState('');
  const [language, setLanguage] = useState('');
  const [url, setUrl] = useState('');
  const [code, setCode] = useState('');
  const action = useAction();
  const create = async () => {
    const parameters = { name: name.trim(), pygments_language: language.trim(), url_template: url.trim() };
    if (!(await action.run(() => store.session.playgrounds.create(parameters)))) return;
    announce(words.saved);
    for (const clear of [setName, setLanguage, setUrl, setCode]) clear('');
  };
  const address = url && code && expanded(url, code);
  return (
    <>
      <p class="muted">{words.playgroundsHint}</p>
      <ErrorText action={found} />
      <List label={words.playgrounds} items={found.value} empty={words.noPlaygrounds}>
        {(playground) => <PlaygroundLine key={playground.id} playground={playground} />}
      </List>
      <Form class="admin-form" onSubmit={create}>
        <Input label={words.playgroundName} value={name} onInput={setName} maxLength={100} isRequired />
        <Input
          label={words.playgroundLanguage}
          hint={words.playgroundLanguageHint}
          value={language}
          onInput={setLanguage}
          maxLength={40}
          isRequired
        />
        <Input
          label={words.playgroundUrl}
          hint={words.playgroundUrlHint}
          value={url}
          onInput={setUrl}
          maxLength={MAX_URL}
          error={action.error}
          isRequired
        />
        <Input label={words.tryPlayground} value={code} onInput={setCode} maxLength={1000} />
        {address && (
          <p class="admin-result" role="status" aria-label={words.result}>
            {address}
          </p>
        )}
        <div class="admin-actions">
          <Button isSubmit isDisabled={action.isRunning}>
            {words.addPlayground}
          </Button>
        </div>
      </Form>
    </>
  );
}

function PlaygroundLine({ playground }: { playground: Playground }): JSX.Element {
  const { words } = useAdmin();
  const removing = useChange();
  const { id, name, pygments_language, url_template } = playground;
  return (
    <Line name={name} details={[pygments_language, url_template]}>
      <Button
        isDisabled={removing.isRunning}
        onClick={() =>
          removing.propose(
            changeOf({
              operation: 'playgrounds.remove',
              parameters: { playground_id: id },
              question: words.removePlaygroundQuestion(name),
              submit: words.remove,
              isAsked: true,
            }),
          )
        }
      >
        {words.remove}
        <span class="visually-hidden"> {name}</span>
      </Button>
      <ErrorText action={removing} />
    </Line>
  );
}
