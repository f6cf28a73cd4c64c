import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import type { WebhookFormat } from './format.ts';

/** Characters of JSON, which leave room for the fence. */
const MAX_JSON = MAX_MESSAGE_LENGTH - 20;
/** `…` replaces deeper levels. */
const MAX_LEVELS = 50;

/** Any JSON, as a code block. */
export const jsonFormat: WebhookFormat = (payload) => ({ content: `\`\`\`json\n${prettyJson(payload)}\n\`\`\`` });

/**
 * JSON with an indent. `JSON.stringify` would write a hundred megabytes for one megabyte of nested lists, and fail for
 * very deep ones.
 */
function prettyJson(payload: unknown): string {
  let text = '';
  const isFull = () => text.length > MAX_JSON;
  const write = (value: unknown, level: number): void => {
    if (typeof value === 'string') text += JSON.stringify(value.slice(0, MAX_MESSAGE_LENGTH));
    else if (typeof value !== 'object' || value === null) text += String(value);
    else if (level > MAX_LEVELS) text += '…';
    else writeMembers(value, level);
  };
  const writeMembers = (value: object, level: number) => {
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    const margin = `\n${'  '.repeat(level)}`;
    let isFirst = true;
    text += open;
    // A list of the entries would take as long as the JSON parser.
    for (const member of Array.isArray(value) ? value : Object.keys(value)) {
      if (isFull()) return;
      text += `${isFirst ? '' : ','}${margin}  `;
      isFirst = false;
      if (Array.isArray(value)) write(member, level + 1);
      else {
        text += `${JSON.stringify(member.slice(0, MAX_MESSAGE_LENGTH))}: `;
        write(Reflect.get(value, member), level + 1);
      }
    }
    text += isFirst ? close : margin + close;
  };
  write(payload, 0);
  return isFull() ? `${text.slice(0, MAX_JSON)}…` : text;
}
