import type { ChatStore } from '../../client/store/types.ts';
import type { EditedText } from '../composer/text.ts';

/** The edited text of a message. `theirs`: a newer text that another user or client saved. */
export interface EditState {
  readonly text?: EditedText;
  readonly original?: string;
  readonly theirs?: string;
  readonly isSaving?: boolean;
  readonly error?: string;
}

const ofStores = new WeakMap<ChatStore, Map<number, EditState>>();

/** Unsaved edits by message ID. They stay when the user opens another conversation. */
export function unsavedEdits(store: ChatStore): Map<number, EditState> {
  const edits = ofStores.get(store) ?? new Map<number, EditState>();
  ofStores.set(store, edits);
  return edits;
}
