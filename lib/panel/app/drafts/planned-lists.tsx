/** Scheduled messages, reminders and saved snippets. */

import type { JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Session } from '../../../chat/session.ts';
import { directPlace } from '../../../client/store/places.ts';
import type { Place } from '../../../client/store/types.ts';
import { Button } from '../../buttons.tsx';
import { SendLater, SnippetDialog } from '../../composer/tool-parts.ts';
import { MessageContent } from '../../content/content.tsx';
import { useDrafts } from '../../words/drafts-words.ts';
import { NoticeContext, useOpen } from '../hooks.ts';
import { FirstLines, PlaceLink, TextList, TextRow, useLive } from './text-row.tsx';

type Listed<D extends 'scheduledMessages' | 'reminders' | 'savedSnippets'> = Awaited<ReturnType<Session[D]['list']>>;
type ScheduledMessage = Listed<'scheduledMessages'>['scheduled_messages'][number];
type Snippet = Listed<'savedSnippets'>['saved_snippets'][number];

export function ScheduledMessages(): JSX.Element {
  const { store, words } = useDrafts();
  const list = useLive(
    'scheduled_messages',
    async () => (await store.session.scheduledMessages.list()).scheduled_messages,
  );
  return (
    <TextList title={words.scheduled} empty={words.noScheduled} list={list}>
      {(message) => <ScheduledRow key={message.scheduled_message_id} message={message} />}
    </TextList>
  );
}

function ScheduledRow({ message }: { message: ScheduledMessage }): JSX.Element {
  const { store, words, formats } = useDrafts();
  const notify = useContext(NoticeContext);
  const editing = useOpen();
  const { scheduledMessages } = store.session;
  const { scheduled_message_id: id, to, topic = '', content, scheduled_delivery_timestamp, failed } = message;
  const at = scheduled_delivery_timestamp * 1000;
  const place: Place =
    typeof to === 'number' ? { channelId: to, topic } : directPlace(to, store.me.get()?.user_id ?? 0);
  const cancel = async () => {
    await scheduledMessages.delete({ scheduled_message_id: id });
    const restore = () =>
      scheduledMessages.create({
        ...(typeof to === 'number' ? { type: 'channel' as const, to, topic } : { type: 'direct' as const, to }),
        ...{ content, scheduled_delivery_timestamp },
      });
    notify({ text: words.scheduledCanceled, undo: restore });
  };
  return (
    <TextRow
      head={<PlaceLink place={place} />}
      detail={words.scheduledTime(formats.full(at))}
      problem={failed && words.notSent}
      actions={[
        { label: words.editText, run: editing.open },
        { label: words.cancelScheduled, run: cancel },
      ]}
    >
      <FirstLines text={content} />
      {editing.isOpen && (
        // The time of a failed message is over.
        <SendLater content={content} scheduled={{ id, ...(!failed && { at }) }} onClose={editing.close} />
      )}
    </TextRow>
  );
}

export function Reminders(): JSX.Element {
  const { store, words, formats } = useDrafts();
  const list = useLive('reminders', async () => (await store.session.reminders.list()).reminders);
  return (
    <TextList title={words.reminders} empty={words.noReminders} list={list}>
      {({ reminder_id, rendered_content, scheduled_delivery_timestamp, failed }) => (
        <TextRow
          key={reminder_id}
          head={<span>{words.reminderTime(formats.full(scheduled_delivery_timestamp * 1000))}</span>}
          problem={failed && words.reminderFailed}
          actions={[{ label: words.deleteReminder, run: () => store.session.reminders.delete({ reminder_id }) }]}
        >
          <MessageContent html={rendered_content} />
        </TextRow>
      )}
    </TextList>
  );
}

export function Snippets(): JSX.Element {
  const { store, words } = useDrafts();
  const list = useLive('saved_snippets', async () => (await store.session.savedSnippets.list()).saved_snippets);
  const creating = useOpen();
  return (
    <>
      <TextList
        title={words.snippetsTitle}
        empty={words.noSnippetsYet}
        list={list}
        action={<Button onClick={creating.open}>{words.createSnippet}</Button>}
      >
        {(snippet) => <SnippetRow key={snippet.id} snippet={snippet} />}
      </TextList>
      {creating.isOpen && <SnippetDialog onClose={creating.close} />}
    </>
  );
}

function SnippetRow({ snippet }: { snippet: Snippet }): JSX.Element {
  const { store, words } = useDrafts();
  const notify = useContext(NoticeContext);
  const [isEditing, setEditing] = useState(false);
  const { id, title, content } = snippet;
  const { savedSnippets } = store.session;
  const remove = async () => {
    await savedSnippets.remove({ saved_snippet_id: id });
    notify({ text: words.snippetDeleted, undo: () => savedSnippets.create({ title, content }) });
  };
  return (
    <TextRow
      head={
        <span class="text-row-place" dir="auto">
          {title}
        </span>
      }
      actions={[
        { label: words.editText, run: () => setEditing(true) },
        { label: words.deleteSnippet, run: remove },
      ]}
    >
      <FirstLines text={content} />
      {isEditing && <SnippetDialog id={id} title={title} content={content} onClose={() => setEditing(false)} />}
    </TextRow>
  );
}
