import type { ChatStore } from '../../client/store/types.ts';
import type { EditedText } from '../composer/text.ts';

/** A message in a text field. `theirs`: the text of another user who changed the message in between. */
export interface EditState {
  readonly text?: EditedText;
  readonly original?: string;
  readonly theirs?: string;
  readonly isSaving?: boolean;
  readonly error?: string;
}

const ofStores = new WeakMap<ChatStore, Map<number, EditState>>();

/** Changed texts of messages by ID, which are not saved. A reader who looks elsewhere finds them again. */
export function unsavedEdits(store: ChatStore): Map<number, EditState> {
  const edits = ofStores.get(store) ?? new Map<number, EditState>();
  ofStores.set(store, edits);
  return edits;
}
