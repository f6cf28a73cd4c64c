import type { ChatEvent, LoggedEvent } from '../kernel/event.ts';
import type { Transaction } from '../storage/storage.ts';
import type { MovedMessages } from './moved-messages.ts';

/**
 * Fills in what the log leaves open, in the transaction that reads it: messages that a whole topic's move
 * took along, and the reader's own flags of an edited message. Flags are those of the present, which later
 * events of the same log lead to as well.
 */
export async function completeEvents(
  tx: Transaction,
  readerId: number,
  events: readonly LoggedEvent[],
  movedMessages: MovedMessages,
): Promise<readonly LoggedEvent[]> {
  if (!events.some(isOpen)) return events;
  const moved = new Map<number, number[]>();
  for (const { movedBy } of events) {
    if (movedBy !== undefined && !moved.has(movedBy)) moved.set(movedBy, await movedMessages.of(tx, movedBy));
  }
  const edited = events
    .filter((one) => one.event.type === 'update_message')
    .map((one) => one.event.message_id as number);
  const flags = await tx.readState.flagsOf(readerId, edited);
  return events.map((logged) => {
    if (!isOpen(logged)) return logged;
    const { movedBy, event } = logged;
    return {
      ...logged,
      event: {
        ...event,
        ...(movedBy === undefined ? {} : { [listOf(event)]: moved.get(movedBy) }),
        ...(event.type === 'update_message' ? { flags: flags.get(event.message_id as number) ?? [] } : {}),
      },
    };
  });
}

export function isOpen({ movedBy, event }: LoggedEvent): boolean {
  return movedBy !== undefined || event.type === 'update_message';
}

function listOf(event: ChatEvent): string {
  return event.type === 'update_message_flags' ? 'messages' : 'message_ids';
}
