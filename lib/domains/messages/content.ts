import { BadRequest } from '../../kernel/errors.ts';
import { MAX_MESSAGE_LENGTH } from '../../rules/names.ts';
import { truncate } from '../../rules/topics.ts';

const MARKER = '\n[message truncated]';

/** What an edit that leaves nothing makes of a message (reference 7.8). */
const DELETED = '(deleted)';

/** A message's text as it is stored: trailing white space and leading newlines gone, too long texts cut (reference 6.1). */
export function messageContent(given: string): string {
  const content = trimmed(given);
  if (content === '') throw new BadRequest('A message cannot be empty.');
  return stored(content);
}

export function editedContent(given: string): string {
  return stored(trimmed(given) || DELETED);
}

function trimmed(given: string): string {
  return given.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}

function stored(content: string): string {
  if (content.includes('\0')) throw new BadRequest('A message cannot contain NUL characters.');
  return truncate(content, MAX_MESSAGE_LENGTH, MARKER);
}
