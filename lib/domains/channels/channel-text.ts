import { BadRequest } from '../../kernel/errors.ts';
import { codePoints } from '../../kernel/schemas.ts';
import { MAX_CHANNEL_NAME_LENGTH, unprintableAt } from '../../rules/names.ts';

/** Trims and checks a channel name. */
export function channelName(given: string): string {
  const name = given.trim();
  if (name === '') throw new BadRequest('A channel name cannot be empty.');
  if (codePoints(name) > MAX_CHANNEL_NAME_LENGTH) {
    throw new BadRequest(`A channel name is too long (limit: ${MAX_CHANNEL_NAME_LENGTH} characters).`);
  }
  const bad = unprintableAt(name);
  if (bad !== undefined) throw new BadRequest(`The channel name contains an invalid character at position ${bad}.`);
  return name;
}

/** Replaces line breaks and control characters with spaces. A control character takes six bytes in JSON. */
export function channelDescription(given: string): string {
  return given.replace(/\r\n|\p{Cc}/gu, ' ').trim();
}
