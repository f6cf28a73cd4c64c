import type { ChatEvent, InitialState } from '../../chat/session.ts';
import { type Batch, DerivedCell } from './cell.ts';
import { directKey, directPlace, isDirectPlace, placeOf } from './places.ts';
import type { Conversation } from './types.ts';

/** Direct conversations, by the newest message. */
export class Conversations {
  readonly cell: DerivedCell<readonly Conversation[]>;
  #byKey = new Map<string, { userIds: readonly number[]; lastMessageId: number }>();

  constructor(
    batch: Batch,
    private readonly me: () => number,
    private readonly unreadIn: (userIds: readonly number[]) => number,
  ) {
    this.cell = new DerivedCell(batch, () => this.#list());
  }

  reset({ recent_private_conversations }: InitialState<'recent_private_conversations'>): void {
    this.#byKey = new Map();
    for (const { user_ids, max_message_id } of recent_private_conversations) this.#add(user_ids, max_message_id);
    this.cell.invalidate();
  }

  apply(event: ChatEvent): void {
    if (event.type !== 'message') return;
    const place = placeOf(event.message, this.me());
    if (isDirectPlace(place)) this.#add(place.userIds, event.message.id);
  }

  #add(participants: readonly number[], id: number): void {
    const { userIds } = directPlace(participants, this.me());
    const known = this.#byKey.get(directKey(userIds));
    if (known && known.lastMessageId >= id) return;
    this.#byKey.set(directKey(userIds), { userIds, lastMessageId: id });
    this.cell.invalidate();
  }

  #list(): readonly Conversation[] {
    const sorted = [...this.#byKey.values()].sort((a, b) => b.lastMessageId - a.lastMessageId);
    return sorted.map((conversation) => ({ ...conversation, unread: this.unreadIn(conversation.userIds) }));
  }
}
