import type { Shown } from '../output/conversation.ts';
import { resolution } from '../output/topic-change.ts';
import { target } from './places.ts';
import { messageOf } from './reads.ts';
import type { Telling } from './telling.ts';

/** What became of a message, by reading it before and after: the answer itself says nothing. */
export const tellEdited: Telling = async ({ session, parameters }) => {
  const id = String(parameters.message_id);
  const before = await messageOf(session, id);
  return async () => {
    const after = await messageOf(session, id);
    if (before === undefined || after === undefined) return `Message ${id} was changed.`;
    const told = [
      ...(before.content === after.content ? [] : [`Edited message ${id}.`]),
      ...(target(before) === target(after) ? [] : [moved(id, parameters.propagate_mode, before, after)]),
    ];
    return told.length === 0 ? `Message ${id} is like that already; nothing was changed.` : told.join('\n');
  };
};

function moved(id: string, mode: unknown, before: Shown, after: Shown): string {
  const resolved = before.stream_id === after.stream_id && resolution(before.subject, after.subject);
  if (resolved && mode === 'change_all') return `Marked the topic ${target(after)} as ${resolved}.`;
  const way = `from ${target(before)} to ${target(after)}`;
  if (mode === 'change_all') return `Moved message ${id} with its whole topic ${way}.`;
  if (mode === 'change_later') return `Moved message ${id} and the later ones of its topic ${way}.`;
  return `Moved message ${id} ${way}.`;
}
