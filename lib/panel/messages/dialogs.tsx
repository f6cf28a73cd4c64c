/** Dialogs about a message. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../chat/session.ts';
import type { Channel, Message } from '../../client/store/types.ts';
import { ErrorText } from '../buttons.tsx';
import { RemindDialog } from '../composer/send-later.tsx';
import { MessageContent } from '../content/content.tsx';
import { useCell, usePeople } from '../context.ts';
import { ActionForm, Dialog } from '../dialog.tsx';
import { useFetched } from '../refusal.ts';
import { useOverlay } from '../words/overlay-words.ts';
import { linkTo } from './link.ts';
import type { DialogName } from './list-context.ts';
import { peopleNames } from './places.ts';

interface DialogProps {
  message: Message;
  onClose(): void;
}

const DIALOGS: Record<DialogName, (props: DialogProps) => VNode | null> = {
  delete: DeleteDialog,
  move: MoveDialog,
  history: HistoryDialog,
  readers: ReadersDialog,
  link: LinkDialog,
  report: ReportDialog,
  remind: RemindDialog,
};

export function MessageDialog({ name, ...props }: DialogProps & { name: DialogName }): VNode {
  const Shown = DIALOGS[name];
  return <Shown {...props} />;
}

function DeleteDialog({ message, onClose }: DialogProps): VNode {
  const { store, words } = useOverlay();
  return (
    <Dialog title={words.deleteMessage} onClose={onClose}>
      <ActionForm
        submit={words.deleteConfirm}
        isDangerous
        run={() => store.messages.delete(message.id)}
        onClose={onClose}
      >
        <p>{words.deleteQuestion}</p>
        <blockquote class="quote">
          <MessageContent html={message.content} />
        </blockquote>
      </ActionForm>
    </Dialog>
  );
}

const MOVES = ['change_one', 'change_later', 'change_all'] as const;

function MoveDialog({ message, onClose }: DialogProps): VNode | null {
  const { store, words } = useOverlay();
  const channels = useCell(store.channels);
  const { place } = message;
  const [topic, setTopic] = useState('topic' in place ? place.topic : '');
  const [channelId, setChannelId] = useState('topic' in place ? place.channelId : 0);
  const [which, setWhich] = useState<(typeof MOVES)[number]>('change_later');
  if (!('topic' in place)) return null;
  const subscribed = [...channels.values()].filter((channel) => isOffered(channel, place.channelId));
  subscribed.sort((a, b) => a.name.localeCompare(b.name));
  const move = () =>
    store.session.messages.edit({
      message_id: message.id,
      ...(topic !== place.topic && { topic }),
      ...(channelId !== place.channelId && { stream_id: channelId }),
      propagate_mode: which,
    });
  const labels = { change_one: words.moveOne, change_later: words.moveLater, change_all: words.moveAll };
  return (
    <Dialog title={words.moveMessages} onClose={onClose}>
      <ActionForm submit={words.move} run={move} onClose={onClose}>
        <label>
          {words.channel}
          <select
            value={channelId}
            onChange={({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
              setChannelId(Number(currentTarget.value))
            }
          >
            {subscribed.map(({ stream_id, name }) => (
              <option key={stream_id} value={stream_id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.topic}
          <input
            value={topic}
            maxLength={60}
            onInput={({ currentTarget }: { currentTarget: HTMLInputElement }) => setTopic(currentTarget.value)}
          />
        </label>
        <fieldset>
          <legend>{words.moveWhich}</legend>
          {MOVES.map((mode) => (
            <label key={mode} class="choice">
              <input type="radio" name="which" checked={which === mode} onChange={() => setWhich(mode)} />
              {labels[mode]}
            </label>
          ))}
        </fieldset>
      </ActionForm>
    </Dialog>
  );
}

const isOffered = ({ stream_id, is_subscribed, is_archived }: Channel, own: number) =>
  stream_id === own || (is_subscribed && !is_archived);

type History = Awaited<ReturnType<Session['messages']['history']>>;

function HistoryDialog({ message, onClose }: DialogProps): VNode {
  const { store, words } = useOverlay();
  const answer = useFetched<History>(() => store.session.messages.history({ message_id: message.id }), [message.id]);
  const entries = answer.value?.message_history ?? [];
  return (
    <Dialog title={words.historyTitle} onClose={onClose}>
      {answer.value ? (
        <ol class="history">
          {entries.map((entry, index) => (
            // Entries have no ID and only the whole list is replaced.
            <HistoryEntry key={`${index}`} entry={entry} isFirst={index === 0} />
          ))}
        </ol>
      ) : (
        <Waiting error={answer.error} />
      )}
    </Dialog>
  );
}

interface HistoryEntryProps {
  entry: History['message_history'][number];
  isFirst: boolean;
}

function HistoryEntry({ entry, isFirst }: HistoryEntryProps): VNode {
  const panel = useOverlay();
  const { words, formats } = panel;
  const { user_id, timestamp, content_html_diff, rendered_content, prev_topic, topic } = entry;
  const name = peopleNames(usePeople(user_id === null || user_id === undefined ? [] : [user_id]), panel);
  const isMove = prev_topic !== undefined && content_html_diff === undefined;
  return (
    <li>
      <p class="muted">
        {isFirst ? words.historyOriginal : isMove ? words.historyMove(name) : words.historyEdit(name)}
        {', '}
        {formats.full(timestamp * 1000)}
      </p>
      {prev_topic !== undefined && <p>{words.historyTopicWas(prev_topic, topic)}</p>}
      {!isMove && <MessageContent html={content_html_diff ?? rendered_content} />}
    </li>
  );
}

function ReadersDialog({ message, onClose }: DialogProps): VNode {
  const { store, words } = useOverlay();
  const answer = useFetched(() => store.session.messages.readReceipts({ message_id: message.id }), [message.id]);
  return (
    <Dialog title={words.readersTitle} onClose={onClose}>
      {answer.value ? <Readers userIds={answer.value.user_ids} /> : <Waiting error={answer.error} />}
    </Dialog>
  );
}

/** More names are counted. */
const MAX_READERS = 200;

function Readers({ userIds }: { userIds: readonly number[] }): VNode {
  const { words } = useOverlay();
  const people = usePeople(userIds.slice(0, MAX_READERS));
  if (userIds.length === 0) return <p>{words.readersNone}</p>;
  return (
    <ul class="plain-list">
      {people.map((person, index) => (
        <li key={userIds[index]}>{person?.full_name ?? '…'}</li>
      ))}
      {userIds.length > MAX_READERS && <li>{words.others(userIds.length - MAX_READERS)}</li>}
    </ul>
  );
}

function LinkDialog({ message, onClose }: DialogProps): VNode {
  const panel = useOverlay();
  return (
    <Dialog title={panel.words.copyLink} onClose={onClose}>
      <label>
        {panel.words.copyFailed}
        <input readOnly value={linkTo(message, panel)} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
    </Dialog>
  );
}

function ReportDialog({ message, onClose }: DialogProps): VNode {
  const { store, words } = useOverlay();
  const [report_type, setReason] = useState<keyof typeof words.reportReasons>('spam');
  const [description, setDescription] = useState('');
  const report = () => store.session.messages.report({ message_id: message.id, report_type, description });
  return (
    <Dialog title={words.reportMessage} onClose={onClose}>
      <ActionForm submit={words.report} run={report} onClose={onClose}>
        <label>
          {words.reportReason}
          <select
            value={report_type}
            onChange={({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
              setReason(currentTarget.value as typeof report_type)
            }
          >
            {Object.entries(words.reportReasons).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.reportDetails}
          <input
            value={description}
            maxLength={1000}
            required={report_type === 'other'}
            onInput={({ currentTarget }: { currentTarget: HTMLInputElement }) => setDescription(currentTarget.value)}
          />
        </label>
      </ActionForm>
    </Dialog>
  );
}

function Waiting({ error }: { error: string | undefined }): VNode {
  const { words } = useOverlay();
  return error === undefined ? (
    <p class="muted">{words.loading}</p>
  ) : (
    <ErrorText action={{ error: words.actionFailed(error) }} />
  );
}
