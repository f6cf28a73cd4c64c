export function fold(text: string): string {
  return text.trim().toLowerCase();
}

/** The form for comparing names that must be unique: also without Unicode compatibility forms. */
export function nameKey(name: string): string {
  return fold(fold(name).normalize('NFKC'));
}

/** The form for comparing topics, which are already trimmed. */
export function foldTopic(topic: string): string {
  return topic.toLowerCase();
}

/** The form for searching texts. Keeps the positions of letters, so that hits can be shown in the original text. */
export function foldSearch(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
