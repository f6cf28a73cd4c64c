/** The form under which e-mail addresses and names compare. */
export function fold(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * The form under which names compare where they must be unique: without compatibility forms either. Names of one
 * folded form have one key.
 */
export function nameKey(name: string): string {
  return fold(fold(name).normalize('NFKC'));
}

/** The form under which topics compare; they arrive trimmed. */
export function foldTopic(topic: string): string {
  return topic.toLowerCase();
}

/** The form under which texts are searched: letter by letter, so that a hit can be shown in the text itself. */
export function foldSearch(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
