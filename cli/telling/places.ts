import { channelPlace, othersIn, type Shown } from '../output/conversation.ts';

/** Where a message went, in a sentence: `"general > lunch"`, `Ben`, `yourself`. */
export function target(message: Shown): string {
  const { display_recipient, subject } = message;
  if (typeof display_recipient === 'string') return `"${channelPlace(display_recipient, subject)}"`;
  return othersIn(message).join(', ') || 'yourself';
}
