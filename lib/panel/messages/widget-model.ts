/** The state of polls and to-do lists after all changes. The first submessage of a message is the widget. */

interface Submessage {
  readonly id: number;
  readonly sender_id: number;
  /** JSON. */
  readonly content: string;
}

export interface PollOption {
  readonly key: string;
  readonly text: string;
  /** IDs of users. */
  readonly voters: readonly number[];
}

export interface Poll {
  readonly type: 'poll';
  readonly title: string;
  readonly options: readonly PollOption[];
}

export interface Task {
  readonly key: string;
  readonly text: string;
  readonly detail: string;
  readonly isDone: boolean;
}

export interface TaskList {
  readonly type: 'todo';
  readonly title: string;
  readonly tasks: readonly Task[];
}

type Fields = Readonly<Record<string, unknown>>;

/** A bot may have sent any JSON. */
const fieldsIn = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

function fieldsOf(content: string): Fields {
  try {
    return fieldsIn(JSON.parse(content));
  } catch {
    return {};
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Undefined for other messages. */
export function widgetOf(submessages: readonly unknown[]): Poll | TaskList | undefined {
  const [first, ...changes] = ([...submessages] as Submessage[]).sort((a, b) => a.id - b.id);
  if (!first) return undefined;
  const { widget_type, extra_data } = fieldsOf(first.content);
  const given = fieldsIn(extra_data);
  if (widget_type === 'poll') return pollOf(given, changes);
  return widget_type === 'todo' ? taskListOf(given, changes) : undefined;
}

function pollOf({ question, options }: Fields, changes: readonly Submessage[]): Poll {
  let title = textOf(question);
  const found = new Map(
    listOf(options).map((text, index) => [`canned,${index}`, { text: textOf(text), voters: new Set<number>() }]),
  );
  for (const { sender_id, content } of changes) {
    const { type, key, vote, option, idx, question: renamed } = fieldsOf(content);
    if (type === 'question') title = textOf(renamed);
    if (type === 'new_option') {
      const isKnown = [...found.values()].some(({ text }) => text === option);
      if (!isKnown) found.set(`${sender_id},${idx}`, { text: textOf(option), voters: new Set() });
    }
    if (type !== 'vote') continue;
    const voters = found.get(textOf(key))?.voters;
    if (vote === 1) voters?.add(sender_id);
    else voters?.delete(sender_id);
  }
  const all = [...found].map(([key, { text, voters }]) => ({ key, text, voters: [...voters] }));
  return { type: 'poll', title, options: all };
}

function taskListOf({ task_list_title, tasks }: Fields, changes: readonly Submessage[]): TaskList {
  let title = textOf(task_list_title);
  const found = new Map(
    listOf(tasks)
      .map(fieldsIn)
      .map(({ task, desc }, index) => [`${index},canned`, { text: textOf(task), detail: textOf(desc), isDone: false }]),
  );
  for (const { sender_id, content } of changes) {
    const { type, key, task, desc, completed, title: renamed } = fieldsOf(content);
    if (type === 'new_task_list_title') title = textOf(renamed);
    if (type === 'new_task') {
      const isKnown = [...found.values()].some(({ text }) => text === task);
      const added = { text: textOf(task), detail: textOf(desc), isDone: completed === true };
      if (!isKnown) found.set(`${key},${sender_id}`, added);
    }
    const struck = type === 'strike' ? found.get(textOf(key)) : undefined;
    if (struck) struck.isDone = !struck.isDone;
  }
  return { type: 'todo', title, tasks: [...found].map(([key, task]) => ({ key, ...task })) };
}

/** An index that this user has not used for an option or a task of the message. */
export function freeIndex(submessages: readonly unknown[], userId: number): number {
  const used = (submessages as readonly Submessage[])
    .filter(({ sender_id }) => sender_id === userId)
    .map(({ content }) => fieldsOf(content))
    .map(({ idx, key }) => (typeof idx === 'number' ? idx : typeof key === 'number' ? key : 0));
  return Math.max(0, ...used) + 1;
}
