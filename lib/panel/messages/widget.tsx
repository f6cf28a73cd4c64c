/** A poll or a to-do list in the place of the content of its message. Votes and edits of others appear by events. */

import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Message } from '../../client/store/types.ts';
import { Button, ErrorText, Form, IconButton } from '../buttons.tsx';
import { MessageContent } from '../content/content.tsx';
import { useCell, usePeople } from '../context.ts';
import { addStyles } from '../style-sheets.ts';
import { useWidgetWords } from '../words/widget-words.ts';
import { personName } from './places.ts';
import styles from './widget.css';
import { freeIndex, type PollOption, type Task, widgetOf } from './widget-model.ts';

addStyles(styles);

export interface WidgetProps {
  message: Message;
}

export function Widget({ message }: WidgetProps): VNode {
  const { store, words, isReadonly } = useWidgetWords();
  const me = useCell(store.me)?.user_id ?? 0;
  const widget = useMemo(() => widgetOf(message.submessages), [message.submessages]);
  const { isRunning, error, change } = useChange(message.id);
  if (!widget) return <MessageContent html={message.content} />;
  const isPoll = widget.type === 'poll';
  const index = () => freeIndex(message.submessages, me);
  const add = (text: string) =>
    change(
      isPoll
        ? { type: 'new_option', option: text, idx: index() }
        : { type: 'new_task', key: index(), task: text, desc: '', completed: false },
    );
  return (
    <section class="widget" part="widget" aria-label={`${isPoll ? words.poll : words.toDoList}: ${widget.title}`}>
      <Title
        title={widget.title || (isPoll ? words.poll : words.toDoList)}
        mayEdit={!isReadonly && message.sender_id === me}
        save={(title) =>
          change(isPoll ? { type: 'question', question: title } : { type: 'new_task_list_title', title })
        }
      />
      <ul>
        {widget.type === 'poll'
          ? widget.options.map((option) => (
              <li key={option.key}>
                <Option
                  option={option}
                  isOwn={option.voters.includes(me)}
                  isDisabled={isReadonly || isRunning}
                  vote={(vote) => change({ type: 'vote', key: option.key, vote })}
                />
              </li>
            ))
          : widget.tasks.map((task) => (
              <li key={task.key}>
                <TaskLine
                  task={task}
                  isDisabled={isReadonly || isRunning}
                  toggle={() => change({ type: 'strike', key: task.key })}
                />
              </li>
            ))}
      </ul>
      {!isReadonly && (
        <TextForm
          label={isPoll ? words.newOption : words.newTask}
          submit={isPoll ? words.addOption : words.addTask}
          save={add}
        />
      )}
      <ErrorText action={{ error }} />
    </section>
  );
}

/** Votes and edits are submessages. */
function useChange(messageId: number) {
  const { store, words } = useWidgetWords();
  const [state, setState] = useState<{ isRunning: boolean; error?: string }>({ isRunning: false });
  /** @returns whether the server has accepted it */
  const change = async (fields: object): Promise<boolean> => {
    setState({ isRunning: true });
    try {
      await store.session.messages.addSubmessage({ message_id: messageId, content: JSON.stringify(fields) });
      setState({ isRunning: false });
      return true;
    } catch (error) {
      setState({ isRunning: false, error: words.actionFailed((error as Error).message) });
      return false;
    }
  };
  return { ...state, change };
}

interface TitleProps {
  title: string;
  mayEdit: boolean;
  save(title: string): Promise<boolean>;
}

function Title({ title, mayEdit, save }: TitleProps): VNode {
  const { words } = useWidgetWords();
  const [isEditing, setEditing] = useState(false);
  if (isEditing)
    return (
      <TextForm
        label={words.changeTitle}
        submit={words.saveTitle}
        initial={title}
        save={async (text) => {
          const isSaved = await save(text);
          if (isSaved) setEditing(false);
          return isSaved;
        }}
      />
    );
  return (
    <p class="widget-title">
      <span dir="auto">{title}</span>
      {mayEdit && <IconButton icon="edit" label={words.changeTitle} onClick={() => setEditing(true)} />}
    </p>
  );
}

interface OptionProps {
  option: PollOption;
  isOwn: boolean;
  isDisabled: boolean;
  vote(vote: 1 | -1): void;
}

/** More names are not listed. */
const MAX_NAMES = 10;

function Option({ option: { text, voters }, isOwn, isDisabled, vote }: OptionProps): VNode {
  const { words, formats } = useWidgetWords();
  const people = usePeople(voters.slice(0, MAX_NAMES));
  const names = people.map((person) => (person ? personName(person, words) : '…'));
  if (voters.length > MAX_NAMES) names.push(words.others(voters.length - MAX_NAMES));
  return (
    <button
      type="button"
      class="poll-option"
      aria-pressed={isOwn}
      disabled={isDisabled}
      title={names.length > 0 ? words.votesBy(formats.list(names)) : undefined}
      onClick={() => vote(isOwn ? -1 : 1)}
    >
      <span class="poll-count" aria-hidden="true">
        {formats.number(voters.length)}
      </span>
      <span dir="auto">{text}</span>
      <span class="visually-hidden"> {words.votes(voters.length)}</span>
      {names.length > 0 && <span class="poll-voters">{formats.list(names)}</span>}
    </button>
  );
}

interface TaskLineProps {
  task: Task;
  isDisabled: boolean;
  toggle(): void;
}

function TaskLine({ task: { text, detail, isDone }, isDisabled, toggle }: TaskLineProps): VNode {
  return (
    <label class="task">
      <input type="checkbox" checked={isDone} disabled={isDisabled} onChange={toggle} />
      <span class={isDone ? 'task-done' : undefined} dir="auto">
        {text}
      </span>
      {detail && <span class="muted">{detail}</span>}
    </label>
  );
}

interface TextFormProps {
  label: string;
  submit: string;
  initial?: string;
  save(text: string): Promise<boolean>;
}

function TextForm({ label, submit, initial = '', save }: TextFormProps): VNode {
  const [text, setText] = useState(initial);
  const onSubmit = async () => {
    if (/\S/.test(text) && (await save(text.trim()))) setText('');
  };
  return (
    <Form class="widget-form" onSubmit={onSubmit}>
      <input
        aria-label={label}
        placeholder={label}
        value={text}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button isSubmit isDisabled={!/\S/.test(text)}>
        {submit}
      </Button>
    </Form>
  );
}
