import { BadRequest } from '../errors.ts';
import { MAX_MESSAGE_LENGTH } from '../rules/names.ts';
import { truncate } from '../rules/topics.ts';

const MARKER = '\n[message truncated]';

/** A message's text as it is stored: trailing white space and leading newlines gone, too long texts cut (reference 6.1). */
export function messageContent(given: string): string {
  const content = given.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  if (content === '') throw new BadRequest('A message cannot be empty.');
  if (content.includes('\0')) throw new BadRequest('A message cannot contain NUL characters.');
  return truncate(content, MAX_MESSAGE_LENGTH, MARKER);
}
