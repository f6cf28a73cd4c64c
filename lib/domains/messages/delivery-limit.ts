import { BadRequest } from '../../kernel/errors.ts';

/** Limit per user, including failed deliveries. */
export const MAX_DELIVERIES = 1_000;
/** Characters of Markdown and HTML per user. Clients load all deliveries at start. */
const MAX_CHARACTERS = 4_000_000;

interface StoredContent {
  content: string;
  rendered_content: string;
}

/** Throws if the user would exceed a limit. `replaced` is the delivery that `added` replaces. */
export function checkDeliveryLimit(
  what: string,
  present: { count: number; characters: number },
  added: StoredContent,
  replaced?: StoredContent,
): void {
  if (!replaced && present.count >= MAX_DELIVERIES)
    throw new BadRequest(`You can have at most ${MAX_DELIVERIES} ${what}.`);
  const characters = present.characters + lengthOf(added) - (replaced ? lengthOf(replaced) : 0);
  if (characters > MAX_CHARACTERS) {
    throw new BadRequest(`Your ${what} can have at most ${MAX_CHARACTERS} characters in total, including their HTML.`);
  }
}

const lengthOf = ({ content, rendered_content }: StoredContent) => content.length + rendered_content.length;
